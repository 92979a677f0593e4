//! What is known of a system template, as data for other programs.

use serde::{Deserialize, Serialize};

use crate::catalog::SystemTemplate;
use crate::template::{Agent, Phase};

/// Describes a system template: whose it is, which phase it is for and which variables it uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemTemplateMetadata {
    /// The agent the template was written for.
    pub agent: Agent,
    /// The phase it was written for.
    pub phase: Phase,
    /// The variables found in it, in the order of their first use.
    pub variables: Vec<String>,
}

impl From<&SystemTemplate> for SystemTemplateMetadata {
    fn from(template: &SystemTemplate) -> Self {
        let variables =
            template.variables.iter().map(|variable| variable.word().to_owned()).collect();
        Self { agent: template.agent, phase: template.phase, variables }
    }
}
