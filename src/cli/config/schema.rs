//! `agentd config schema`: the schema of the configuration file for editors.

use std::io::Write as _;

use clap::Args;

use super::super::failure::Outcome;
use crate::config::json_schema;

/// Print the JSON schema of the configuration file.
///
/// An editor that knows TOML schemas completes keys with it and marks what is wrong.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd config schema > ~/.config/agentd/schema.json
  agentd config schema | jq '.properties | keys'

Editors with Taplo (Even Better TOML) read it from the first line of a file:
  #:schema /home/me/.config/agentd/schema.json")]
pub(in super::super) struct Schema {}

pub(super) fn print() -> Outcome {
    Ok(writeln!(std::io::stdout().lock(), "{:#}", json_schema())?)
}
