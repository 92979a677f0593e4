//! What happens while a phase runs, for those who watch: events, and a word before work is repeated.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::agents::{AgentError, Progress};
use super::prompts::inputs::LeftOut;
use crate::models::marker::MarkerError;

/// Something that happens while a phase runs.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// An agent is started.
    Started {
        /// The agent.
        agent: &'a str,
        /// The model that was asked for, if one was.
        model: Option<&'a str>,
        /// The run's folder.
        run: &'a Path,
        /// The size of the prompt.
        prompt_bytes: usize,
    },
    /// An earlier run has left an answer, which is used.
    LeftOver {
        /// The run's folder.
        run: &'a Path,
    },
    /// Something was left out of the prompt, which would be too large for the agent.
    LeftOut {
        /// What.
        left: &'a LeftOut,
    },
    /// The agent shows a sign of life.
    Progress(&'a Progress),
    /// The agent failed for a passing reason and is asked again after a while.
    Repeated {
        /// Why it failed.
        error: &'a AgentError,
        /// How long it is waited.
        after: Duration,
    },
    /// The agent's screen stands still, and what it waits for may be a person.
    StandsStill {
        /// The name of its window.
        window: &'a str,
        /// The command with which one looks at it.
        attach: &'a str,
    },
    /// The answer gives no clear verdict or no clear statuses, and the agent is asked for them.
    AskedAgain {
        /// What is not clear.
        unclear: &'a MarkerError,
    },
    /// The agent wanted to use tools and was not allowed to.
    Denied {
        /// The tools.
        tools: &'a [String],
    },
}

/// Watches a phase.
pub trait Watch: Send + Sync {
    /// Takes notice of an event.
    fn event(&self, event: &Event<'_>);

    /// Sets the workspace back to what it was before the run, whose folder may keep what would be lost.
    fn before_repeat(&self, run: &Path) -> io::Result<()>;
}

/// Watches nothing, and leaves the workspace as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn event(&self, _: &Event<'_>) {}

    fn before_repeat(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}
