//! `agentd config schema`: the schema of the configuration file for editors.

use clap::Args;

use crate::cli::{Outcome, print_json};
use crate::config::json_schema;

/// Print the JSON schema of the configuration file.
///
/// An editor that supports TOML schemas completes keys with it and marks errors.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd config schema > ~/.config/agentd/schema.json
  agentd config schema | jq '.properties | keys'

Editors with Taplo (Even Better TOML) read it from the first line of a file:
  #:schema /home/me/.config/agentd/schema.json")]
pub(crate) struct Schema {}

impl Schema {
    #[expect(clippy::unused_self, reason = "every command is run the same way")]
    pub(super) fn run(&self) -> Outcome {
        print_json(json_schema())
    }
}
