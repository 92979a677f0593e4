//! The compiled templates: what `build.rs` generated, and the types it is made of.

use crate::template::{Agent, Node, OnMissing, Phase, RenderError, Values, Variable};

#[doc(hidden)]
pub use phf;

include!(concat!(env!("OUT_DIR"), "/catalog.rs"));

/// A set of compiled templates.
#[derive(Debug)]
pub struct Catalog {
    /// A hash of the whole set.
    pub hash: &'static str,
    /// Every template, by file name.
    pub templates: &'static [&'static SystemTemplate],
    /// The template that serves each agent in each phase.
    #[doc(hidden)]
    pub by_type: [[&'static SystemTemplate; Phase::ALL.len()]; Agent::ALL.len()],
    /// The same by names, for names that come from outside.
    #[doc(hidden)]
    pub by_name: &'static phf::Map<(&'static str, &'static str), &'static SystemTemplate>,
}

impl Catalog {
    /// Gives the template that serves an agent in a phase. This cannot fail: the build did not pass
    /// without it.
    ///
    /// ```
    /// use agentd::{Agent, Phase, catalog::CATALOG};
    ///
    /// assert_eq!(CATALOG.system(Agent::Claude, Phase::Implement).file, "CLAUDE-implement.md");
    /// assert_eq!(CATALOG.system(Agent::Gemini, Phase::Archive).file, "BASE-archive.md");
    /// ```
    pub fn system(&self, agent: Agent, phase: Phase) -> &'static SystemTemplate {
        self.by_type[agent as usize][phase as usize]
    }

    /// Finds the template that serves an agent in a phase by their exact names.
    pub fn find(&self, agent: &str, phase: &str) -> Option<&'static SystemTemplate> {
        self.by_name.get(&(agent, phase)).copied()
    }
}

/// A compiled system template.
#[derive(Debug)]
pub struct SystemTemplate {
    /// The agent it was written for.
    pub agent: Agent,
    /// The phase it was written for.
    pub phase: Phase,
    /// Its file name.
    pub file: &'static str,
    /// A hash of its text.
    pub hash: &'static str,
    /// The variables it uses, in the order of their first use.
    pub variables: &'static [Variable],
    /// Its source with every shared fragment in place.
    pub text: &'static str,
    /// Its nodes, for whoever walks them.
    pub nodes: &'static [Node<'static>],
    /// Its render function.
    #[doc(hidden)]
    pub write: fn(&[&str; Variable::ALL.len()], &mut String),
}

impl SystemTemplate {
    /// Renders the prompt; what has no value shows as a note to the agent.
    ///
    /// ```
    /// use agentd::{Agent, Phase, Values, Variable, catalog::CATALOG};
    ///
    /// let template = CATALOG.system(Agent::Claude, Phase::Implement);
    /// let prompt = template.render(&Values::new().with(Variable::Tasks, "1.1 Add {{login}}"));
    /// assert!(prompt.contains("1.1 Add {{login}}"));
    /// assert!(prompt.contains("Context not provided: PROJECT_CONTEXT"));
    /// ```
    pub fn render(&self, values: &Values<'_>) -> String {
        let mut out = String::new();
        self.render_into(values, &mut out);
        out
    }

    /// Renders the prompt at the end of `out`, which is grown once at most.
    pub fn render_into(&self, values: &Values<'_>, out: &mut String) {
        (self.write)(values.resolved(), out);
    }

    /// Lists the variables that the template uses and `values` does not have.
    pub fn missing<'v>(&self, values: &'v Values<'_>) -> impl Iterator<Item = Variable> + 'v
    where
        Self: 'v,
    {
        self.variables.iter().copied().filter(|variable| values.get(*variable).is_none())
    }

    /// Renders the prompt, and fails where `on_missing` says so and a value is missing.
    pub fn try_render(
        &self,
        values: &Values<'_>,
        on_missing: OnMissing,
    ) -> Result<String, RenderError> {
        match (on_missing, self.missing(values).next()) {
            (OnMissing::Refuse, Some(variable)) => Err(RenderError::MissingValue {
                template: self.file.to_owned(),
                name: variable.word().to_owned(),
            }),
            _ => Ok(self.render(values)),
        }
    }
}
