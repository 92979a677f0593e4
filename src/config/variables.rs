//! The variables of the environment that say something to the configuration.

use super::layers::Override;
use crate::template::{Phase, Role};

/// The agent of every phase and every role.
const EVERY_PHASE: &str = "AGENTD_AGENT";
/// Whether programs are confined.
const SANDBOX: &str = "AGENTD_SANDBOX";
/// What the variable of a single phase or role begins with: `AGENTD_AGENT_PLAN`.
const ONE_PHASE: &str = "AGENTD_AGENT_";

/// Takes what variables say of the configuration: `AGENTD_AGENT` for every phase and role, then `AGENTD_AGENT_PLAN`,
/// `AGENTD_AGENT_CODER` and so on for one, and `AGENTD_SANDBOX` for the mode of the sandbox. A variable that is set but empty says nothing.
pub fn overrides<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Override> {
    let mut every = Vec::new();
    let mut single = Vec::new();
    for (name, value) in variables {
        if value.is_empty() {
            continue;
        }
        if name == EVERY_PHASE {
            let of = |phase: &Phase| Override::variable(name, &["phases", phase.word()], value);
            every.extend(Phase::ALL.iter().map(of));
            let of = |role: &Role| Override::variable(name, &["roles", role.word()], value);
            every.extend(Role::ALL.iter().map(of));
        } else if let Some(phase) = name.strip_prefix(ONE_PHASE) {
            let key = phase.to_ascii_lowercase();
            let path = match Role::from_word(&key.replace('_', "-")) {
                Some(role) => ["roles", role.word()],
                None => ["phases", key.as_str()],
            };
            single.push(Override::variable(name, &path, value));
        } else if name == SANDBOX {
            single.push(Override::variable(name, &["sandbox", "mode"], value));
        }
    }
    every.extend(single);
    every
}
