//! One checked identity, and how it is rendered when it was not compiled in.

use super::frontmatter::Frontmatter;
use super::source::FileId;
use crate::template::{
    Dialect, NoIncludes, Node, OnMissing, RenderError, Scope, Tags, Value, frames, parse, render,
};

/// One identity: what it says of itself, and its text.
#[derive(Clone, Debug)]
pub struct IdentityUnit {
    /// Its file.
    pub file: FileId,
    /// Its frontmatter.
    pub frontmatter: Frontmatter,
    /// Its text, without the frontmatter.
    pub body: String,
}

impl IdentityUnit {
    /// Renders an identity that was not compiled in, by the rules of those that were.
    ///
    /// Its text is a project's: beside its own frames, which the check has seen closed, it can make none of `tags`.
    pub fn render(
        &self,
        scope: &dyn Scope,
        on_missing: OnMissing,
        tags: &Tags<'_>,
    ) -> Result<String, RenderError> {
        let defaults = WithDefaults { scope, unit: self };
        let own = frames(&self.body).names;
        let foreign = tags.without(&own);
        let tags = tags.with(own);
        let body = foreign.guard(&self.body);
        let parsed = parse(&body, &Dialect::IDENTITY);
        let required = |name: &&&str| {
            self.frontmatter
                .variables
                .iter()
                .any(|variable| variable.name == ***name && variable.required)
        };
        let nodes: Vec<Node<'_>> = parsed.nodes.into_iter().map(|(node, _)| node).collect();
        let name = &self.frontmatter.name;
        let mut out = String::new();
        let missing =
            render(name, &nodes, &defaults, &NoIncludes, OnMissing::Empty, &tags, &mut out)?;
        match missing.iter().find(required) {
            Some(variable) if on_missing == OnMissing::Refuse => Err(RenderError::MissingValue {
                template: name.clone(),
                name: (*variable).to_owned(),
            }),
            _ => Ok(out),
        }
    }
}

/// A scope in which what is not given is an identity's default.
struct WithDefaults<'d> {
    scope: &'d dyn Scope,
    unit: &'d IdentityUnit,
}

impl Scope for WithDefaults<'_> {
    fn value(&self, name: &str) -> Option<Value<'_>> {
        let declared =
            || self.unit.frontmatter.variables.iter().find(|variable| variable.name == name);
        self.scope.value(name).or_else(|| declared()?.default.as_deref().map(Value::Foreign))
    }
}
