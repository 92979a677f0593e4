//! The templates that a flow brings along: `NAME/AGENT-STEP.md`, or `NAME/BASE-STEP.md` for every agent without one.

use super::draft::Draft;
use super::steps::is_own;
use super::{FlowCode, FlowUnit, Origin};
use crate::compile::diagnostic::Diagnostic;
use crate::compile::source::{FileId, Folder, Sources, hash_of};
use crate::compile::{check, contract};
use crate::flow::{ColumnId, Flow};
use crate::template::{Agent, OwnTemplate};

/// Links and checks the templates of every step that has its own, and returns them.
pub(super) fn check(
    sources: &Sources,
    draft: &Draft,
    origin: Origin<'_>,
    (found, of_templates): (&mut Vec<Diagnostic<FlowCode>>, &mut Vec<Diagnostic>),
) -> Vec<OwnTemplate> {
    let flow = &draft.flow;
    let mut templates = Vec::new();
    if origin == Origin::TextAlone {
        return templates;
    }
    for (id, step) in flow.numbered().filter(|(_, step)| is_own(step.prompt)) {
        let span = draft.places(id).column(ColumnId::Prompt);
        if origin == Origin::BuiltIn {
            let message = format!("step `{}` has no prompt", step.name);
            let help = "name a phase, a role or a command: only flows of a project have templates of their own";
            found.push(Diagnostic::new(FlowCode::OwnTemplate, draft.at(span), message).help(help));
            continue;
        }
        let file_of = |agent: &Agent| {
            let name = format!("{}/{agent}-{}.md", flow.name, step.name);
            let is_it = |file: &&(FileId, _)| has_name(file.1, &name);
            let files: Vec<_> = sources.iter().collect();
            files.iter().find(is_it).map(|(file, _)| *file)
        };
        let files: Vec<(Agent, Option<FileId>)> =
            Agent::ALL.iter().map(|agent| (*agent, file_of(agent))).collect();
        if files.iter().any(|(agent, file)| *agent == Agent::Base && file.is_none()) {
            let wanted = format!("{}/BASE-{}.md", flow.name, step.name);
            let message = format!("step `{}` has no template: `{wanted}` is missing", step.name);
            let help = format!("write `flows/{wanted}`, or name a `prompt`");
            found.push(Diagnostic::new(FlowCode::OwnTemplate, draft.at(span), message).help(help));
        }
        for (agent, file) in files {
            let Some(file) = file else { continue };
            let linked = check::own_template(sources, file, &contract::of_step(step), of_templates);
            templates.extend(linked.map(|linked| OwnTemplate {
                agent,
                step: step.name.to_string(),
                file: sources.get(file).path.clone(),
                hash: hash_of(&linked.text),
                text: linked.text,
            }));
        }
    }
    templates
}

fn has_name(file: &crate::compile::SourceFile, name: &str) -> bool {
    file.folder == Folder::Flows && file.name == name
}

/// Reports templates that belong to no step. Those of a flow with faults are looked at when it has none.
pub(super) fn strays(sources: &Sources, units: &[FlowUnit], found: &mut Vec<Diagnostic<FlowCode>>) {
    for (file, source) in sources.iter().filter(|(_, file)| file.folder == Folder::Flows) {
        let Some((name, template)) = source.name.split_once('/') else { continue };
        let is_there = sources.iter().any(|(_, file)| has_name(file, &format!("{name}.toml")));
        let unit = units.iter().find(|unit| unit.flow.name == name);
        let problem = match unit {
            None if is_there => continue,
            None => Some(format!("there is no flow `{name}`")),
            Some(unit) => stray(&unit.flow, template),
        };
        let Some(problem) = problem else { continue };
        let message = format!("this template belongs to no step: {problem}");
        let help = "name it `FLOW/AGENT-STEP.md`: GEMINI, CLAUDE, CODEX or BASE, then the step";
        let place = sources.first_line(file);
        found.push(Diagnostic::new(FlowCode::OwnTemplate, place, message).help(help));
    }
}

/// Returns why a template belongs to no step of a flow.
fn stray(flow: &Flow, template: &str) -> Option<String> {
    let step = template.strip_suffix(".md").and_then(|stem| {
        let (agent, step) = stem.split_once('-')?;
        Agent::from_word(agent).map(|_| step)
    });
    let Some(step) = step else {
        return Some(format!("`{}` is no name for a template", template.escape_debug()));
    };
    match flow.find(step).map(|id| flow.step(id)) {
        None => Some(format!("the flow has no step `{step}`")),
        Some(step) if !is_own(step.prompt) => {
            Some(format!("step `{}` has another prompt", step.name))
        }
        Some(_) => None,
    }
}
