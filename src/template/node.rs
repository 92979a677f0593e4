//! The program that a template is parsed into: text, holes, fragments and includes.

use std::borrow::Cow;

/// One step of a template, in the order of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node<'t> {
    /// Text that is copied as it stands.
    Text(&'t str),
    /// A value, by its name.
    Hole(&'t str),
    /// A shared fragment, by its name; linking replaces it.
    Fragment(&'t str),
    /// A file of the session folder.
    Include {
        /// The path, which may hold values.
        path: Cow<'t, [Part<'t>]>,
        /// Whether a missing file is an error.
        required: bool,
    },
}

/// A piece of an include's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'t> {
    /// Text of the path.
    Text(&'t str),
    /// A value, by its name.
    Hole(&'t str),
}
