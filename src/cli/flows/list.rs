//! `agentd flows list`: the available flows, their purpose and their guarantees.

use std::io::Write as _;

use clap::Args;
use serde_json::{Value, json};

use super::load::{self, FlowFiles};
use crate::catalog::CATALOG;
use crate::cli::templates::project_root;
use crate::cli::trust::is_flow_trusted;
use crate::cli::{Outcome, print_json};
use crate::flow::Flow;
use crate::output::escape_control::escape_control;
use crate::output::table::Table;

/// List the flows that a change can use: the compiled-in flows, and those of this project.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Print JSON: an array with one object per flow.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self) -> Outcome {
        let root = project_root()?;
        let files = FlowFiles::of_project(&root)?;
        let project = files.compile();
        let mut flows: Vec<_> = CATALOG
            .flows
            .iter()
            .map(|flow| Row { flow, from: "built in", is_trusted: true })
            .collect();
        for unit in &project.flows {
            let is_trusted = is_flow_trusted(&root, &files.guarded(&unit.flow.name))?;
            flows.push(Row { flow: &unit.flow, from: load::FOLDER, is_trusted });
        }
        if self.json {
            print_json(flows.iter().map(Row::object).collect())?;
        } else {
            let mut table = Table::new(["FLOW", "FROM", "GUARANTEES", "ABOUT"]);
            for Row { flow, from, .. } in &flows {
                let about = escape_control(&flow.about).into_owned();
                table.row([flow.name.to_string(), (*from).to_owned(), guarantees(flow), about]);
            }
            write!(anstream::stdout(), "{table}")?;
        }
        let names: Vec<_> = flows
            .iter()
            .filter(|row| !row.is_trusted)
            .map(|row| format!("`{}`", row.flow.name))
            .collect();
        let mut stderr = anstream::stderr();
        if !names.is_empty() {
            let names = names.join(", ");
            writeln!(stderr, "not trusted yet: {names}; see `agentd trust --show`")?;
        }
        if !project.is_ok() {
            let folder = load::FOLDER;
            writeln!(stderr, "some flows in `{folder}` have faults: run `agentd flows check`")?;
        }
        Ok(())
    }
}

/// One flow in the list.
struct Row<'f> {
    flow: &'f Flow,
    from: &'static str,
    is_trusted: bool,
}

impl Row<'_> {
    fn object(&self) -> Value {
        let Row { flow, from, is_trusted } = self;
        json!({
            "name": flow.name, "from": from, "about": flow.about, "hash": flow.hash,
            "trusted": is_trusted, "guarantees": guarantee_words(flow),
            "steps": flow.steps.iter().map(|step| &step.name).collect::<Vec<_>>(),
        })
    }
}

/// Lists the guarantees of a flow, on one line.
pub(super) fn guarantees(flow: &Flow) -> String {
    let words = guarantee_words(flow);
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

pub(super) fn guarantee_words(flow: &Flow) -> Vec<&'static str> {
    flow.guarantees.iter().map(|guarantee| guarantee.word()).collect()
}
