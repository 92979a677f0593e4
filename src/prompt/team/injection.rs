//! How an agent gets to its prompt: it is told which file to read, never the text itself.

use std::path::Path;

use crate::models::agent::Protocol;

/// How the plans of a change are given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coders {
    /// A coder for each plan.
    OnePerPlan,
    /// One coder for all plans: `single_coder = true`.
    Single,
}

/// What makes Copilot's CLI spread the work over agents of its own.
const FLEET: &str = "/fleet";

/// Returns the message that makes an agent read its prompt.
///
/// ```
/// use std::path::Path;
/// use agentd::prompt::team::injection_message;
///
/// let message = injection_message(Path::new("/shop/agentd/changes/login/02_architecting/architect_prompt.md"));
/// assert!(message.starts_with("Read and follow the instructions in /shop/"));
/// ```
pub fn injection_message(prompt_file: &Path) -> String {
    format!("Read and follow the instructions in {}", prompt_file.display())
}

/// Lists what is sent to a coder, in order: the message, and before it what its CLI needs to split the work.
///
/// ```
/// use std::path::Path;
/// use agentd::models::agent::Protocol;
/// use agentd::prompt::team::{Coders, messages_to_send};
///
/// let messages = messages_to_send(Path::new("/c/coder_prompt.md"), &Protocol::Copilot, Coders::Single);
/// assert_eq!(messages, ["/fleet", "Read and follow the instructions in /c/coder_prompt.md"]);
/// ```
pub fn messages_to_send(prompt_file: &Path, coder: &Protocol, coders: Coders) -> Vec<String> {
    let prefix = match (coder, coders) {
        (Protocol::Copilot, Coders::Single) => Some(FLEET.to_owned()),
        (Protocol::Copilot, Coders::OnePerPlan)
        | (
            Protocol::Claude
            | Protocol::Gemini
            | Protocol::Codex
            | Protocol::Offline
            | Protocol::Described(_),
            Coders::Single | Coders::OnePerPlan,
        ) => None,
    };
    prefix.into_iter().chain([injection_message(prompt_file)]).collect()
}
