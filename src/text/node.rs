//! What a YAML or TOML text says, each value with its place, before anyone knows whether it is right.

use crate::template::Span;

/// A value and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) span: Span,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// Kept as text, since nothing here is calculated with.
    Number(String),
    /// A date or time, which only TOML has.
    Date,
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

impl Value {
    /// Names the kind of a value in a message; `map` is what its format calls keys with values.
    pub(crate) fn kind(&self, map: &'static str) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Date => "a date",
            Self::Text(text) if text.trim().is_empty() => "empty",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => map,
        }
    }
}

/// A key of a map with its place, and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) span: Span,
    pub(crate) node: Node,
}

/// Why a text cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) help: Option<&'static str>,
    pub(crate) span: Span,
}
