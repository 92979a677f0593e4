//! The inputs of commands: files, standard input and `NAME=VALUE` pairs.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use log::warn;

use crate::cli::{Failure, Kind, Outcome, PathContext as _};
use crate::files::own;
use crate::process;
use crate::prompt::confined::LARGEST_FILE;

/// A value given on the command line: `NAME=VALUE` or `NAME=@FILE`.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    name: String,
    value: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Text(String),
    File(PathBuf),
}

impl std::str::FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = "write NAME=VALUE or NAME=@FILE (NAME=@@… for a value that starts with `@`)";
        let (name, value) = text.split_once('=').ok_or(form)?;
        if name.is_empty() {
            return Err(form.to_owned());
        }
        let value = match value.strip_prefix('@') {
            Some(literal) if literal.starts_with('@') => Source::Text(literal.to_owned()),
            Some(path) => Source::File(path.into()),
            None => Source::Text(value.to_owned()),
        };
        Ok(Self { name: name.to_owned(), value })
    }
}

/// Reads the values of all assignments; a later one replaces an earlier one with the same name.
pub(super) fn values(assignments: &[Assignment]) -> Outcome<BTreeMap<String, String>> {
    Ok(pairs(assignments)?.into_iter().collect())
}

/// Reads the values of all assignments, in order.
pub(super) fn pairs(assignments: &[Assignment]) -> Outcome<Vec<(String, String)>> {
    let value = |assignment: &Assignment| match &assignment.value {
        Source::Text(text) => Ok(text.clone()),
        Source::File(path) => text_file(path),
    };
    assignments.iter().map(|assignment| Ok((assignment.name.clone(), value(assignment)?))).collect()
}

/// Reads a file as text; bytes that are not UTF-8 become U+FFFD, with a warning.
pub(super) fn text_file(path: &Path) -> Outcome<String> {
    let bytes = fs::read(path).or_fail("cannot read", path)?;
    Ok(text(bytes, &path.display().to_string()))
}

/// Reads a file below a project's `agentd/` as text; `None` if it is missing.
pub(super) fn own_text_file(path: &Path) -> Outcome<Option<String>> {
    let bytes = own::read(path, LARGEST_FILE).or_fail("cannot read", path)?;
    Ok(bytes.map(|bytes| text(bytes, &path.display().to_string())))
}

/// Reads a file for the prompt's context; a file with NUL bytes is binary and is left out, with a warning.
pub(super) fn context_file(path: &Path) -> Outcome<String> {
    let bytes = fs::read(path).or_fail("cannot read", path)?;
    let shown = path.display();
    if memchr::memchr(0, &bytes).is_some() {
        warn!("`{shown}` is a binary file: its content is left out");
        return Ok(format!("(binary file of {} bytes, left out)", bytes.len()));
    }
    Ok(text(bytes, &shown.to_string()))
}

/// Returns the instructions as typed, or from standard input for `-`.
pub(super) fn instructions(argument: &str) -> Outcome<String> {
    if argument == "-" { stdin() } else { Ok(argument.to_owned()) }
}

/// Returns a text as typed, from standard input for `-`, or from a file for `@FILE`.
pub(super) fn text_or_file(argument: &str) -> Outcome<String> {
    match argument.strip_prefix('@') {
        Some(path) => text_file(Path::new(path)),
        None => instructions(argument),
    }
}

/// Refuses empty instructions.
pub(super) fn ensure_not_empty(instructions: String) -> Outcome<String> {
    if instructions.trim().is_empty() {
        return Err(Failure::usage("the instructions are empty", "say what you want"));
    }
    Ok(instructions)
}

/// Reads a file as text, or standard input for `-`.
pub(super) fn file_or_stdin(path: &Path) -> Outcome<String> {
    if path == Path::new("-") { stdin() } else { text_file(path) }
}

fn stdin() -> Outcome<String> {
    let mut bytes = Vec::new();
    process::idle_unless_asked_to_end(|| io::stdin().lock().read_to_end(&mut bytes))
        .map_err(|error| Failure::new(Kind::Io, format!("cannot read standard input: {error}")))?;
    Ok(text(bytes, "standard input"))
}

fn text(bytes: Vec<u8>, name: &str) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        warn!("`{name}` is not valid UTF-8: wrong bytes are shown as U+FFFD");
        text
    })
}
