//! Runs a program to read what it prints about itself: under the guard, for a short time, in a temporary folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::files::own;
use crate::models::run::{End, Invocation};
use crate::process::{self, Cancel, Limits, Supervision};

/// How long a program may take to end after the signal to end.
const GRACE: Duration = Duration::from_secs(1);
/// How much a program may print.
const LARGEST_OUTPUT: u64 = 1 << 20;
/// How much of the output is read.
const READ: u64 = 64 << 10;

/// Runs programs, each for a short time.
#[derive(Clone)]
pub(super) struct Prober {
    pub(super) guard: PathBuf,
    pub(super) workspace: PathBuf,
    pub(super) wait: Duration,
    pub(super) cancel: Cancel,
}

/// The result of running a program.
pub(super) struct Shown {
    pub(super) end: End,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Shown {
    /// Returns whether it succeeded.
    pub(super) fn is_well(&self) -> bool {
        self.end == End::Exited { code: 0 }
    }

    /// Returns the first line that it printed on standard error, else on standard output.
    pub(super) fn first_line(&self) -> &str {
        let mut lines = self.stderr.lines().chain(self.stdout.lines()).map(str::trim);
        lines.find(|line| !line.is_empty()).unwrap_or_default()
    }
}

impl Prober {
    /// Runs the command that `invocation` builds for a run's folder; an error is one of the guard.
    pub(super) async fn run(
        &self,
        invocation: impl FnOnce(&Path) -> Invocation,
    ) -> Result<Shown, String> {
        let folder = own::scratch().map_err(|error| format!("no temporary folder: {error}"))?;
        let invocation = invocation(folder.path());
        let supervision = Supervision {
            guard: &self.guard,
            workspace: &self.workspace,
            run_folder: folder.path(),
            limits: Limits {
                timeout: self.wait,
                idle_timeout: None,
                grace: GRACE,
                largest_output: LARGEST_OUTPUT,
            },
            grant: None,
            cancel: self.cancel.clone(),
        };
        let run = process::run(&invocation, &supervision, &mut |_| {}).await;
        let end = run.map_err(|error| error.to_string())?.end;
        let text = |name| process::tail(&folder.path().join(name), READ).unwrap_or_default();
        Ok(Shown { end, stdout: text("stdout"), stderr: text("stderr") })
    }
}
