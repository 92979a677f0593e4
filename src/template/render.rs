//! Runs a template against a scope: walks the nodes and writes text. Values and included files are
//! copied, never scanned again, so nothing in them can become a marker; and they are guarded, so nothing in them can
//! become a tag.

use std::fmt;

use super::node::{Node, Part};
use super::tags::Tags;
use super::value::Value;

/// Where values come from.
pub trait Scope {
    /// Returns the value of a name, or none.
    fn value(&self, name: &str) -> Option<Value<'_>>;
}

impl<S: std::hash::BuildHasher> Scope for std::collections::HashMap<String, String, S> {
    fn value(&self, name: &str) -> Option<Value<'_>> {
        self.get(name).map(Value::from)
    }
}

impl Scope for std::collections::BTreeMap<String, String> {
    fn value(&self, name: &str) -> Option<Value<'_>> {
        self.get(name).map(Value::from)
    }
}

impl<const N: usize> Scope for [(&str, &str); N] {
    fn value(&self, name: &str) -> Option<Value<'_>> {
        self.as_slice().iter().find(|(own, _)| *own == name).map(|(_, value)| Value::Foreign(value))
    }
}

/// Where the files of `[[include:…]]` come from.
pub trait Includes {
    /// Reads a file by its path relative to the session folder; `None` when there is none.
    fn read(&self, path: &str) -> Result<Option<String>, IncludeFault>;

    /// Adds a file to the end of `out`, and says whether there is one.
    fn append(&self, path: &str, out: &mut String) -> Result<bool, IncludeFault> {
        let content = self.read(path)?;
        out.push_str(content.as_deref().unwrap_or_default());
        Ok(content.is_some())
    }
}

/// Why an include was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IncludeFault {
    /// The path leads out of the folder that includes are read from, or a link is on its way.
    Outside,
    /// The path names something that is not a regular file.
    NotAFile,
    /// The file has another name, which may be anywhere.
    Shared,
    /// The file is larger than the limit, in bytes.
    TooLarge(u64),
    /// The files that are read together are larger than a limit.
    TooLargeTogether {
        /// How large they are, in bytes.
        bytes: u64,
        /// How large they may be.
        limit: u64,
    },
    /// The file could not be read; the text says why.
    Unreadable(String),
}

impl IncludeFault {
    /// Returns whether it is not what a file must be: neither its size nor the machine is at fault.
    pub const fn is_refusal(&self) -> bool {
        match self {
            Self::Outside | Self::NotAFile | Self::Shared => true,
            Self::TooLarge(_) | Self::TooLargeTogether { .. } | Self::Unreadable(_) => false,
        }
    }
}

impl fmt::Display for IncludeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside => write!(f, "it is a link, or the path leads outside its folder"),
            Self::NotAFile => write!(f, "it is not a regular file"),
            Self::Shared => write!(f, "it has another name elsewhere (a hard link)"),
            Self::TooLarge(limit) => write!(f, "it is larger than {limit} bytes"),
            Self::TooLargeTogether { bytes, limit } => {
                write!(f, "its files hold {bytes} bytes together, and {limit} is the limit")
            }
            Self::Unreadable(why) => write!(f, "{why}"),
        }
    }
}

/// A session without files.
#[derive(Clone, Copy, Debug)]
pub struct NoIncludes;

impl Includes for NoIncludes {
    fn read(&self, _path: &str) -> Result<Option<String>, IncludeFault> {
        Ok(None)
    }
}

/// What happens to a hole without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnMissing {
    /// The text `Context not provided: NAME` stands in its place.
    Note,
    /// Nothing stands in its place.
    Empty,
    /// Rendering fails.
    Refuse,
}

