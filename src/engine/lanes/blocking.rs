//! Git takes its time: it runs on a thread of its own, so that agents beside it are followed meanwhile.

use std::panic::resume_unwind;

use tokio::task::spawn_blocking;

use crate::engine::error::EngineError;
use crate::engine::git::GitError;

/// Does something with git on a thread of its own. It is done to its end even if nobody waits for it any more.
pub(super) async fn with_git<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, GitError> + Send + 'static,
) -> Result<T, EngineError> {
    match spawn_blocking(work).await {
        Ok(result) => Ok(result?),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // It was never begun, since the runtime is being shut down.
            Err(_) => Err(EngineError::Interrupted),
        },
    }
}
