//! `agentd flows list`: which flows there are, what they are for and what they guarantee.

use std::io::Write as _;

use anstyle::Style;
use clap::Args;
use serde_json::json;

use super::super::failure::Outcome;
use super::load;
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
        let project = load::of_project()?;
        let built_in = CATALOG.flows.iter().map(|flow| (*flow, "built in"));
        let own = project.flows.iter().map(|unit| (&unit.flow, load::FOLDER));
        let flows: Vec<(&Flow, &str)> = built_in.chain(own).collect();
        let mut out = anstream::stdout().lock();
        if self.json {
            let rows: Vec<_> = flows.iter().map(|(flow, from)| json_of(flow, from)).collect();
            let text = serde_json::to_string_pretty(&rows).unwrap_or_default();
            writeln!(out, "{}", visible_json(&text))?;
        } else {
            let head = Style::new().bold();
            writeln!(
                out,
                "{head}{:<14} {:<13} {:<31} ABOUT{head:#}",
                "FLOW", "FROM", "GUARANTEES"
            )?;
            for (flow, from) in &flows {
                let guarantees = guarantees(flow);
                let about = visible(&flow.about);
                writeln!(out, "{:<14} {from:<13} {guarantees:<31} {about}", flow.name)?;
            }
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

/// Lists what a flow guarantees, in one line.
pub(super) fn guarantees(flow: &Flow) -> String {
    let words: Vec<_> = flow.guarantees.iter().map(|guarantee| guarantee.word()).collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

fn json_of(flow: &Flow, from: &str) -> serde_json::Value {
    let guarantees: Vec<_> = flow.guarantees.iter().map(|guarantee| guarantee.word()).collect();
    json!({
        "name": flow.name, "from": from, "about": flow.about, "hash": flow.hash,
        "guarantees": guarantees, "steps": flow.steps.iter().map(|step| &step.name).collect::<Vec<_>>(),
    })
}
