//! `agentd config show`: every setting in force and where it comes from.

use std::io::{self, Write as _};

use clap::Args;
use serde_json::{Value, json};

use crate::cli::configuration;
use crate::cli::redact_setting;
use crate::cli::{Outcome, print_json};
use crate::config::Listed;
use crate::output::escape_control::escape_control;

/// Print every setting in force, as TOML.
///
/// Secret values are hidden. If none were hidden, the output is a valid configuration file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd config show
  agentd config show --origin | grep phases
  agentd config show --json | jq '.settings[] | select(.layer == \"project\")'")]
pub(crate) struct Show {
    /// Show where each setting comes from.
    #[arg(long)]
    origin: bool,
    /// Print JSON, always with the origins.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(&self) -> Outcome {
        let locations = configuration::locations()?;
        let listing = configuration::read(&locations, Vec::new())?.listing();
        if self.json {
            let settings: Value = listing.iter().map(object).collect();
            return print_json(json!({ "version": 1, "settings": settings }));
        }
        let mut stdout = io::stdout().lock();
        for setting in &listing {
            let key = escape_control(&setting.key);
            let line = format!("{key} = {}", redact_setting::value(setting));
            if self.origin {
                let origin = setting.origin.to_string();
                writeln!(stdout, "{line:<44}  # {}", escape_control(&origin))?;
            } else {
                writeln!(stdout, "{line}")?;
            }
        }
        Ok(())
    }
}

fn object(setting: &Listed) -> Value {
    json!({
        "key": setting.key,
        "value": redact_setting::json(setting),
        "layer": setting.origin.layer().word(),
        "origin": setting.origin.to_string(),
    })
}
