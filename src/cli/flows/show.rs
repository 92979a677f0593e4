//! `agentd flows show`: one flow, for people, as a diagram or as JSON.

use std::io::Write as _;

use anstyle::Style;
use clap::Args;
use serde_json::{Value, json};

use super::json::object;
use super::list::guarantees;
use super::load::{FOLDER, find_flow};
use super::mermaid::mermaid;
use crate::cli::templates::project_root;
use crate::cli::trust::is_flow_trusted;
use crate::cli::{Outcome, print_json};
use crate::flow::{End, Flow, Limit, Rounds, Step, StepId, Target};
use crate::output::escape_control::escape_control;
use crate::output::table::Table;
use crate::template::OwnTemplate;

/// Show a flow: its purpose, its guarantees, its steps, and where each outcome leads.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The flow: sdd, team, quick, or one of this project.
    name: String,
    /// Print a Mermaid flowchart.
    #[arg(long, conflicts_with = "json")]
    mermaid: bool,
    /// Print the TOML source.
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

/// Describes a template that a flow brings.
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
            step.rounds.map(|it| rounds(flow, &step.name, it)).unwrap_or_default(),
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

/// Returns how often a step may run.
pub(super) fn rounds(flow: &Flow, step: &str, rounds: Rounds) -> String {
    let limit = match rounds.limit {
        Limit::Fixed(number) => number.to_string(),
        Limit::Configured(limit) => limit.to_string(),
    };
    let of = flow.step(rounds.of);
    if of.name == step { limit } else { format!("{limit} of {}", of.name) }
}

/// Returns where an outcome leads.
pub(super) fn target(flow: &Flow, target: Target) -> String {
    match target {
        Target::Step(id) => name(flow, id),
        Target::End(End::Archived) => "archived".to_owned(),
        Target::End(End::Rejected) => "rejected".to_owned(),
    }
}

/// Returns the name of a step.
pub(super) fn name(flow: &Flow, id: StepId) -> String {
    flow.step(id).name.to_string()
}

/// Returns where a person's decisions lead.
fn people(flow: &Flow) -> String {
    let mut lines = Vec::new();
    lines.extend(flow.guidance.map(|it| {
        format!(
            "Additional text from you leads to {}, as long as there is no {}.",
            name(flow, it.to),
            it.until
        )
    }));
    lines.extend(flow.reject.map(|it| {
        format!(
            "A rejection leads to {} once there is a {}; before that, the step is repeated.",
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
