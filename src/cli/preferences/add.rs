//! `agentd preferences add`: a person says what they want.

use std::path::Path;

use clap::Args;

use super::super::Form;
use super::super::failure::{Failure, Kind, Outcome};
use super::super::words;
use super::told;
use crate::prompt::preferences::{PreferenceEntry, PreferenceError, apply_preference_entries};
use crate::template::Role;

/// Add a preference of your own to a role.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd preferences add coder \"Keep regression tests\"
  agentd preferences add reviewer \"Name the line of every finding\"")]
pub(in super::super) struct Add {
    /// The role that is to heed it.
    #[arg(value_parser = words::role)]
    role: Role,
    /// What it says: one line of at most 300 characters.
    #[arg(allow_hyphen_values = true)]
    text: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Add {
    pub(super) fn run(&self, project: &Path) -> Outcome {
        let entry =
            PreferenceEntry { target_role: self.role.to_string(), bullet: self.text.clone() };
        match apply_preference_entries(project, &[entry]) {
            Ok(applied) => told::applied(&applied, Form::of(self.json)),
            // There is but one entry, and whoever typed it need not be told which.
            Err(PreferenceError::Entries(faults)) => {
                let wrong: Vec<_> = faults.iter().map(|fault| fault.wrong.to_string()).collect();
                Err(Failure::new(Kind::Usage, wrong.join("\n")).help("nothing was written"))
            }
            Err(error) => Err(error.into()),
        }
    }
}
