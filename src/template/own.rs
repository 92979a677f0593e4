//! A system template that was not compiled in: a flow of a project brings it along. It is rendered by walking its text, by the
//! rules of those that are compiled in.

use super::dialect::Dialect;
use super::frames::frames;
use super::lexer::lex;
use super::node::Node;
use super::parser::node;
use super::render::note;
use super::tags::Tags;
use super::values::Values;
use super::vocab::{Agent, Variable};

/// The template of one step of a project's flow, for one family of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTemplate {
    /// The agents that it serves.
    pub agent: Agent,
    /// The step that it serves.
    pub step: String,
    /// Its file, as it is shown.
    pub file: String,
    /// A hash of its text.
    pub hash: String,
    /// Its text with every shared fragment in place.
    pub text: String,
}

impl OwnTemplate {
    /// Finds the template that serves a family of agents in a step: its own, else that of BASE.
    ///
    /// ```
    /// use agentd::Agent;
    /// use agentd::template::OwnTemplate;
    ///
    /// let template = |agent: Agent| OwnTemplate {
    ///     agent,
    ///     step: "security".to_owned(),
    ///     file: format!("{agent}-security.md"),
    ///     hash: String::new(),
    ///     text: String::new(),
    /// };
    /// let templates = [template(Agent::Claude), template(Agent::Base)];
    /// let serving = |agent, step| OwnTemplate::serving(&templates, agent, step).map(|it| it.file.as_str());
    /// assert_eq!(serving(Agent::Claude, "security"), Some("CLAUDE-security.md"));
    /// assert_eq!(serving(Agent::Codex, "security"), Some("BASE-security.md"));
    /// assert_eq!(serving(Agent::Codex, "review"), None);
    /// ```
    pub fn serving<'t>(templates: &'t [Self], family: Agent, step: &str) -> Option<&'t Self> {
        let of = |agent| templates.iter().find(|it| it.agent == agent && it.step == step);
        of(family).or_else(|| of(Agent::Base))
    }

    /// Lists the variables that the template uses, in the order of their first use.
    pub fn variables(&self) -> Vec<Variable> {
        let mut used = Vec::new();
        for node in lenient_nodes(&self.text) {
            if let Node::Hole(name) = node
                && let Some(variable) = Variable::from_word(name)
                && !used.contains(&variable)
            {
                used.push(variable);
            }
        }
        used
    }

    /// Renders the prompt; what has no value shows as a note to the agent. A value is copied and never scanned again: it makes
    /// none of `tags`, and closes no frame of the template.
    pub fn render(&self, values: &Values<'_>, tags: &Tags<'_>) -> String {
        let tags = tags.with(frames(&self.text).names);
        let mut out = String::with_capacity(self.text.len());
        for node in lenient_nodes(&self.text) {
            match node {
                Node::Text(text) => out.push_str(text),
                Node::Hole(name) => match Variable::from_word(name) {
                    Some(variable) => {
                        values.resolved()[variable as usize].measured(&tags).push(&tags, &mut out);
                    }
                    None => out.push_str(&note(name)),
                },
                // `lenient_nodes` makes text of them.
                Node::Fragment(_) | Node::Include { .. } => {}
            }
        }
        out
    }
}

/// Reads the text of a system template that nobody has checked: what is no hole is text, broken markers too.
pub fn lenient_nodes(text: &str) -> Vec<Node<'_>> {
    lex(text, &Dialect::SYSTEM)
        .into_iter()
        .map(|token| match node(text, token, &Dialect::SYSTEM) {
            Ok(node @ (Node::Text(_) | Node::Hole(_))) => node,
            Ok(Node::Fragment(_) | Node::Include { .. }) | Err(_) => {
                Node::Text(token.span.of(text))
            }
        })
        .collect()
}
