//! The way to a value: `agents.claude.timeout`, `components[2].name`.

use std::fmt;

/// The keys and the places in lists that lead to a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Path(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Item(usize),
}

impl Path {
    /// Returns the way to what stands under a key.
    pub(crate) fn join(&self, key: &str) -> Self {
        self.with(Step::Key(key.to_owned()))
    }

    /// Returns the way to an item.
    pub(crate) fn item(&self, index: usize) -> Self {
        self.with(Step::Item(index))
    }

    fn with(&self, step: Step) -> Self {
        Self(self.0.iter().cloned().chain([step]).collect())
    }

    /// Returns the last key.
    pub(crate) fn last(&self) -> &str {
        if let Some(Step::Key(key)) = self.0.last() { key } else { "" }
    }

    /// Returns the way to what a value is in, unless that is the whole.
    pub(crate) fn parent(&self) -> Option<Self> {
        let (_, parent) = self.0.split_last()?;
        (!parent.is_empty()).then(|| Self(parent.to_vec()))
    }
}

/// Shows keys as TOML writes them.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = |key: &str| {
            !key.is_empty()
                && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Item(index) => write!(f, "[{index}]")?,
                Step::Key(key) => {
                    f.write_str(if at > 0 { "." } else { "" })?;
                    f.write_str(&if bare(key) { key.clone() } else { quoted(key) })?;
                }
            }
        }
        Ok(())
    }
}

/// Writes text as TOML does, on one line: as JSON does, but that TOML knows one more control character.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
