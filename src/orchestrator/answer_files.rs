//! Files that an agent hands over in its answer, as `<artifact path="…">` blocks: found, checked and written.

use std::collections::BTreeSet;

use thiserror::Error;

use super::markers::Answer;
use crate::flow::{Leaves, Step, Validator, covers};
use crate::prompt::confined::ConfinedFolder;
use crate::template::IncludeFault;

/// A file in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// Its path below the change's folder.
    pub path: String,
    /// Its text.
    pub content: String,
}

/// Why the files of an answer cannot be used. Nothing of them is written then, but for those that come before one that
/// cannot be written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DeliveryError {
    /// There are none.
    #[error(
        "the answer contains no files: an agent that delivers text must print them as artifact blocks"
    )]
    Nothing,
    /// A block does not say where it belongs.
    #[error("line {line}: an artifact block has no path")]
    NoPath {
        /// Its line.
        line: usize,
    },
    /// A block is not closed.
    #[error("line {line}: the artifact block for `{path}` is not closed")]
    Unclosed {
        /// Its path.
        path: String,
        /// Its line.
        line: usize,
    },
    /// Two blocks are for the same file.
    #[error("line {line}: there is a second artifact block for `{path}`")]
    Twice {
        /// The path.
        path: String,
        /// The line of the second.
        line: usize,
    },
    /// A file is not one that the step leaves.
    #[error("line {line}: `{path}` is not a file of `{step}`")]
    Unexpected {
        /// The path.
        path: String,
        /// Its line.
        line: usize,
        /// The step.
        step: String,
    },
    /// A file cannot be written, or must not be.
    #[error("cannot write `{path}`: {fault}")]
    Unwritable {
        /// The path.
        path: String,
        /// Why.
        fault: IncludeFault,
    },
}

const OPEN: &str = "<artifact";
const CLOSE: &str = "</artifact>";

/// Finds the files of an answer. A block begins and ends on lines of its own, so that a file may speak of blocks.
pub fn find(answer: &str, step: &Step) -> Result<Vec<Delivered>, DeliveryError> {
    let text = Answer::read(answer).without_thoughts();
    let mut lines = text.split('\n').enumerate().map(|(index, line)| (index + 1, line));
    let mut found: Vec<Delivered> = Vec::new();
    let mut paths = BTreeSet::new();
    while let Some((line, opening)) = lines.next() {
        let Some(attributes) = opening.trim().strip_prefix(OPEN) else { continue };
        let Some(attributes) = attributes.strip_suffix('>') else { continue };
        if attributes.starts_with(|c: char| !c.is_whitespace()) {
            continue;
        }
        let path = path(attributes).ok_or(DeliveryError::NoPath { line })?.to_owned();
        if !is_expected(step, &path) {
            return Err(DeliveryError::Unexpected { path, line, step: step.name.to_string() });
        }
        if !paths.insert(path.clone()) {
            return Err(DeliveryError::Twice { path, line });
        }
        let mut content = String::new();
        loop {
            match lines.next() {
                Some((_, end)) if end.trim() == CLOSE => break,
                Some((_, piece)) => {
                    content.push_str(piece);
                    content.push('\n');
                }
                None => return Err(DeliveryError::Unclosed { path, line }),
            }
        }
        found.push(Delivered { path, content });
    }
    if found.is_empty() { Err(DeliveryError::Nothing) } else { Ok(found) }
}

/// Writes the files of an answer into the change's folder.
pub fn write(folder: &ConfinedFolder, files: &[Delivered]) -> Result<(), DeliveryError> {
    for Delivered { path, content } in files {
        let unwritable = |fault| DeliveryError::Unwritable { path: path.clone(), fault };
        folder.replace(path, content.as_bytes()).map_err(unwritable)?;
    }
    Ok(())
}

/// Takes the path from `path="…"` or `path='…'`.
fn path(attributes: &str) -> Option<&str> {
    let value =
        attributes.trim().strip_prefix("path")?.trim_start().strip_prefix('=')?.trim_start();
    ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote))
}

/// Returns whether a step leaves a file of this path. Names are plain: a path that nobody would type is not written.
fn is_expected(step: &Step, path: &str) -> bool {
    let is_plain = |part: &str| {
        let is_name = |c: char| c.is_alphanumeric() || "-_.".contains(c);
        !part.starts_with('.') && !part.is_empty() && part.chars().all(is_name)
    };
    let is_left = |file: &Leaves| match file.validator {
        // The archive takes these files and no others.
        Validator::Archive => path
            .strip_prefix("archive/")
            .is_some_and(|path| path == "changelog.md" || covers("specs/*.md", path)),
        Validator::Text
        | Validator::Proposal
        | Validator::Spec
        | Validator::Tasks
        | Validator::Implementation
        | Validator::Schedule => covers(&file.path, path),
    };
    path.split('/').all(is_plain) && step.leaves.iter().any(is_left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::CATALOG;
    use crate::template::Phase;

    fn found(answer: &str) -> Result<Vec<(String, String)>, DeliveryError> {
        let pairs =
            |files: Vec<Delivered>| files.into_iter().map(|f| (f.path, f.content)).collect();
        find(answer, CATALOG.step(Phase::Plan)).map(pairs)
    }

    #[test]
    fn files_are_found_between_their_lines() {
        let answer = "Here:\n<artifact path=\"proposal.md\">\n# P\n\n```xml\n<artifact>x</artifact>\n```\n</artifact>\n\
                      text\n<artifact path='specs/login.md'>\n</artifact>\n<review>PASS</review>\n";
        let proposal = "# P\n\n```xml\n<artifact>x</artifact>\n```\n";
        let pair = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        assert_eq!(
            found(answer),
            Ok(vec![pair("proposal.md", proposal), pair("specs/login.md", "")])
        );
    }

    #[test]
    fn a_file_in_a_thought_is_no_file() {
        let thought = "<thought>\n<artifact path=\"proposal.md\">\nx\n</artifact>\n</thought>\n";
        assert_eq!(found(thought), Err(DeliveryError::Nothing));
        assert_eq!(
            found("<artifacts path=\"proposal.md\">\n</artifacts>"),
            Err(DeliveryError::Nothing)
        );
    }

    #[test]
    fn what_is_not_in_order_is_refused_and_named() {
        let path = || "proposal.md".to_owned();
        let block = "<artifact path=\"proposal.md\">\nx\n</artifact>\n";
        assert_eq!(found("a\n<artifact>\n</artifact>"), Err(DeliveryError::NoPath { line: 2 }));
        assert_eq!(
            found("<artifact path=\"proposal.md\">\nx\n"),
            Err(DeliveryError::Unclosed { path: path(), line: 1 })
        );
        assert_eq!(
            found(&format!("{block}{block}")),
            Err(DeliveryError::Twice { path: path(), line: 4 })
        );
    }

    #[test]
    fn only_the_phase_s_own_files_are_taken() {
        for path in [
            "../x.md",
            "/etc/passwd",
            "specs/../../x.md",
            "specs/.md",
            "specs/a/b.md",
            "request.md",
        ] {
            let block = format!("<artifact path=\"{path}\">\nx\n</artifact>\n");
            let refused = find(&block, CATALOG.step(Phase::Plan));
            assert!(
                matches!(refused, Err(DeliveryError::Unexpected { .. })),
                "{path}: {refused:?}"
            );
        }
        let block = "<artifact path=\"archive/specs/login.md\">\nx\n</artifact>\n";
        assert!(find(block, CATALOG.step(Phase::Archive)).is_ok());
        assert!(find(block, CATALOG.step(Phase::Plan)).is_err());
    }
}
