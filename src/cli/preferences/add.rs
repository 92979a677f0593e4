//! `agentd preferences add`: a person adds a preference.

use clap::Args;

use super::{project, report_applied};
use crate::cli::value_parsers::role;
use crate::cli::{Failure, Format, Outcome};
use crate::prompt::preferences::{PreferenceEntry, PreferenceError, apply_preference_entries};
use crate::template::Role;

/// Add your own preference to a role.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd preferences add coder \"Keep regression tests\"
  agentd preferences add reviewer \"Name the line of every finding\"")]
pub(crate) struct Add {
    /// The role that must follow it.
    #[arg(value_parser = role)]
    role: Role,
    /// The preference: one line of at most 300 characters.
    #[arg(allow_hyphen_values = true)]
    text: String,
    #[command(flatten)]
    format: Format,
}

impl Add {
    pub(super) fn run(&self) -> Outcome {
        let project = &project()?;
        let entry =
            PreferenceEntry { target_role: self.role.to_string(), bullet: self.text.clone() };
        match apply_preference_entries(project, &[entry]) {
            Ok(applied) => report_applied(&applied, self.format),
            // There is only one entry, so naming it is not needed.
            Err(PreferenceError::Entries(faults)) => {
                let wrong: Vec<_> = faults.iter().map(|fault| fault.wrong.to_string()).collect();
                Err(Failure::usage(wrong.join("\n"), "nothing was written"))
            }
            Err(error) => Err(error.into()),
        }
    }
}
