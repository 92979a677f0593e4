//! The prompt of a phase: one XML document.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use log::warn;

use crate::catalog::SystemTemplate;
use crate::cli::agent_options::AgentOptions;
use crate::cli::change::dry_run::{next_call, print_call};
use crate::cli::change::flow::ensure_has_phases;
use crate::cli::change::request;
use crate::cli::flows::load::FoundFlow;
use crate::cli::input::{self, Assignment};
use crate::cli::template_lookup::served;
use crate::cli::value_parsers::known;
use crate::cli::{Failure, Outcome, ProjectContext, print_raw, read_history};
use crate::engine::preview::Prompts;
use crate::engine::project::Whereabouts;
use crate::models::change::ChangeId;
use crate::models::prompt::{ContextItem, ContextKind, UnifiedPrompt};
use crate::orchestrator::Composed;
use crate::orchestrator::prompts::{artifact_index, find_system_template};
use crate::prompt::PromptBuilder;
use crate::template::{Values, Variable};

/// The file that describes a project, relative to the current folder.
const PROJECT_FILE: &str = "agentd/project.md";

/// The agent whose templates are used if no agent is named.
const BASE: &str = "base";

/// The options of a phase's prompt.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of a phase")]
pub(super) struct PhaseOptions {
    /// The agent: claude, gemini, codex, or any other name, which uses the BASE templates. With --change it must be one
    /// of the configuration, which names one for each phase.
    #[arg(long, value_name = "AGENT", conflicts_with = "identity")]
    agent: Option<String>,
    /// Add a file of the project to the context.
    #[arg(long = "file", value_name = "PATH", conflicts_with_all = ["identity", "change"])]
    files: Vec<PathBuf>,
    /// Add a result of an earlier phase to the context.
    #[arg(long = "artifact", value_name = "PATH", conflicts_with_all = ["identity", "change"])]
    artifacts: Vec<PathBuf>,
    /// Add the reasoning of an earlier round to the context.
    #[arg(long = "thought", value_name = "PATH", conflicts_with_all = ["identity", "change"])]
    thoughts: Vec<PathBuf>,
    /// Print the size of each part on standard error.
    #[arg(long, conflicts_with = "identity")]
    stats: bool,
}

impl PhaseOptions {
    /// Prints the prompt that a run of a change would send next, if that is this step.
    pub(super) fn run_of_change(&self, step: &str, id: &ChangeId, text: Option<&str>) -> Outcome {
        let context = ProjectContext::find()?;
        let flow = match context.whereabouts(id)? {
            Whereabouts::Open(location) | Whereabouts::Archived(location) => {
                FoundFlow::begun(&context.project.root, &read_history(&location.state)?)?
            }
            Whereabouts::Nowhere => FoundFlow::named(&context, None)?,
        };
        let help = format!("`agentd prompt --role architect --change {id}` prints a role's prompt");
        ensure_has_phases(id, &flow.flow, help)?;
        if flow.flow.find(step).is_none() {
            // A word close to a phase gets a hint.
            find_system_template(BASE, step)?;
        }
        let text = text.map(request::read).transpose()?;
        let options = AgentOptions::of_step(step, self.agent.as_deref());
        let call = next_call(context, id, text.as_deref(), &options, &flow)?;
        let next = &call.step;
        if next != step {
            return Err(Failure::precondition(
                format!("change `{id}` is at {next}, not at {step}"),
                format!("`agentd prompt {next} --change {id}` prints what is sent next"),
            ));
        }
        if self.stats
            && let Prompts::Document(composed) = &call.prompts
        {
            let Composed { prompt, template, document, .. } = &**composed;
            stats(prompt, template, document.len())?;
        }
        print_call(&call)
    }

    pub(super) fn run(
        &self,
        phase: &str,
        instructions: &str,
        variables: &[Assignment],
        mut builder: PromptBuilder,
    ) -> Outcome {
        let agent = self.agent.as_deref().unwrap_or(BASE);
        let template = served(agent, phase)?;
        let instructions = input::ensure_not_empty(input::instructions(instructions)?)?;
        let context = self.context()?;
        let given = values(variables, template, &context)?;
        let values = given
            .iter()
            .fold(Values::new(), |values, (variable, value)| values.with(*variable, value));
        builder.set_system_template(template, &values)?;
        for item in context {
            builder.add_item(item);
        }
        let prompt = builder.build_unified(&instructions);
        let (xml, written) = prompt.to_verified_xml()?;
        if written.replaced > 0 {
            warn!("{} characters that XML forbids are shown as U+FFFD", written.replaced);
        }
        if self.stats {
            stats(&prompt, template.file, written.bytes)?;
        }
        print_raw(xml.as_bytes())
    }

    fn context(&self) -> Outcome<Vec<ContextItem>> {
        let parts = [
            (ContextKind::File, &self.files),
            (ContextKind::Artifact, &self.artifacts),
            (ContextKind::Thought, &self.thoughts),
        ];
        let item = |kind, path: &PathBuf| {
            let name = path.display().to_string();
            Ok(ContextItem { kind, name, content: input::context_file(path)? })
        };
        parts
            .into_iter()
            .flat_map(|(kind, paths)| paths.iter().map(move |path| item(kind, path)))
            .collect()
    }
}

/// Collects the values: those given, and those that can be found.
fn values(
    variables: &[Assignment],
    template: &SystemTemplate,
    context: &[ContextItem],
) -> Outcome<BTreeMap<Variable, String>> {
    let mut values = BTreeMap::new();
    for (name, value) in input::values(variables)? {
        let variable = Variable::from_word(&name).ok_or_else(|| unknown_variable(&name))?;
        if !template.variables.contains(&variable) {
            warn!("{} does not use {variable}: the value is not in the prompt", template.file);
        }
        values.insert(variable, value);
    }
    if !values.contains_key(&Variable::ProjectContext)
        && let Some(text) = input::own_text_file(Path::new(PROJECT_FILE))?
    {
        values.insert(Variable::ProjectContext, text);
    }
    if !values.contains_key(&Variable::Artifacts)
        && let Some(index) = artifact_index(context)
    {
        values.insert(Variable::Artifacts, index);
    }
    Ok(values)
}

fn unknown_variable(name: &str) -> Failure {
    Failure::usage(
        format!("there is no variable `{name}`"),
        known("variables", name, Variable::WORDS.iter().copied()),
    )
}

/// Prints the size of each part before escaping, and of the whole document.
fn stats(prompt: &UnifiedPrompt, template: &str, total: usize) -> io::Result<()> {
    let system = prompt.system_prompt.as_ref().map_or(0, String::len);
    let mut rows = vec![(format!("system_prompt {template}"), system)];
    for item in &prompt.context {
        let kind = match item.kind {
            ContextKind::File => "file",
            ContextKind::Artifact => "artifact",
            ContextKind::Thought => "thought",
        };
        rows.push((format!("{kind} {}", item.name), item.content.len()));
    }
    rows.push(("instructions".to_owned(), prompt.instructions.len()));
    let parts: usize = rows.iter().map(|(_, bytes)| bytes).sum();
    rows.push(("tags and escapes".to_owned(), total.saturating_sub(parts)));
    rows.push(("total".to_owned(), total));
    let mut stderr = anstream::stderr().lock();
    for (name, bytes) in rows {
        writeln!(stderr, "{bytes:>10} bytes  {name}")?;
    }
    Ok(())
}
