//! Which agent can do which step at all, and which can be one of a team, by how it is set up.

use crate::flow::Step;
use crate::models::agent::{AgentSettings, Delivers, Permissions};

/// Returns why an agent cannot do a step whose prompt is one document, if so.
pub fn unsupported_reason(agent: &AgentSettings, step: &Step) -> Option<&'static str> {
    if step.leaves.is_empty() && !step.writes_code() {
        return None;
    }
    match (agent.delivers, agent.permissions) {
        (Delivers::Nothing, _) => Some(
            "it delivers no files (`delivers` is not set), so it can only challenge and review",
        ),
        (Delivers::Text, _) if step.writes_code() => Some(
            "it delivers text, which is written into the change's folder and never into the code",
        ),
        (Delivers::Files, Permissions::Read) => {
            Some("its permissions are `read`, so it can only challenge and review")
        }
        (Delivers::Text, _) | (Delivers::Files, Permissions::Write | Permissions::Shell) => None,
    }
}

/// Returns why an agent cannot take any role of a team, if so: every role hands its work over in files.
pub const fn unsupported_as_role(agent: &AgentSettings) -> Option<&'static str> {
    match (agent.delivers, agent.permissions) {
        (Delivers::Nothing | Delivers::Text, _) => {
            Some("it writes no files itself, and every role of a team delivers files")
        }
        (Delivers::Files, Permissions::Read) => {
            Some("its permissions are `read`, and every role of a team delivers files")
        }
        (Delivers::Files, Permissions::Write | Permissions::Shell) => None,
    }
}
