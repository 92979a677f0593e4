//! Where the system prompt of a step comes from: a template that is compiled in, or one of a project's own flow. Both are
//! rendered by the same rules.

use std::borrow::Cow;

use super::missing;
use crate::catalog::{CATALOG, SystemTemplate};
use crate::template::{Agent, OnMissing, OwnTemplate, Phase, RenderError, Values, Variable};

/// The template of a system prompt.
#[derive(Clone, Copy, Debug)]
pub enum SystemPromptSource<'t> {
    /// It is compiled in, for a phase.
    BuiltIn(&'static SystemTemplate),
    /// A flow of the project brings it along, for a step.
    Own(&'t OwnTemplate),
}

impl From<&'static SystemTemplate> for SystemPromptSource<'_> {
    fn from(template: &'static SystemTemplate) -> Self {
        Self::BuiltIn(template)
    }
}

impl<'t> From<&'t OwnTemplate> for SystemPromptSource<'t> {
    fn from(template: &'t OwnTemplate) -> Self {
        Self::Own(template)
    }
}

impl<'t> SystemPromptSource<'t> {
    /// Returns the agents that the template was written for.
    pub const fn agent(self) -> Agent {
        match self {
            Self::BuiltIn(template) => template.agent,
            Self::Own(template) => template.agent,
        }
    }

    /// Returns the phase or the step that the template was written for.
    pub fn step(self) -> &'t str {
        match self {
            Self::BuiltIn(template) => template.phase.word(),
            Self::Own(template) => &template.step,
        }
    }

    /// Returns the phase that the template was written for; one of a flow's own is for none.
    pub const fn phase(self) -> Option<Phase> {
        match self {
            Self::BuiltIn(template) => Some(template.phase),
            Self::Own(_) => None,
        }
    }

    /// Returns the template's file, as it is shown.
    pub fn file(self) -> &'t str {
        match self {
            Self::BuiltIn(template) => template.file,
            Self::Own(template) => &template.file,
        }
    }

    /// Returns the hash of the template's text.
    pub fn hash(self) -> &'t str {
        match self {
            Self::BuiltIn(template) => template.hash,
            Self::Own(template) => &template.hash,
        }
    }

    /// Returns the template's text with every shared fragment in place.
    pub fn text(self) -> &'t str {
        match self {
            Self::BuiltIn(template) => template.text,
            Self::Own(template) => &template.text,
        }
    }

    /// Lists the variables that the template uses, in the order of their first use.
    pub fn variables(self) -> Cow<'t, [Variable]> {
        match self {
            Self::BuiltIn(template) => Cow::Borrowed(template.variables),
            Self::Own(template) => Cow::Owned(template.variables()),
        }
    }

    /// Renders the prompt. A variable without a value becomes a note to the agent, and a warning is logged; where `on_missing`
    /// refuses, it is an error that names the template.
    pub fn render(self, values: &Values<'_>, on_missing: OnMissing) -> Result<String, RenderError> {
        let variables = self.variables();
        let missing = || variables.iter().filter(|variable| values.get(**variable).is_none());
        match (on_missing, missing().next()) {
            (OnMissing::Refuse, Some(variable)) => {
                let (template, name) = (self.file().to_owned(), variable.word().to_owned());
                return Err(RenderError::MissingValue { template, name });
            }
            (OnMissing::Note | OnMissing::Empty, _) | (OnMissing::Refuse, None) => {}
        }
        missing().for_each(|variable| missing::warn_of(variable.word()));
        Ok(match self {
            Self::BuiltIn(template) => template.render(values),
            Self::Own(template) => template.render(values, CATALOG.tags),
        })
    }
}
