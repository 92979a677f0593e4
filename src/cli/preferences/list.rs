//! `agentd preferences list`: what is approved.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::super::failure::Outcome;
use super::super::words;
use super::super::{print_json, say};
use crate::prompt::preferences::{Approved, approved, pending};
use crate::template::Role;

/// List what is approved, role by role, and the files it stands in.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd preferences list
  agentd preferences list --role coder
  agentd preferences list --json | jq -r '.preferences[].bullet'")]
pub(in super::super) struct List {
    /// List those of one role.
    #[arg(long, value_name = "ROLE", value_parser = words::role)]
    role: Option<Role>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self, project: &Path) -> Outcome {
        let roles = self.role.as_ref().map_or(Role::ALL, std::slice::from_ref);
        let all = approved(project, roles)?;
        if self.json {
            let all: Vec<_> = all.iter().map(json).collect();
            return print_json(&json!({ "version": 1, "preferences": all }));
        }
        let mut text = told(&all);
        if all.is_empty() {
            text.push_str("no preference is approved: `agentd preferences add coder \"Keep regression tests\"` adds one\n");
        }
        // Whoever looks at what holds should know that there is more to decide on, if that can be read.
        let waiting = pending(project).map_or(0, |proposals| proposals.len());
        if waiting > 0 {
            text.push_str(&format!(
                "{waiting} more pending: `agentd preferences pending` shows them\n"
            ));
        }
        say(&text)
    }
}

fn told(all: &[Approved]) -> String {
    let mut text = String::new();
    let mut above = None;
    for Approved { role, number, words, file } in all {
        if above != Some((role, file)) {
            text.push_str(&format!("{role} ({file})\n"));
            above = Some((role, file));
        }
        text.push_str(&format!("  {number}. {words}\n"));
    }
    text
}

fn json(Approved { role, number, words, file }: &Approved) -> serde_json::Value {
    json!({ "role": role.word(), "number": number, "bullet": words, "file": file })
}
