//! Finds the template for an agent named on the command line.

use log::warn;

use crate::catalog::SystemTemplate;
use crate::cli::{Failure, Outcome};
use crate::orchestrator::prompts::find_system_template;
use crate::template::Agent;
use crate::template::nearest::nearest;

/// Finds the template for an agent in a phase. Warns if the agent has no templates of its own, and refuses a name that
/// is probably misspelt.
pub(super) fn served(agent: &str, phase: &str) -> Outcome<&'static SystemTemplate> {
    let template = find_system_template(agent, phase)?;
    if Agent::from_word(&agent.to_ascii_uppercase()).is_none() {
        if let Some(near) = nearest(agent, Agent::WORDS.iter().copied()) {
            let help = format!("did you mean `{}`?", near.to_ascii_lowercase());
            return Err(Failure::usage(format!("there is no agent `{agent}`"), help));
        }
        warn!("agent `{agent}` has no templates of its own: it uses those of {}", template.file);
    }
    Ok(template)
}
