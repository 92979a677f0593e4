//! Where a value comes from: a layer, a text and a place in it.

use std::fmt;
use std::sync::Arc;

use crate::template::Span;
use crate::template::words::words;

words! {
    /// The layers of a configuration, from the weakest to the strongest.
    Layer {
        /// What holds when nothing is said.
        Default = "default",
        /// The user's own file.
        User = "user",
        /// The project's file.
        Project = "project",
        /// A variable of the environment.
        Environment = "environment",
        /// An option of the command line.
        Flag = "flag",
    }
}

/// One text that values come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its layer.
    pub layer: Layer,
    /// The path of the file, or the name of the variable or option.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The source.
    pub source: Arc<Source>,
    /// The bytes in it.
    pub span: Span,
    /// The line on which they begin, counted from 1. It is found when the source is read: who lists every setting would
    /// else go through the whole source for each.
    pub line: usize,
}

impl Place {
    /// Returns whether the place is in a file, where lines and columns mean something.
    pub fn is_in_file(&self) -> bool {
        match self.source.layer {
            Layer::User | Layer::Project => true,
            Layer::Default | Layer::Environment | Layer::Flag => false,
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nothing was said.
    Default,
    /// It was given here.
    Given(Place),
}

impl Origin {
    /// Returns the layer.
    pub fn layer(&self) -> Layer {
        match self {
            Self::Default => Layer::Default,
            Self::Given(place) => place.source.layer,
        }
    }
}

/// Shows `default`, `agentd/config.toml:3`, `AGENTD_AGENT_PLAN` or `--agent`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.pad("default"),
            Self::Given(place) if place.is_in_file() => {
                f.pad(&format!("{}:{}", place.source.name, place.line))
            }
            Self::Given(place) => f.pad(&place.source.name),
        }
    }
}
