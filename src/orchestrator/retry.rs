//! Calls that failed for a reason that may pass, a limit on requests say, are repeated after a pause.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::agents::Reply;
use super::call::Call;
use super::caller::Orchestrator;
use super::error::RunError;
use super::watch::Event;

/// How much longer each pause is than the one before.
const LONGER: u32 = 4;

impl Orchestrator {
    /// Asks, and asks again after a pause when the reason for a failure may pass.
    pub(super) async fn call_patiently(
        &self,
        call: &Call<'_>,
        sent: &str,
    ) -> Result<(Reply, PathBuf), RunError> {
        if let Some(left) = call.left_over()? {
            return Ok(left);
        }
        let mut pause = self.first_pause;
        for _ in 0..self.agent.retries {
            match call.once(sent).await {
                Err(RunError::Agent { error, run: Some(run), .. }) if error.is_passing() => {
                    // Nobody waits for a call that is refused then.
                    self.budget.check()?;
                    self.watch.event(&Event::Repeated { error: &error, after: pause });
                    self.pause(pause, &run).await?;
                    self.restore(&run)?;
                    pause *= LONGER;
                }
                result => return result,
            }
        }
        call.once(sent).await
    }

    async fn pause(&self, pause: Duration, run: &Path) -> Result<(), RunError> {
        if self.cancel.sleep(pause).await {
            return Ok(());
        }
        Err(RunError::Cancelled { agent: self.agent.name.clone(), run: run.to_owned() })
    }

    pub(super) fn restore(&self, run: &Path) -> Result<(), RunError> {
        let io = |source| RunError::Io {
            what: "restore the workspace from",
            path: run.to_owned(),
            source,
        };
        self.watch.before_repeat(run).map_err(io)
    }
}
