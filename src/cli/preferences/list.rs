//! `agentd preferences list`: the approved preferences.

use clap::Args;
use serde_json::{Value, json};

use super::project;
use crate::cli::value_parsers::role;
use crate::cli::{Format, Outcome};
use crate::prompt::preferences::{Approved, approved, pending};
use crate::template::Role;

/// List the approved preferences by role, and the files that contain them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd preferences list
  agentd preferences list --role coder
  agentd preferences list --json | jq -r '.preferences[].bullet'")]
pub(crate) struct List {
    /// List the preferences of one role.
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: Option<Role>,
    #[command(flatten)]
    format: Format,
}

impl List {
    pub(super) fn run(&self) -> Outcome {
        let project = &project()?;
        let roles = self.role.as_ref().map_or(Role::ALL, std::slice::from_ref);
        let all = approved(project, roles)?;
        let mut text = describe(&all);
        if all.is_empty() {
            text.push_str("no preference is approved: `agentd preferences add coder \"Keep regression tests\"` adds one\n");
        }
        // Also mention pending proposals, if they can be read.
        let waiting = pending(project).map_or(0, |proposals| proposals.len());
        if waiting > 0 {
            text.push_str(&format!(
                "{waiting} more pending: `agentd preferences pending` shows them\n"
            ));
        }
        let object = |Approved { role, number, words, file }: &Approved| json!({ "role": role.word(), "number": number, "bullet": words, "file": file });
        let objects: Value = all.iter().map(object).collect();
        self.format.print(json!({ "preferences": objects }), &text)
    }
}

fn describe(all: &[Approved]) -> String {
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
