//! The documents of a step: what its agent is shown, and what it leaves.

use std::borrow::Cow;

use super::FlowCode;
use super::read::{Entry, Reader, meant};
use crate::compile::diagnostic::quoted;
use crate::flow::{Leaves, Reads, Validator};
use crate::template::Span;

/// Reads what an agent is shown: paths with reasons, each with its place.
pub(super) fn reads(reader: &mut Reader<'_>, entry: Entry<'_>) -> (Vec<Reads>, Vec<Span>) {
    let mut reads = Vec::new();
    for document in reader.table(entry).unwrap_or_default() {
        let (path, is_optional) = match document.name.strip_suffix('?') {
            Some(path) => (path, true),
            None => (document.name, false),
        };
        let why = reader.text(document);
        if !is_path(reader, path, document.key) {
            continue;
        }
        let Some(why) = why else { continue };
        let (path, why) = (Cow::Owned(path.to_owned()), Cow::Owned(why.to_owned()));
        reads.push((Reads { path, why, is_optional }, document.key));
    }
    reads.into_iter().unzip()
}

/// Reads what a step leaves: `PATH`, or `PATH:VALIDATOR`.
pub(super) fn leaves(reader: &mut Reader<'_>, entry: Entry<'_>) -> Vec<Leaves> {
    let mut leaves = Vec::new();
    for (text, span) in reader.list(entry) {
        let (path, validator) = match text.split_once(':') {
            Some((path, word)) => (path, Validator::from_word(word)),
            None => (text, Some(usual(text))),
        };
        let Some(validator) = validator else {
            let word = text.split_once(':').map_or("", |(_, word)| word);
            let message = format!("there is no validator {}", quoted(word));
            reader.report(FlowCode::WrongValue, span, message, meant(word, Validator::WORDS));
            continue;
        };
        if is_path(reader, path, span) {
            leaves.push(Leaves { path: Cow::Owned(path.to_owned()), validator });
        }
    }
    leaves
}

/// Returns how a file is checked if nothing else is said.
fn usual(path: &str) -> Validator {
    match path {
        "proposal.md" => Validator::Proposal,
        "specs/*.md" => Validator::Spec,
        "tasks.md" => Validator::Tasks,
        "IMPLEMENTATION.md" => Validator::Implementation,
        "archive/**" => Validator::Archive,
        _ => Validator::Text,
    }
}

/// Reads the folder that an archive merges.
pub(super) fn folder(reader: &mut Reader<'_>, entry: Entry<'_>) -> Option<String> {
    let text = reader.text(entry)?;
    let path = text.strip_suffix('/').unwrap_or(text);
    is_path(reader, path, entry.span).then(|| text.to_owned())
}

/// Reports what is no path below a change's folder.
fn is_path(reader: &mut Reader<'_>, path: &str, span: Span) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0', '\n'])
    };
    let is_path = path.split('/').all(is_part);
    if !is_path {
        let message = format!("{} is no path below the change's folder", quoted(path));
        let help = "write folders and a name, with `/` between: specs/*.md";
        reader.report(FlowCode::WrongValue, span, message, help);
    }
    is_path
}
