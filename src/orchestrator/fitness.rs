//! Which agent can do which phase at all, and which can be one of a team, by how it is set up.

use crate::models::agent::{AgentSettings, Delivers, Permissions};
use crate::template::Phase;

/// Says why an agent cannot do a phase, if so.
pub const fn unfit(agent: &AgentSettings, phase: Phase) -> Option<&'static str> {
    match (agent.delivers, phase) {
        (_, Phase::Challenge | Phase::Review) | (Delivers::Text, Phase::Plan | Phase::Archive) => {
            None
        }
        (Delivers::Nothing, Phase::Plan | Phase::Implement | Phase::Archive) => {
            Some("it makes no files (`delivers` is not set), so it can only challenge and review")
        }
        (Delivers::Text, Phase::Implement) => Some(
            "it delivers text, which is written into the change's folder and never into the code",
        ),
        (Delivers::Files, Phase::Plan | Phase::Implement | Phase::Archive) => {
            match agent.permissions {
                Permissions::Read => {
                    Some("its permissions are `read`, so it can only challenge and review")
                }
                Permissions::Write | Permissions::Shell => None,
            }
        }
    }
}

/// Says why an agent cannot take any role of a team, if so: every role hands its work over in files.
pub const fn unfit_for_role(agent: &AgentSettings) -> Option<&'static str> {
    match (agent.delivers, agent.permissions) {
        (Delivers::Nothing | Delivers::Text, _) => {
            Some("it writes no files itself, and every role of a team hands over files")
        }
        (Delivers::Files, Permissions::Read) => {
            Some("its permissions are `read`, and every role of a team hands over files")
        }
        (Delivers::Files, Permissions::Write | Permissions::Shell) => None,
    }
}
