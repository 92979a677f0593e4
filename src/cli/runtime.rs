//! The runtime for agent calls: one thread, with signals that cancel instead of killing.

use std::future::Future;

use crate::cli::{Failure, Kind, Outcome};
use crate::process::{self, Cancel};

/// Runs a task to its end. SIGINT, SIGTERM and SIGHUP cancel it; the task then ends with nothing left running, and the
/// exit code names the signal.
pub(super) fn block_on<F>(task: impl FnOnce(Cancel) -> F) -> Outcome
where
    F: Future<Output = Outcome>,
{
    let unusable = |error| Failure::new(Kind::Bug, format!("cannot start the runtime: {error}"));
    process::listen().map_err(unusable)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(unusable)?.block_on(task(process::interruption()))
}
