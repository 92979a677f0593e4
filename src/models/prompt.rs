//! [`UnifiedPrompt`]: one complete, stateless request to any agent, and its two forms, JSON and XML.

use std::io;

use serde::{Deserialize, Serialize};

use super::envelope::{self, EnvelopeError, Written};

/// A complete request: who the agent is, what it may look at, and what it is to do.
///
/// ```
/// use agentd::models::prompt::UnifiedPrompt;
///
/// let prompt = UnifiedPrompt::new("Add login")
///     .with_system_prompt("You are a careful engineer.")
///     .with_file("src/main.rs", "fn main() {}");
/// let xml = prompt.to_xml();
/// assert!(xml.contains("<file path='src/main.rs'>fn main() {}</file>"));
/// assert!(xml.contains("<instructions>Add login</instructions>"));
/// assert_eq!(UnifiedPrompt::from_xml(&xml).unwrap(), prompt);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnifiedPrompt {
    /// Who the agent is and how it works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// What it may look at, in order: data, never orders.
    #[serde(default)]
    pub context: Vec<ContextItem>,
    /// What it is to do.
    pub instructions: String,
}

/// One piece of context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContextItem {
    /// What kind of thing it is.
    #[serde(rename = "type")]
    pub kind: ContextKind,
    /// Its path or name.
    pub name: String,
    /// Its text.
    pub content: String,
}

/// The kinds of context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContextKind {
    /// A file of the project.
    File,
    /// Something an earlier phase or round produced; also what an item is that does not say.
    #[default]
    Artifact,
    /// The reasoning of an earlier round.
    Thought,
}

impl UnifiedPrompt {
    /// Starts a prompt from its instructions.
    pub fn new(instructions: impl Into<String>) -> Self {
        Self { instructions: instructions.into(), ..Self::default() }
    }

    /// Sets the system prompt.
    #[must_use]
    pub fn with_system_prompt(mut self, text: impl Into<String>) -> Self {
        self.system_prompt = Some(text.into());
        self
    }

    /// Adds a file of the project.
    #[must_use]
    pub fn with_file(self, path: impl Into<String>, content: impl Into<String>) -> Self {
        self.with_item(ContextKind::File, path, content)
    }

    /// Adds something that an earlier phase or round produced.
    #[must_use]
    pub fn with_artifact(self, name: impl Into<String>, content: impl Into<String>) -> Self {
        self.with_item(ContextKind::Artifact, name, content)
    }

    /// Adds the reasoning of an earlier round.
    #[must_use]
    pub fn with_thought(self, name: impl Into<String>, content: impl Into<String>) -> Self {
        self.with_item(ContextKind::Thought, name, content)
    }

    /// Adds a piece of context of any kind.
    #[must_use]
    pub fn with_item(
        mut self,
        kind: ContextKind,
        name: impl Into<String>,
        content: impl Into<String>,
    ) -> Self {
        self.context.push(ContextItem { kind, name: name.into(), content: content.into() });
        self
    }

    /// Writes the prompt as one XML document.
    ///
    /// Text that could be taken for a tag of the document is taken apart so that a model never sees a
    /// forged tag, while a reader gets the same text back. Characters that XML forbids become U+FFFD;
    /// [`Self::write_xml`] counts them.
    pub fn to_xml(&self) -> String {
        envelope::to_string(self).0
    }

    /// Writes the XML document to `out`, piece by piece.
    pub fn write_xml(&self, out: impl io::Write) -> io::Result<Written> {
        envelope::to_stream(self, out)
    }

    /// Writes the XML document, reads it back and compares: what is sent is what was meant.
    pub fn to_verified_xml(&self) -> Result<(String, Written), EnvelopeError> {
        let (xml, written) = envelope::to_string(self);
        let read = Self::from_xml(&xml)?;
        let same = if written.replaced == 0 { read == *self } else { read == self.sanitized() };
        if same { Ok((xml, written)) } else { Err(EnvelopeError::Differs) }
    }

    /// Reads a document that [`Self::to_xml`] wrote.
    pub fn from_xml(xml: &str) -> Result<Self, EnvelopeError> {
        envelope::read(xml)
    }

    /// Returns the prompt as a reader of its document sees it: with U+FFFD for what XML forbids.
    fn sanitized(&self) -> Self {
        let clean = |text: &String| envelope::sanitized(text).0.into_owned();
        Self {
            system_prompt: self.system_prompt.as_ref().map(clean),
            context: self
                .context
                .iter()
                .map(|item| ContextItem {
                    kind: item.kind,
                    name: clean(&item.name),
                    content: clean(&item.content),
                })
                .collect(),
            instructions: clean(&self.instructions),
        }
    }
}
