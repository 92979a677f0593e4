//! Why an agent gave no reply: the same few reasons for every CLI, with what it said itself.

use thiserror::Error;

/// Why an agent gave no reply.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AgentError {
    /// Its program is not there.
    #[error("`{program}` is not installed")]
    NotFound {
        /// The program.
        program: String,
    },
    /// Its program is there but cannot be run.
    #[error("`{program}` cannot be run: {reason}")]
    NotExecutable {
        /// The program.
        program: String,
        /// Why.
        reason: String,
    },
    /// It has no valid key or login.
    #[error("not logged in: {message}")]
    NotLoggedIn {
        /// What it said.
        message: String,
    },
    /// It has used up what it may use for now.
    #[error("rate limited: {message}")]
    RateLimited {
        /// What it said.
        message: String,
    },
    /// The model's server failed.
    #[error("the model's server failed: {message}")]
    Overloaded {
        /// What it said.
        message: String,
    },
    /// The model's server cannot be reached.
    #[error("the model's server cannot be reached: {message}")]
    Unreachable {
        /// What it said.
        message: String,
    },
    /// The prompt is larger than the agent takes.
    #[error("the prompt is too large: {message}")]
    PromptTooLarge {
        /// How large it is and may be, or what the agent said.
        message: String,
    },
    /// The model's server refused the request.
    #[error("the request was refused: {message}")]
    Refused {
        /// What it said.
        message: String,
    },
    /// The CLI was not allowed to work here at all.
    #[error("permission refused: {message}")]
    PermissionRefused {
        /// What it said.
        message: String,
    },
    /// The model's answer was cut off or made no sense to the CLI.
    #[error("the model's answer was broken: {message}")]
    BrokenAnswer {
        /// What it said.
        message: String,
    },
    /// What the program printed is not what this CLI prints.
    #[error("its output could not be parsed: {message}")]
    MalformedOutput {
        /// What is wrong with it.
        message: String,
    },
    /// It ended well but without the record that ends a run.
    #[error("its output ends without a final record")]
    NoFinalRecord,
    /// It ended well but said nothing.
    #[error("its answer is empty")]
    EmptyAnswer,
    /// Its answer is longer than is kept.
    #[error("its answer is longer than {limit} bytes")]
    AnswerTooLarge {
        /// How long it may be.
        limit: usize,
    },
    /// It failed in a way of its own.
    #[error("exit code {code}: {message}")]
    Failed {
        /// Its exit code.
        code: i32,
        /// What it said.
        message: String,
    },
    /// Its screen is gone.
    #[error("its screen closed before it submitted its work; the last line was: {shown}")]
    ScreenGone {
        /// What it showed last.
        shown: String,
    },
    /// It was ended by a signal.
    #[error("ended by signal {signal}")]
    Killed {
        /// The signal.
        signal: i32,
    },
    /// The configuration asks for something that this agent must not be given.
    #[error("{message}")]
    Misconfigured {
        /// What is wrong.
        message: String,
    },
}

impl AgentError {
    /// Returns whether the same request may well succeed a little later.
    pub const fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Overloaded { .. }
                | Self::Unreachable { .. }
                | Self::BrokenAnswer { .. }
        )
    }
}
