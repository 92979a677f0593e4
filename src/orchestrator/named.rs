//! Orchestrators for the three agents that have templates of their own, as they are set up by default.

use std::ops::Deref;

use super::caller::{Orchestrator, Place};
use crate::models::agent::{AgentSettings, Protocol};

/// Defines an orchestrator for one agent.
macro_rules! named {
    ($(#[$meta:meta])* $name:ident, $agent:literal, $protocol:expr) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name(Orchestrator);

        impl $name {
            /// Runs phases with the agent as it is set up by default.
            pub fn new(place: Place) -> Self {
                Self(Orchestrator::new(AgentSettings::new($agent, $protocol), place))
            }

            /// Runs phases with the agent as it is set up here.
            pub fn with_settings(settings: AgentSettings, place: Place) -> Self {
                let protocol = $protocol;
                Self(Orchestrator::new(AgentSettings { protocol, ..settings }, place))
            }
        }

        impl Deref for $name {
            type Target = Orchestrator;

            fn deref(&self) -> &Orchestrator {
                &self.0
            }
        }
    };
}

named!(
    /// Runs phases with Gemini CLI.
    GeminiOrchestrator,
    "gemini",
    Protocol::Gemini
);
named!(
    /// Runs phases with Claude Code.
    ClaudeOrchestrator,
    "claude",
    Protocol::Claude
);
named!(
    /// Runs phases with Codex CLI.
    CodexOrchestrator,
    "codex",
    Protocol::Codex
);