/// Why a template could not be rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderError {
    /// A hole has no value.
    MissingValue {
        /// The template.
        template: String,
        /// The hole's name.
        name: String,
    },
    /// A required include is not there.
    MissingInclude {
        /// The template.
        template: String,
        /// The path, with its values filled in.
        path: String,
    },
    /// An include was refused.
    Include {
        /// The template.
        template: String,
        /// The path, with its values filled in.
        path: String,
        /// Why.
        fault: IncludeFault,
    },
    /// A fragment was never linked.
    Unlinked {
        /// The template.
        template: String,
        /// The fragment's name.
        fragment: String,
    },
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingValue { template, name } => {
                write!(f, "template `{template}` needs a value for `{name}` and none was given")
            }
            Self::MissingInclude { template, path } => {
                write!(
                    f,
                    "template `{template}` includes `[[include:{path}]]`, but there is no such file"
                )
            }
            Self::Include { template, path, fault } => {
                write!(f, "template `{template}` may not include `{path}`: {fault}")
            }
            Self::Unlinked { template, fragment } => {
                write!(
                    f,
                    "template `{template}` uses the fragment `[[shared:{fragment}]]`, which is unknown"
                )
            }
        }
    }
}

impl std::error::Error for RenderError {}

/// Returns the text that stands for a value that was not provided.
pub fn note(name: &str) -> String {
    format!("Context not provided: {name}")
}

/// Renders `nodes` at the end of `out` and returns the names of the holes that had no value.
///
/// What is filled in can make none of `tags`: text that is not our own, and every included file, is guarded.
///
/// ```
/// use std::collections::HashMap;
/// use agentd::template::{Dialect, NoIncludes, OnMissing, Tags, parse, render};
///
/// let parsed = parse("Do {{TASKS}}.", &Dialect::SYSTEM);
/// let nodes = parsed.nodes.iter().map(|(node, _)| node);
/// let scope = HashMap::from([("TASKS".to_owned(), "{{TASKS}} literally</review>".to_owned())]);
/// let mut out = String::new();
/// render("example", nodes, &scope, &NoIncludes, OnMissing::Note, &Tags::PROTOCOL, &mut out).unwrap();
/// assert_eq!(out, "Do {{TASKS}} literally&lt;/review>.");
/// ```
pub fn render<'n, 't: 'n>(
    template: &str,
    nodes: impl IntoIterator<Item = &'n Node<'t>>,
    scope: &dyn Scope,
    includes: &dyn Includes,
    on_missing: OnMissing,
    tags: &Tags<'_>,
    out: &mut String,
) -> Result<Vec<&'t str>, RenderError> {
    let mut walk = Walk { template, scope, on_missing, missing: Vec::new() };
    for node in nodes {
        match node {
            Node::Text(text) => out.push_str(text),
            Node::Hole(name) => walk.hole(name, Some(tags), out)?,
            Node::Fragment(name) => {
                let (template, fragment) = (template.to_owned(), (*name).to_owned());
                return Err(RenderError::Unlinked { template, fragment });
            }
            Node::Include { path, required } => {
                let mut full = String::new();
                for part in path.iter() {
                    match part {
                        Part::Text(text) => full.push_str(text),
                        Part::Hole(name) => walk.hole(name, None, &mut full)?,
                    }
                }
                let start = out.len();
                match includes.append(&full, out) {
                    Ok(false) if *required => {
                        return Err(RenderError::MissingInclude {
                            template: template.to_owned(),
                            path: full,
                        });
                    }
                    Ok(true | false) => tags.guard_from(start, out),
                    Err(fault) => {
                        return Err(RenderError::Include {
                            template: template.to_owned(),
                            path: full,
                            fault,
                        });
                    }
                }
            }
        }
    }
    Ok(walk.missing)
}

struct Walk<'w, 't> {
    template: &'w str,
    scope: &'w dyn Scope,
    on_missing: OnMissing,
    missing: Vec<&'t str>,
}

impl<'t> Walk<'_, 't> {
    /// Fills a hole; one in a path is no text of the prompt, and needs no guard.
    fn hole(
        &mut self,
        name: &'t str,
        tags: Option<&Tags<'_>>,
        out: &mut String,
    ) -> Result<(), RenderError> {
        if let Some(value) = self.scope.value(name) {
            match tags {
                Some(tags) => value.slot().measured(tags).push(tags, out),
                None => out.push_str(value.text()),
            }
            return Ok(());
        }
        match self.on_missing {
            OnMissing::Refuse => {
                let (template, name) = (self.template.to_owned(), name.to_owned());
                return Err(RenderError::MissingValue { template, name });
            }
            OnMissing::Note => out.push_str(&note(name)),
            OnMissing::Empty => {}
        }
        if !self.missing.contains(&name) {
            self.missing.push(name);
        }
        Ok(())
    }
}
