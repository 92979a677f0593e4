//! `agentd __guard`: the process between agentd and an agent. `process::run` starts it; nobody types it.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::failure::{Failure, Kind, Outcome};
use crate::process::{self, Limits, Order};

/// Run an agent, end it when standard input closes, and leave no process behind.
#[derive(Debug, Args)]
#[command(hide = true)]
pub(super) struct Guard {
    /// The run's folder, which holds the prompt.
    run_folder: PathBuf,
    /// How long the agent may run.
    #[arg(long, value_name = "MS")]
    timeout_ms: u64,
    /// How long the agent may be silent.
    #[arg(long, value_name = "MS")]
    idle_ms: Option<u64>,
    /// How long the agent may take to end.
    #[arg(long, value_name = "MS")]
    grace_ms: u64,
    /// How many bytes the agent may print on each stream.
    #[arg(long, value_name = "BYTES")]
    largest_output: u64,
    /// Whether the folder holds a grant that the agent is confined to.
    #[arg(long)]
    confined: bool,
    /// The agent's program and its arguments.
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

impl Guard {
    pub(super) fn run(&self) -> Outcome {
        let Some((program, args)) = self.command.split_first() else {
            return Err(Failure::new(Kind::Usage, "there is no program to guard"));
        };
        let search_path = std::env::var_os("PATH");
        let order = Order {
            run_folder: &self.run_folder,
            program,
            args,
            search_path: search_path.as_deref(),
            limits: Limits {
                timeout: Duration::from_millis(self.timeout_ms),
                idle_timeout: self.idle_ms.map(Duration::from_millis),
                grace: Duration::from_millis(self.grace_ms),
                largest_output: self.largest_output,
            },
            is_confined: self.confined,
        };
        process::guard(&order, io::stdin().as_fd())
            .map_err(|error| Failure::new(Kind::Io, error.to_string()))
    }
}
