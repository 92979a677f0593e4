//! What may stand under a field.

use serde_json::Value;

use super::check::Wrong;
use crate::text::field;
pub use crate::text::field::Need;
use crate::text::node::Node;

/// The longest list.
pub const LONGEST_LIST: usize = 500;

/// A field, with `more` that its owner knows of it.
pub type Field<M = ()> = field::Field<Kind<M>, M>;

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub enum Kind<M: 'static = ()> {
    /// A value of a sort of its own.
    Of(&'static Sort),
    /// One of these words.
    Word(&'static [&'static str]),
    /// True or false.
    Flag,
    /// A whole number.
    Number {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A list.
    List {
        /// What each item is.
        of: &'static Self,
        /// How many there are at least.
        least: usize,
    },
    /// Fields of its own.
    Map(&'static [Field<M>]),
    /// Names, with the same kind under each.
    Named(&'static Names, &'static Self),
}

/// A sort of values.
#[derive(Debug)]
pub struct Sort {
    /// What such a value is called, after "must be".
    pub(crate) noun: &'static str,
    /// How one is written; empty where nobody is shown any.
    pub(crate) example: &'static str,
    /// Its JSON schema.
    pub(crate) json: fn() -> Value,
    /// Reads one.
    pub(crate) read: fn(&Node) -> Result<Value, Wrong>,
}

/// What may be a name in a map of names.
#[derive(Debug)]
pub struct Names {
    /// What bears such a name.
    pub(crate) noun: &'static str,
    /// What such names look like.
    pub(crate) help: &'static str,
    /// What stands for one in documentation.
    pub(crate) placeholder: &'static str,
    /// The same as `allow`, for a JSON schema.
    pub(crate) pattern: &'static str,
    /// Returns whether something may be such a name.
    pub(crate) allow: fn(&str) -> bool,
}

impl<M> Kind<M> {
    /// Returns in words what is asked for.
    pub fn words(&self) -> String {
        match self {
            Self::Of(sort) => sort.noun.to_owned(),
            Self::Word(words) => format!("one of {}", listed(words.iter().copied())),
            Self::Flag => "true or false".to_owned(),
            Self::Number { least, most } if least == most => format!("the number {least}"),
            Self::Number { least, most } => format!("a whole number from {least} to {most}"),
            Self::List { of, least: 0 } => format!("a list, each item {}", of.words()),
            Self::List { of, least } => {
                format!("a list of at least {least}, each item {}", of.words())
            }
            Self::Map(fields) => format!("an object with {}", named(fields)),
            Self::Named(names, of) => format!("{} under the name of {}", of.words(), names.noun),
        }
    }

    /// Lists the fields of a map that has any.
    pub(crate) const fn fields(&self) -> &'static [Field<M>] {
        if let Self::Map(fields) = self { fields } else { &[] }
    }
}

/// Lists the names of fields.
pub(crate) fn named<M>(fields: &[Field<M>]) -> String {
    fields.iter().map(|field| format!("`{}`", field.name)).collect::<Vec<_>>().join(", ")
}

/// Lists words for a sentence: `a`, `b` or `c`.
pub(crate) fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<_> = words.map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [] => String::new(),
        [word] => word.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
