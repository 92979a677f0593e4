//! Says agentd's template in the syntax of another engine, so that every engine renders the same text.

use agentd::catalog::{CATALOG, SystemTemplate};
use agentd::template::Node;
use agentd::{Agent, Phase, Variable};

/// How an engine writes a value and the text that it would take for its own.
pub struct Syntax {
    /// Writes the hole for a value, which is not escaped.
    pub hole: fn(&str) -> String,
    /// What opens something in the engine's syntax.
    pub openers: &'static [&'static str],
    /// Writes an opener so that it is text.
    pub literal: fn(&str) -> String,
}

/// The syntax of askama, minijinja and tera.
pub const JINJA: Syntax = Syntax {
    hole: |name| format!("{{{{ {name} }}}}"),
    openers: &["{{", "{%", "{#"],
    literal: |opener| format!("{{{{ \"{opener}\" }}}}"),
};

/// Gives the template that all engines render: one that uses every variable.
pub fn template() -> &'static SystemTemplate {
    CATALOG.system(Agent::Claude, Phase::Implement)
}

/// Gives the name of a variable in the other engines.
pub fn field(variable: Variable) -> String {
    variable.word().to_lowercase()
}

/// Writes the nodes of a template in the syntax of another engine.
pub fn translate(nodes: &[Node<'_>], syntax: &Syntax) -> String {
    nodes.iter().map(|node| translate_node(node, syntax)).collect()
}

fn translate_node(node: &Node<'_>, syntax: &Syntax) -> String {
    match node {
        Node::Text(text) => literal(text, syntax),
        Node::Hole(name) => (syntax.hole)(&name.to_lowercase()),
        Node::Fragment(_) | Node::Include { .. } => unreachable!("a compiled template is linked"),
    }
}

fn literal(mut text: &str, syntax: &Syntax) -> String {
    let mut out = String::new();
    while let Some(first) = text.chars().next() {
        match syntax.openers.iter().find(|opener| text.starts_with(**opener)) {
            Some(opener) => {
                out.push_str(&(syntax.literal)(opener));
                text = &text[opener.len()..];
            }
            None => {
                out.push(first);
                text = &text[first.len_utf8()..];
            }
        }
    }
    out
}
