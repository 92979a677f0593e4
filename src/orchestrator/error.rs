//! Why a phase could not be run to its end.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::agents::AgentError;
use super::answer_files::DeliveryError;
use super::live::LiveError;
use super::prompts::materials::MaterialError;
use crate::models::envelope::EnvelopeError;
use crate::models::marker::MarkerError;
use crate::process::ProcessError;
use crate::prompt::PromptError;

/// Why a phase could not be run to its end. Where a run's folder is named, all that the agent said is in it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// What the prompt is made of cannot be had.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The prompt cannot be put together.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The prompt's document is wrong.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// The agent cannot do this step.
    #[error("agent `{agent}` cannot be used in `{step}`: {reason}")]
    Unfit {
        /// The agent.
        agent: String,
        /// The step.
        step: String,
        /// Why.
        reason: &'static str,
    },
    /// A step of a project's flow has no template any more.
    #[error("there is no template for `{step}`: neither the agent's own nor BASE")]
    NoTemplate {
        /// The step.
        step: String,
    },
    /// The agent gave no reply.
    #[error("agent `{agent}`: {error}")]
    Agent {
        /// The agent.
        agent: String,
        /// Why.
        error: AgentError,
        /// The run's folder, if it came to a run.
        run: Option<PathBuf>,
    },
    /// The agent's screen cannot be used.
    #[error(transparent)]
    Live(LiveError),
    /// The agent's screen takes no text.
    #[error(
        "agent `{agent}` does not accept input in its window `{window}`: it may be asking something"
    )]
    NotTaken {
        /// The agent.
        agent: String,
        /// The name of its window.
        window: String,
        /// The command with which one looks at it.
        attach: String,
        /// The run's folder.
        run: PathBuf,
    },
    /// The agent took too long, and was ended.
    #[error("agent `{agent}` took longer than {} s, and was ended", limit.as_secs_f64())]
    TimedOut {
        /// The agent.
        agent: String,
        /// How long it was given.
        limit: Duration,
        /// The run's folder.
        run: PathBuf,
    },
    /// The agent was silent for too long, and was ended.
    #[error("agent `{agent}` was silent for {} s, and was ended", limit.as_secs_f64())]
    Idle {
        /// The agent.
        agent: String,
        /// How long it was allowed to be silent.
        limit: Duration,
        /// The run's folder.
        run: PathBuf,
    },
    /// The agent printed too much, and was ended.
    #[error("agent `{agent}` printed too much, and was ended")]
    TooMuchOutput {
        /// The agent.
        agent: String,
        /// The run's folder.
        run: PathBuf,
    },
    /// The change has cost what it may cost, and no further call is begun.
    #[error("change has used {spent}, and {limit} is the limit")]
    OverBudget {
        /// What it has used.
        spent: String,
        /// What it may use.
        limit: String,
    },
    /// agentd was interrupted, and the agent was ended.
    #[error("interrupted: agent `{agent}` was ended")]
    Cancelled {
        /// The agent.
        agent: String,
        /// The run's folder.
        run: PathBuf,
    },
    /// The answer holds no usable verdict or status.
    #[error("agent `{agent}`: {error}")]
    Marker {
        /// The agent.
        agent: String,
        /// What is wrong.
        error: MarkerError,
        /// The run's folder.
        run: PathBuf,
    },
    /// The files in the answer cannot be used.
    #[error("agent `{agent}`: {error}")]
    Delivery {
        /// The agent.
        agent: String,
        /// What is wrong.
        error: DeliveryError,
        /// The run's folder.
        run: PathBuf,
    },
    /// A file of the run cannot be written or read.
    #[error("cannot {what} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The agent's process cannot be supervised.
    #[error(transparent)]
    Process(#[from] ProcessError),
}
