//! What is filled in, by who wrote it: text of our own keeps its tags, text of anybody else is guarded.

use std::fmt;
use std::ops::Deref;

use super::slot::Slot;

/// Text that agentd wrote itself, and whose tags are live. What others wrote stands in it guarded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnText(String);

impl OwnText {
    /// Takes a text whose tags are all meant; nothing in it is changed any more.
    pub fn trusted(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for OwnText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OwnText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A value for a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    /// Text of a user, a project, an agent or a file: it is guarded.
    Foreign(&'v str),
    /// Text of our own: it is copied.
    Own(&'v OwnText),
}

impl<'v> Value<'v> {
    /// Returns the text as it was given.
    pub fn text(self) -> &'v str {
        match self {
            Self::Foreign(text) => text,
            Self::Own(text) => text.as_str(),
        }
    }

    /// Makes the value ready to be copied.
    pub fn slot(self) -> Slot<'v> {
        match self {
            Self::Foreign(text) => Slot::foreign(text),
            Self::Own(text) => Slot::own(text.as_str()),
        }
    }
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Self::Foreign(text)
    }
}

impl<'v> From<&'v String> for Value<'v> {
    fn from(text: &'v String) -> Self {
        Self::Foreign(text)
    }
}

impl<'v> From<&'v OwnText> for Value<'v> {
    fn from(text: &'v OwnText) -> Self {
        Self::Own(text)
    }
}

/// A value that is kept until it is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// Text of anybody else.
    Foreign(String),
    /// Text of our own.
    Own(OwnText),
}

impl Text {
    /// Returns the text as it was given.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Foreign(text) => text,
            Self::Own(text) => text.as_str(),
        }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Foreign(text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::Foreign(text.to_owned())
    }
}

impl From<OwnText> for Text {
    fn from(text: OwnText) -> Self {
        Self::Own(text)
    }
}

impl<'v> From<&'v Text> for Value<'v> {
    fn from(text: &'v Text) -> Self {
        match text {
            Text::Foreign(text) => Self::Foreign(text),
            Text::Own(text) => Self::Own(text),
        }
    }
}
