//! What is wrong with a file of a change, as data.

use std::fmt;

/// The longest piece of a file that a message repeats, in characters.
const LONGEST_QUOTE: usize = 60;

/// Something that a file lacks, or holds and must not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileFault {
    /// The file, below the change's folder.
    pub path: String,
    /// The line, where it is about one.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl FileFault {
    pub(in crate::engine) fn new(
        path: &str,
        line: Option<usize>,
        message: &str,
        help: &str,
    ) -> Self {
        Self { path: path.to_owned(), line, message: message.to_owned(), help: help.to_owned() }
    }

    pub(super) fn missing(path: &str) -> Self {
        Self::new(
            path,
            None,
            "the file is missing",
            "write the complete file, as the skeleton shows it",
        )
    }

    pub(super) fn empty(path: &str) -> Self {
        Self::new(
            path,
            None,
            "the file is empty",
            "write the complete file, as the skeleton shows it",
        )
    }
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.message),
            None => write!(f, "{}: {}", self.path, self.message),
        }
    }
}

/// Repeats a piece of a file on one line, cut where it is long.
pub(super) fn quote(text: &str) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "'");
    if let Some((end, _)) = words.char_indices().nth(LONGEST_QUOTE) {
        words.truncate(end);
        words.push('…');
    }
    words
}
