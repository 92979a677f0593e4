//! `agentd trust`, and the check that every command makes before it runs what a project's file says.

mod status;
mod store;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

use clap::Args;

use super::configuration;
use super::confirm;
use crate::cli::{Failure, Format, Kind, Outcome, print_json, print_text, report};
use crate::config::{Config, Guarded, PROJECT_FILE};
use status::TrustStatus;

pub(super) use store::trust as remember;

/// Let this project's agentd/config.toml and its own flows decide what is run.
///
/// A cloned project could make agentd run anything: its file may set commands, arguments, variables and permissions,
/// prices, and limits above yours, and its flows in agentd/flows decide what agents are asked and when a change is
/// done. None of this is used until you have seen it and agreed; when any of it changes, you are asked again. Settings
/// that only choose among your agents, lower a limit, or set time-outs and the like need no trust, nor do your own
/// settings: in ~/.config/agentd/config.toml, in variables or as options.
///
/// What you trust is kept as hashes in `$AGENTD_STATE`, or ~/.local/state/agentd. Trust covers the settings, not the
/// project's code: a trusted `cargo test` runs whatever the tests do.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd trust              shows what would be used, and asks
  agentd trust --show       only shows
  agentd trust --yes        for scripts
  agentd trust --revoke     removes the trust")]
pub(super) struct Trust {
    /// Only show what would be used.
    #[arg(long, conflicts_with_all = ["revoke", "yes"])]
    show: bool,
    /// Stop trusting this project.
    #[arg(long, conflicts_with = "yes")]
    revoke: bool,
    /// Do not ask.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    format: Format,
}

impl Trust {
    pub(super) fn run(&self) -> Outcome {
        let locations = configuration::locations()?;
        let root = &locations.root;
        if self.revoke {
            let known = store::revoke(root)?;
            if !self.format.json {
                return report(if known {
                    "it is no longer trusted\n"
                } else {
                    "it was not trusted\n"
                });
            }
        }
        let config = configuration::read(&locations, Vec::new())?;
        if !self.revoke {
            self.decide(TrustStatus::find(&config, root)?, root)?;
        }
        if self.format.json {
            print_json(TrustStatus::find(&config, root)?.object(root))?;
        }
        Ok(())
    }

    /// Shows what would be used, and trusts it unless `--show` is given.
    fn decide(&self, status: TrustStatus, root: &Path) -> Outcome {
        let is_trusted = status.is_trusted();
        if !self.format.json {
            // A person who is asked, or who asked for it, sees it in any case.
            let is_wanted = self.show || !(self.yes || is_trusted);
            let show = if is_wanted { print_text } else { report };
            show(&intro(&status))?;
        }
        if is_trusted || self.show {
            return Ok(());
        }
        if !self.yes {
            let help = "cannot ask: use a terminal, or `agentd trust --yes`";
            if !confirm::is_possible() {
                return Err(status.refusal().help(help));
            }
            if self.format.json {
                show_on_terminal(&status)?;
            }
            ask(&status)?;
        }
        remember(root, status.fingerprint)?;
        if self.format.json { Ok(()) } else { report("it is now trusted\n") }
    }
}

/// Returns the agents for which the project's file sets something that needs trust and has none.
pub(super) fn untrusted_agents(config: &Config, root: &Path) -> Outcome<BTreeSet<String>> {
    let status = TrustStatus::find(config, root)?;
    if status.is_trusted() {
        return Ok(BTreeSet::new());
    }
    let name = |key: &str| Some(key.strip_prefix("agents.")?.split('.').next()?.to_owned());
    Ok(status.guarded.settings().iter().filter_map(|setting| name(&setting.key)).collect())
}

/// Fails unless everything in the project's file that needs trust is trusted: on a terminal it asks. Every command that
/// runs an agent or another command of the project calls this first.
pub(super) fn ensure_trusted(config: &Config, root: &Path) -> Outcome {
    let status = TrustStatus::find(config, root)?;
    if status.is_trusted() {
        return Ok(());
    }
    if !confirm::is_possible() {
        return Err(status.refusal());
    }
    show_on_terminal(&status)?;
    ask(&status)?;
    remember(root, status.fingerprint)
}

/// Returns whether the user has trusted a flow of the project with its current content, whatever else of the project
/// has changed since.
pub(super) fn is_flow_trusted(root: &Path, flow: &Guarded) -> Outcome<bool> {
    if flow.is_empty() {
        return Ok(true);
    }
    let fingerprint = flow.fingerprint();
    Ok(store::trusted(root)?.iter().any(|trusted| fingerprint.is_within(trusted)))
}

fn ask(status: &TrustStatus) -> Outcome {
    if confirm::confirm("Trust this?")? {
        return Ok(());
    }
    let message = format!("{} not trusted", status.parts().are());
    Err(Failure::precondition(message, "nothing was run"))
}

fn show_on_terminal(status: &TrustStatus) -> Outcome {
    let unwritten =
        |error| Failure::new(Kind::Io, format!("cannot write to the terminal: {error}"));
    anstream::stderr().write_all(intro(status).as_bytes()).map_err(unwritten)
}

fn intro(status: &TrustStatus) -> String {
    if status.guarded.is_empty() {
        return format!("nothing in {PROJECT_FILE} needs your trust\n");
    }
    let state = if status.is_trusted() { "trusted" } else { "not trusted" };
    format!("{} what is run or spent ({state}):\n{}", status.parts().set(), status.shown())
}
