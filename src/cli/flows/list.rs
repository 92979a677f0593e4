//! `agentd flows list`: which flows there are, what they are for and what they guarantee.

use std::io::Write as _;

use anstyle::Style;
use clap::Args;
use serde_json::json;

use super::super::failure::Outcome;
use super::super::templates::project_root;
use super::super::trust::is_flow_trusted;
use super::load::{self, FlowFiles};
use crate::catalog::CATALOG;
use crate::flow::Flow;
use crate::output::visible::{visible, visible_json};

/// List the flows that a change can follow: those that are compiled in, and those of this project.
#[derive(Debug, Args)]
pub(in super::super) struct List {
    /// Print JSON: an array with one object for each flow.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(in super::super) fn run(&self) -> Outcome {
        let root = project_root()?;
        let files = FlowFiles::of_project(&root)?;
        let project = files.compile();
        let mut flows: Vec<Row<'_>> = CATALOG
            .flows
            .iter()
            .map(|flow| Row { flow, from: "built in", is_trusted: true })
            .collect();
        for unit in &project.flows {
            let is_trusted = is_flow_trusted(&root, &files.guarded(&unit.flow.name))?;
            flows.push(Row { flow: &unit.flow, from: load::FOLDER, is_trusted });
        }
        let mut out = anstream::stdout().lock();
        if self.json {
            let rows: Vec<_> = flows.iter().map(json_of).collect();
            let text = serde_json::to_string_pretty(&rows).unwrap_or_default();
            writeln!(out, "{}", visible_json(&text))?;
        } else {
            let head = Style::new().bold();
            writeln!(
                out,
                "{head}{:<14} {:<13} {:<31} ABOUT{head:#}",
                "FLOW", "FROM", "GUARANTEES"
            )?;
            for Row { flow, from, .. } in &flows {
                let guarantees = guarantees(flow);
                let about = visible(&flow.about);
                writeln!(out, "{:<14} {from:<13} {guarantees:<31} {about}", flow.name)?;
            }
        }
        let untrusted: Vec<_> = flows.iter().filter(|row| !row.is_trusted).collect();
        if !untrusted.is_empty() {
            let names: Vec<_> =
                untrusted.iter().map(|row| format!("`{}`", row.flow.name)).collect();
            let names = names.join(", ");
            writeln!(anstream::stderr(), "not trusted yet: {names}; see `agentd trust --show`")?;
        }
        if !project.is_ok() {
            let folder = load::FOLDER;
            writeln!(
                anstream::stderr(),
                "some flows in `{folder}` are not right: run `agentd flows check`"
            )?;
        }
        Ok(())
    }
}

/// A flow in the list.
struct Row<'f> {
    flow: &'f Flow,
    from: &'static str,
    is_trusted: bool,
}

/// Lists what a flow guarantees, in one line.
pub(super) fn guarantees(flow: &Flow) -> String {
    let words: Vec<_> = flow.guarantees.iter().map(|guarantee| guarantee.word()).collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

fn json_of(Row { flow, from, is_trusted }: &Row<'_>) -> serde_json::Value {
    let guarantees: Vec<_> = flow.guarantees.iter().map(|guarantee| guarantee.word()).collect();
    json!({
        "name": flow.name, "from": from, "about": flow.about, "hash": flow.hash,
        "trusted": is_trusted,
        "guarantees": guarantees, "steps": flow.steps.iter().map(|step| &step.name).collect::<Vec<_>>(),
    })
}
