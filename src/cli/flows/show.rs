//! `agentd flows show`: one flow, for people, as a diagram or as JSON.

use std::io::Write as _;

use anstyle::Style;
use clap::Args;
use serde_json::{Map, Value, json};

use super::list::{guarantee_words, guarantees};
use super::load::{FOLDER, find_flow};
use super::mermaid::mermaid;
use crate::cli::templates::project_root;
use crate::cli::trust::is_flow_trusted;
use crate::cli::{Outcome, print_json};
use crate::flow::{End, Fact, Flow, Limit, Step, StepId, Subject, Target, TaskSource};
use crate::output::escape_control::escape_control;
use crate::output::table::Table;
use crate::template::OwnTemplate;

/// Show a flow: what it is for, what it guarantees, its steps, and what each outcome leads to.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The flow: sdd, team, quick, or one of this project.
    name: String,
    /// Print a Mermaid flowchart.
    #[arg(long, conflicts_with = "json")]
    mermaid: bool,
    /// Print the TOML that it was compiled from.
    #[arg(long, conflicts_with_all = ["json", "mermaid"])]
    toml: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(&self) -> Outcome {
        let root = project_root()?;
        let found = find_flow(&root, &self.name)?;
        let flow = &found.flow;
        if self.json {
            let mut object = object(flow);
            object["from"] = if found.is_built_in { "built in" } else { FOLDER }.into();
            object["trusted"] = is_flow_trusted(&root, &found.guarded)?.into();
            object["templates"] = found.templates.iter().map(template).collect();
            return print_json(object);
        }
        let text = match (self.toml, self.mermaid) {
            (true, _) => escape_control(&found.text.replace("\r\n", "\n")).into_owned(),
            (false, true) => mermaid(flow),
            (false, false) => describe(flow),
        };
        Ok(anstream::stdout().write_all(text.as_bytes())?)
    }
}

/// Describes a template that a flow brings along.
fn template(template: &OwnTemplate) -> Value {
    let OwnTemplate { agent, step, file, hash, .. } = template;
    json!({ "agent": agent.word(), "step": step, "file": file, "hash": hash })
}

/// Describes a flow in a few tables.
fn describe(flow: &Flow) -> String {
    let bold = Style::new().bold();
    let mut steps = Table::new(["STEP", "KIND", "WHO", "DOES", "ROUNDS"]);
    let mut edges = Table::new(["STEP", "LEADS TO"]);
    for step in flow.steps.iter() {
        let (name, who) = (step.name.to_string(), step.prompt.map(|_| step.slot.to_string()));
        steps.row([
            name.clone(),
            step.kind.to_string(),
            who.unwrap_or_default(),
            does(step),
            rounds(flow, step),
        ]);
        let on = step.on.iter().map(|(outcome, to)| format!("{outcome} -> {}", target(flow, *to)));
        edges.row([name, on.collect::<Vec<_>>().join(", ")]);
        if let Some(fact) = step.skip_unless {
            edges.row([String::new(), format!("(skipped unless {fact})")]);
        }
    }
    format!(
        "{bold}{}{bold:#}: {}\nGuarantees: {}\n\n{steps}\n{edges}{}",
        flow.name,
        escape_control(&flow.about),
        guarantees(flow),
        people(flow)
    )
}

fn does(step: &Step) -> String {
    let changes = step.changes.map(|subject| format!("changes {subject}"));
    let judges = step.judges.map(|subject| format!("judges {subject}"));
    let clean = step.clean.then(|| "clean run".to_owned());
    changes.or(judges).or(clean).unwrap_or_default()
}

fn rounds(flow: &Flow, step: &Step) -> String {
    let Some(rounds) = step.rounds else { return String::new() };
    let limit = match rounds.limit {
        Limit::Fixed(number) => number.to_string(),
        Limit::Configured(limit) => limit.to_string(),
    };
    let of = flow.step(rounds.of);
    if of.name == step.name { limit } else { format!("{limit} of {}", of.name) }
}

fn target(flow: &Flow, target: Target) -> String {
    match target {
        Target::Step(id) => name(flow, id),
        Target::End(End::Archived) => "archived".to_owned(),
        Target::End(End::Rejected) => "rejected".to_owned(),
    }
}

fn name(flow: &Flow, id: StepId) -> String {
    flow.step(id).name.to_string()
}

/// Returns where a person's words lead.
fn people(flow: &Flow) -> String {
    let mut lines = Vec::new();
    lines.extend(flow.guidance.map(|it| {
        format!(
            "More words of yours lead to {}, as long as there is no {}.",
            name(flow, it.to),
            it.until
        )
    }));
    lines.extend(flow.reject.map(|it| {
        format!(
            "A rejection leads to {}, once there is a {}; before, the step is done again.",
            name(flow, it.to),
            it.once
        )
    }));
    let of_steps = flow.steps.iter().filter_map(|step| Some((step, step.reject?)));
    let of_steps: Vec<_> =
        of_steps.map(|(step, to)| format!("{} -> {}", step.name, name(flow, to))).collect();
    if !of_steps.is_empty() {
        lines.push(format!("A rejection leads back: {}.", of_steps.join(", ")));
    }
    lines.extend(
        flow.reopen.map(|to| format!("A rejection after the archive leads to {}.", name(flow, to))),
    );
    if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join("\n")) }
}

fn object(flow: &Flow) -> Value {
    let step_name = |id: StepId| name(flow, id);
    let step = |step: &Step| {
        let on = step
            .on
            .iter()
            .map(|(outcome, to)| (outcome.word().to_owned(), target(flow, *to).into()));
        let reads: Vec<_> = step
            .reads
            .iter()
            .map(|it| json!({ "path": it.path, "why": it.why, "optional": it.is_optional }))
            .collect();
        let leaves: Vec<_> = step
            .leaves
            .iter()
            .map(|it| json!({ "path": it.path, "validator": it.validator.word() }))
            .collect();
        json!({
            "name": step.name, "kind": step.kind.word(), "about": step.about, "prompt": step.prompt.map(|it| it.to_string()),
            "slot": step.slot, "workspace": step.workspace.word(), "reads": reads, "leaves": leaves,
            "changes": step.changes.map(Subject::word), "judges": step.judges.map(Subject::word),
            "pass_needs": step.pass_needs.iter().map(|it| it.word()).collect::<Vec<_>>(),
            "skip_unless": step.skip_unless.map(Fact::word), "not_by": step.not_by.map(step_name),
            "research": step.research, "rounds": step.rounds.map(|_| rounds(flow, step)),
            "reject": step.reject.map(step_name), "clean": step.clean, "merges": step.merges,
            "tasks": step.tasks.map(TaskSource::word), "on": on.collect::<Map<_, _>>(),
        })
    };
    json!({
        "name": flow.name, "about": flow.about, "hash": flow.hash, "start": step_name(flow.start),
        "guarantees": guarantee_words(flow),
        "guidance": flow.guidance.map(|it| json!({ "to": step_name(it.to), "until": it.until.word() })),
        "reject": flow.reject.map(|it| json!({ "to": step_name(it.to), "once": it.once.word() })),
        "reopen": flow.reopen.map(step_name),
        "steps": flow.steps.iter().map(step).collect::<Vec<_>>(),
    })
}
