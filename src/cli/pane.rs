//! `agentd __pane`: the process between a terminal of a live session and an agent. Nobody types it.

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::failure::{Failure, Kind, Outcome};
use crate::files::own;
use crate::models::run::PaneOrder;
use crate::process;

/// The size limit of an order: an environment is no larger.
const LARGEST: u64 = 8 << 20;

/// Run an agent on this terminal, and leave no process behind.
#[derive(Debug, Args)]
#[command(hide = true)]
pub(super) struct Pane {
    /// The file that says what to run; it is removed.
    order: PathBuf,
}

impl Pane {
    pub(super) fn run(&self) -> Outcome {
        let bytes = own::read(&self.order, LARGEST)
            .and_then(|bytes| bytes.ok_or_else(|| io::ErrorKind::NotFound.into()))
            .map_err(|error| Failure::io("cannot read", &self.order, &error))?;
        // It holds the environment, which nobody else may read.
        own::clear(&self.order)
            .map_err(|error| Failure::io("cannot remove", &self.order, &error))?;
        let order: PaneOrder = serde_json::from_slice(&bytes)
            .map_err(|error| Failure::new(Kind::Bug, format!("the order is invalid: {error}")))?;
        let order = on_this_terminal(order);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime
            .block_on(process::attend(&order))
            .map_err(|error| Failure::new(Kind::Agent, error.to_string()))
    }
}

/// Only the terminal knows what kind it is.
fn on_this_terminal(mut order: PaneOrder) -> PaneOrder {
    let of_another =
        ["TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX", "TMUX_PANE", "COLUMNS", "LINES"];
    order.env.retain(|(name, _)| !of_another.iter().any(|other| name == other));
    order.env.extend(std::env::var_os("TERM").map(|term| ("TERM".into(), term)));
    order
}
