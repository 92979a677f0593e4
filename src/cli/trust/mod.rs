//! `agentd trust`, and the check that every command makes before it runs what a project's file says.

mod standing;
mod store;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

use clap::Args;

use super::configuration;
use super::failure::{Failure, Kind, Outcome};
use super::{question, say, tell};
use crate::config::{Config, Guarded, PROJECT_FILE};
use standing::Standing;

pub(super) use store::trust as remember;

/// Let this project's agentd/config.toml and its own flows say what is run.
///
/// A project that you cloned could make agentd run anything: its file may set commands, arguments, variables and
/// permissions, prices, and limits above yours, and its flows in agentd/flows decide what agents are asked and when a change
/// is done. None of it is used until you have seen it and said yes; when any of it
/// changes, you are asked again. What only chooses among your agents, lowers a limit, or sets time-outs and the like,
/// needs no trust, nor does what you set yourself: in ~/.config/agentd/config.toml, in variables or with options.
///
/// What you trust is kept as hashes in `$AGENTD_STATE`, or ~/.local/state/agentd. Trust is in the settings, not in
/// the project's code: a trusted `cargo test` runs whatever the tests do.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd trust              shows what would be used, and asks
  agentd trust --show       only shows it
  agentd trust --yes        for scripts that know what they trust
  agentd trust --revoke     takes it back")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct Trust {
    /// Only show what would be used.
    #[arg(long, conflicts_with_all = ["revoke", "yes"])]
    show: bool,
    /// Trust this project no longer.
    #[arg(long, conflicts_with = "yes")]
    revoke: bool,
    /// Do not ask.
    #[arg(short, long)]
    yes: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Trust {
    pub(super) fn run(&self) -> Outcome {
        let locations = configuration::locations()?;
        let root = &locations.root;
        if self.revoke {
            let known = store::revoke(root)?;
            return if self.json {
                report(&configuration::read(&locations, Vec::new())?, root)
            } else {
                tell(if known { "it is no longer trusted\n" } else { "it was not trusted\n" })
            };
        }
        let config = configuration::read(&locations, Vec::new())?;
        let standing = Standing::of(&config, root)?;
        if !self.json {
            // Whoever is asked, or has asked for it, sees it in any case.
            let is_wanted = self.show || !(self.yes || standing.is_trusted());
            let told = intro(&standing);
            if is_wanted { say(&told)? } else { tell(&told)? }
        }
        if !standing.is_trusted() && !self.show {
            if !self.yes {
                self.ask(&standing)?;
            }
            remember(root, standing.fingerprint)?;
            if !self.json {
                tell("it is trusted now\n")?;
            }
        }
        if self.json { report(&config, root) } else { Ok(()) }
    }

    fn ask(&self, standing: &Standing) -> Outcome {
        if !question::is_possible() {
            return Err(standing
                .refusal()
                .help("nobody can be asked here: use a terminal, or say `agentd trust --yes`"));
        }
        if self.json {
            show_on_terminal(standing)?;
        }
        agree(standing)
    }
}

fn report(config: &Config, root: &Path) -> Outcome {
    let report = Standing::of(config, root)?.report(root);
    Ok(writeln!(std::io::stdout().lock(), "{report:#}")?)
}

/// Lists the agents of which the project's file says something that needs trust and has none.
pub(super) fn untrusted_agents(config: &Config, root: &Path) -> Outcome<BTreeSet<String>> {
    let standing = Standing::of(config, root)?;
    if standing.is_trusted() {
        return Ok(BTreeSet::new());
    }
    let name = |key: &str| Some(key.strip_prefix("agents.")?.split('.').next()?.to_owned());
    Ok(standing.guarded.settings().iter().filter_map(|setting| name(&setting.key)).collect())
}

/// Makes sure that what the project's file says has been trusted, as far as it needs to be: on a terminal it asks, elsewhere
/// it is an error. Every command that runs an agent or another of the project's commands calls this first.
pub(super) fn ensure_trusted(config: &Config, root: &Path) -> Outcome {
    let standing = Standing::of(config, root)?;
    if standing.is_trusted() {
        return Ok(());
    }
    if !question::is_possible() {
        return Err(standing.refusal());
    }
    show_on_terminal(&standing)?;
    agree(&standing)?;
    remember(root, standing.fingerprint)
}

/// Returns whether the user has trusted a flow of the project as it was found, whatever else of the project has changed since.
pub(super) fn is_flow_trusted(root: &Path, flow: &Guarded) -> Outcome<bool> {
    if flow.is_empty() {
        return Ok(true);
    }
    let fingerprint = flow.fingerprint();
    Ok(store::trusted(root)?.iter().any(|trusted| fingerprint.is_within(trusted)))
}

fn agree(standing: &Standing) -> Outcome {
    if question::confirm("Trust this?")? {
        return Ok(());
    }
    let message = format!("{} not trusted", standing.parts().are());
    Err(Failure::new(Kind::Precondition, message).help("nothing was run"))
}

fn intro(standing: &Standing) -> String {
    if standing.guarded.is_empty() {
        return format!("nothing in {PROJECT_FILE} needs your trust\n");
    }
    let state = if standing.is_trusted() { "trusted" } else { "not trusted" };
    format!("{} what is run or spent ({state}):\n{}", standing.parts().set(), standing.shown())
}

fn show_on_terminal(standing: &Standing) -> Outcome {
    let text = intro(standing);
    anstream::stderr()
        .lock()
        .write_all(text.as_bytes())
        .map_err(|error| Failure::new(Kind::Io, format!("cannot write to the terminal: {error}")))
}
