//! Which template serves an agent that was typed.

use log::warn;

use super::failure::{Failure, Kind, Outcome};
use crate::catalog::SystemTemplate;
use crate::orchestrator::prompts::find_system_template;
use crate::template::Agent;
use crate::template::nearest::nearest;

/// Finds the template for an agent in a phase. An agent that has none of its own is told of what serves it, and one that was
/// misspelt of what was probably meant.
pub(super) fn served(agent: &str, phase: &str) -> Outcome<&'static SystemTemplate> {
    let template = find_system_template(agent, phase)?;
    if Agent::from_word(&agent.to_ascii_uppercase()).is_none() {
        if let Some(near) = nearest(agent, Agent::WORDS.iter().copied()) {
            let help = format!("did you mean `{}`?", near.to_ascii_lowercase());
            return Err(
                Failure::new(Kind::Usage, format!("there is no agent `{agent}`")).help(help)
            );
        }
        warn!("agent `{agent}` has no templates of its own: {} serves it", template.file);
    }
    Ok(template)
}
