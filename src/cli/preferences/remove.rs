//! `agentd preferences remove`: what is no longer wanted.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::super::failure::Outcome;
use super::super::words;
use super::super::{print_json, tell};
use crate::prompt::preferences::{Approved, Which, remove};
use crate::template::Role;

/// Remove a preference of a role: its line is taken out of the file, and nothing else.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd preferences list --role coder        shows the numbers
  agentd preferences remove coder 2
  agentd preferences remove coder \"Keep regression tests\"")]
pub(in super::super) struct Remove {
    /// The role.
    #[arg(value_parser = words::role)]
    role: Role,
    /// Its number, or its words.
    #[arg(value_name = "NUMBER|TEXT", value_parser = which, allow_hyphen_values = true)]
    which: Which,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Remove {
    pub(super) fn run(&self, project: &Path) -> Outcome {
        let Approved { role, words, file, .. } = remove(project, self.role, &self.which)?;
        if self.json {
            let removed = json!({ "role": role.word(), "bullet": words, "file": file });
            return print_json(&json!({ "version": 1, "removed": removed }));
        }
        tell(&format!("{role}: {words}\n  removed from {file}\n"))
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the command line asks for a result")]
fn which(word: &str) -> Result<Which, std::convert::Infallible> {
    Ok(word.parse().map_or_else(|_| Which::Words(word.to_owned()), Which::Number))
}
