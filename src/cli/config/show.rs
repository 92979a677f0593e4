//! `agentd config show`: every setting in force and where it comes from.

use std::io::{self, Write as _};

use clap::Args;
use serde_json::json;

use super::super::configuration;
use super::super::failure::Outcome;
use super::super::hidden;
use crate::output::visible::visible;

/// Print every setting in force, as TOML.
///
/// Values of secrets are hidden. What is printed without any can be read as a configuration file again.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd config show
  agentd config show --origin | grep phases
  agentd config show --json | jq '.settings[] | select(.layer == \"project\")'")]
pub(in super::super) struct Show {
    /// Say where each setting comes from.
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
        let mut stdout = io::stdout().lock();
        if self.json {
            let settings: Vec<_> = listing
                .iter()
                .map(|setting| {
                    json!({
                        "key": setting.key,
                        "value": hidden::json(setting),
                        "layer": setting.origin.layer().word(),
                        "origin": setting.origin.to_string(),
                    })
                })
                .collect();
            writeln!(stdout, "{:#}", json!({ "version": 1, "settings": settings }))?;
            return Ok(());
        }
        for setting in &listing {
            let line = format!("{} = {}", visible(&setting.key), hidden::value(setting));
            if self.origin {
                let origin = setting.origin.to_string();
                writeln!(stdout, "{line:<44}  # {}", visible(&origin))?;
            } else {
                writeln!(stdout, "{line}")?;
            }
        }
        Ok(())
    }
}
