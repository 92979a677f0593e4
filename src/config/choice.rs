//! Chooses the agent of a phase or a role: whom somebody named stands, and a default gives way to an agent that is installed
//! and, for a judge, of another vendor than the author.

use std::fmt;

use thiserror::Error;

use super::error::ConfigError;
use super::source::{Layer, Origin};
use crate::models::agent::{AgentSettings, Protocol};

/// The agents that can take the place of a default, the first ones first. The offline agent is not among them:
/// behind it there is no model, and nobody should take its answers for one's.
pub const CANDIDATES: [&str; 4] = ["claude", "codex", "copilot", "gemini"];

/// An agent, and why it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen<'c> {
    /// The agent.
    pub agent: &'c AgentSettings,
    /// Why it was chosen.
    pub reason: Reason,
}

/// Why an agent was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is the default, or somebody named it here.
    Said(Origin),
    /// The option `--agent` names it for a step of this flow.
    Typed,
    /// The default is not installed.
    InPlaceOf(String),
    /// The default is of the author's vendor.
    OtherVendorThan(String),
}

/// Shows `from default`, `from agentd/config.toml`, `from --agent`, or why the default gave way.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(Origin::Given(place)) => match place.source.layer {
                Layer::User => f.write_str("from your configuration"),
                Layer::Default | Layer::Project | Layer::Environment | Layer::Flag => {
                    write!(f, "from {}", place.source.name)
                }
            },
            Self::Said(Origin::Default) => f.write_str("from default"),
            Self::Typed => f.write_str("from --agent"),
            Self::InPlaceOf(absent) => write!(f, "`{absent}` is not installed"),
            Self::OtherVendorThan(author) => write!(f, "from another vendor than `{author}`"),
        }
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

/// Chooses an agent. Only a default gives way: to the first of the candidates that is installed, for a judge to the first
/// that is of another vendor than the author.
pub fn choose<'c>(
    preferred: &'c AgentSettings,
    origin: Origin,
    author: Option<&AgentSettings>,
    installed: impl Fn(&AgentSettings) -> bool,
    candidates: impl IntoIterator<Item = &'c AgentSettings>,
) -> Result<Chosen<'c>, ChoiceError> {
    if origin.layer() != Layer::Default {
        return Ok(Chosen { agent: preferred, reason: Reason::Said(origin) });
    }
    let others = candidates.into_iter().filter(|it| it.protocol != Protocol::Offline);
    let mut found: Vec<_> = [preferred].into_iter().chain(others).collect();
    found.retain(|candidate| installed(candidate));
    let is_other = |it: &&&AgentSettings| author.is_none_or(|author| !author.shares_vendor(it));
    let agent = found.iter().find(is_other).or_else(|| found.first()).copied();
    let agent =
        agent.ok_or_else(|| ChoiceError::NoneInstalled { preferred: preferred.name.clone() })?;
    let reason = match author {
        _ if agent.name == preferred.name => Reason::Said(origin),
        Some(author) if found.first() == Some(&preferred) => {
            Reason::OtherVendorThan(author.name.clone())
        }
        _ => Reason::InPlaceOf(preferred.name.clone()),
    };
    Ok(Chosen { agent, reason })
}
