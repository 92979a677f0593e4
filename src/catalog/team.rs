//! The compiled prompts of the team: roles, commands, and the context that all of them share. They are rendered by
//! walking their nodes, since what a project adds to them and the files that they include are only known then.

use crate::template::{Node, Placeholder, TeamPrompt};

/// The complete set of the team's prompts.
#[derive(Debug)]
pub struct Team {
    /// Every prompt, in the order of [`TeamPrompt::all`].
    #[doc(hidden)]
    pub templates: [&'static TeamTemplate; TeamPrompt::COUNT],
}

impl Team {
    /// Returns a prompt's template. This cannot fail: the build did not pass without it.
    ///
    /// ```
    /// use agentd::catalog::TEAM;
    /// use agentd::template::{Role, TeamPrompt};
    ///
    /// let coder = TEAM.get(TeamPrompt::Role(Role::Coder));
    /// assert_eq!(coder.file, "agents/coder.md");
    /// assert!(!coder.text.contains("[[shared:"));
    /// ```
    pub const fn get(&self, prompt: TeamPrompt) -> &'static TeamTemplate {
        self.templates[prompt.index()]
    }

    /// Lists every template: the roles, the commands, then the context.
    pub fn iter(&self) -> impl Iterator<Item = &'static TeamTemplate> {
        self.templates.iter().copied()
    }
}

/// A compiled prompt of the team.
#[derive(Debug)]
pub struct TeamTemplate {
    /// Which prompt it is.
    pub prompt: TeamPrompt,
    /// Its path below the folder of templates.
    pub file: &'static str,
    /// A hash of its text.
    pub hash: &'static str,
    /// The values it uses, in the order of their first use.
    pub placeholders: &'static [Placeholder],
    /// The values that a project's own text may use in it, by name; none where it cannot be extended.
    pub extension_names: &'static [&'static str],
    /// Its source with every shared fragment in place.
    pub text: &'static str,
    /// Its nodes; there is no fragment among them.
    pub nodes: &'static [Node<'static>],
}
