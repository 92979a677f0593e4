//! Chooses the agent of a phase: what somebody named stands, and a default that is not installed gives way to
//! another agent that is.

use thiserror::Error;

use super::error::ConfigError;
use super::source::{Layer, Origin};
use crate::models::agent::{AgentSettings, Protocol};
use crate::template::Phase;

/// The agents that can take the place of a default, the first ones first. The offline agent is not among them:
/// behind it there is no model, and nobody should take its answers for one's.
pub const CANDIDATES: [&str; 4] = ["claude", "codex", "gemini", "copilot"];

/// The agent that does a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen<'c> {
    /// The agent.
    pub agent: &'c AgentSettings,
    /// The default whose place it takes.
    pub instead_of: Option<&'c AgentSettings>,
}

impl Chosen<'_> {
    /// Says what a person should know of the choice, if anything.
    pub fn note(&self, phase: Phase) -> Option<String> {
        let preferred = self.instead_of?;
        Some(format!(
            "`{}` is not installed: `{}` does {} in its place (name one in `[phases]` to settle it)",
            preferred.name,
            self.agent.name,
            phase.word()
        ))
    }
}

/// Why no agent was chosen.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ChoiceError {
    /// The configuration names none.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// None is installed.
    #[error("no agent is installed: neither `{preferred}` nor any other")]
    NoneInstalled {
        /// The one that was wanted.
        preferred: String,
    },
}

/// Chooses an agent. Only a default gives way: to the first of the candidates that is installed.
pub fn choose<'c>(
    preferred: &'c AgentSettings,
    origin: &Origin,
    installed: impl Fn(&AgentSettings) -> bool,
    candidates: impl IntoIterator<Item = &'c AgentSettings>,
) -> Result<Chosen<'c>, ChoiceError> {
    if origin.layer() != Layer::Default || installed(preferred) {
        return Ok(Chosen { agent: preferred, instead_of: None });
    }
    let found = candidates
        .into_iter()
        .find(|candidate| candidate.protocol != Protocol::Offline && installed(candidate));
    match found {
        Some(agent) => Ok(Chosen { agent, instead_of: Some(preferred) }),
        None => Err(ChoiceError::NoneInstalled { preferred: preferred.name.clone() }),
    }
}
