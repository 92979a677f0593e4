//! `agentd preferences remove`: removes a preference.

use clap::Args;
use serde_json::json;

use super::project;
use crate::cli::value_parsers::role;
use crate::cli::{Format, Outcome};
use crate::prompt::preferences::{Approved, Which, remove};
use crate::template::Role;

/// Remove a preference of a role: only its line is removed from the file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd preferences list --role coder        shows the numbers
  agentd preferences remove coder 2
  agentd preferences remove coder \"Keep regression tests\"")]
pub(crate) struct Remove {
    /// The role.
    #[arg(value_parser = role)]
    role: Role,
    /// Its number, or its text.
    #[arg(value_name = "NUMBER|TEXT", value_parser = which, allow_hyphen_values = true)]
    which: Which,
    #[command(flatten)]
    format: Format,
}

impl Remove {
    pub(super) fn run(&self) -> Outcome {
        let project = &project()?;
        let Approved { role, words, file, .. } = remove(project, self.role, &self.which)?;
        let removed = json!({ "role": role.word(), "bullet": words, "file": file });
        let text = format!("{role}: {words}\n  removed from {file}\n");
        self.format.report(json!({ "removed": removed }), &text)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the command line asks for a result")]
fn which(word: &str) -> Result<Which, std::convert::Infallible> {
    Ok(word.parse().map_or_else(|_| Which::Words(word.to_owned()), Which::Number))
}
