//! Makes a draft of a flow's file: keys and names become values and steps.

use std::borrow::Cow;

use toml::de::DeValue;

use super::FlowCode;
use super::column::{GUIDANCE, KEYS, REJECT};
use super::draft::{Draft, StepPlaces};
use super::read::{Entry, Reader, meant};
use super::steps::{StepReader, names};
use crate::compile::diagnostic::quoted;
use crate::flow::{End, Flow, Guarantee, Guidance, RejectRule, StepId, Subject};
use crate::template::Span;
use crate::template::lexer::is_name;

/// Reads a flow whose name and hash are known. `None` means that too little could be read to go on.
pub(super) fn flow(
    reader: &mut Reader<'_>,
    keys: Vec<Entry<'_>>,
    (name, hash): (&str, String),
    first_line: Span,
) -> Option<Draft> {
    let known = KEYS.map(|key| key.name);
    let keys = reader.only(keys, &known);
    let get = |name: &str| keys.iter().find(|entry| entry.name == name).copied();
    for key in ["version", "about", "start", "guarantees", "steps"] {
        if get(key).is_none() {
            let message = format!("the flow has no `{key}`");
            let about = KEYS.iter().find(|known| known.name == key).map_or("", |known| known.about);
            reader.report(
                FlowCode::MissingKey,
                first_line,
                message,
                format!("add `{key}`: {about}"),
            );
        }
    }
    if let Some(entry) = get("version") {
        version(reader, entry);
    }
    let about = get("about").and_then(|entry| reader.text(entry)).unwrap_or_default();
    let guarantees = get("guarantees");
    let guaranteed = guarantees
        .map(|entry| reader.words(entry, Guarantee::WORDS, Guarantee::from_word))
        .unwrap_or_default();
    let steps = reader.table(get("steps")?)?;
    let names = names(reader, &steps)?;
    let mut resolver = StepReader { reader, names: &names };
    let start = get("start").and_then(|entry| resolver.step_of(entry));
    let guidance = get("guidance").and_then(|entry| guidance(&mut resolver, entry));
    let reject = get("reject").and_then(|entry| reject(&mut resolver, entry));
    let reopen = get("reopen").and_then(|entry| resolver.step_of(entry));
    let (steps, places): (Vec<_>, Vec<StepPlaces>) = steps
        .into_iter()
        .filter(|entry| names.contains(&entry.name))
        .map(|entry| resolver.step(entry))
        .unzip();
    let flow = Flow {
        name: Cow::Owned(name.to_owned()),
        about: Cow::Owned(about.to_owned()),
        hash: Cow::Owned(hash),
        start: start.unwrap_or(StepId::new(0)),
        guarantees: Cow::Owned(guaranteed),
        guidance,
        reject,
        reopen,
        steps: Cow::Owned(steps),
    };
    let guarantees = guarantees.map_or(first_line, |entry| entry.key);
    Some(Draft { flow, file: resolver.reader.file, guarantees, places })
}

fn version(reader: &mut Reader<'_>, entry: Entry<'_>) {
    let is_known = matches!(entry.value, DeValue::Integer(number) if number.as_str() == "1");
    if !is_known {
        let message = "this version of the language of flows is not known";
        reader.report(FlowCode::Version, entry.span, message, "write `version = 1`");
    }
}

fn guidance(resolver: &mut StepReader<'_, '_>, entry: Entry<'_>) -> Option<Guidance> {
    let [to, until] = resolver.pair(entry, GUIDANCE)?;
    let until = resolver.reader.word(until, Subject::WORDS, Subject::from_word);
    Some(Guidance { to: resolver.step_of(to)?, until: until? })
}

fn reject(resolver: &mut StepReader<'_, '_>, entry: Entry<'_>) -> Option<RejectRule> {
    let [to, once] = resolver.pair(entry, REJECT)?;
    let once = resolver.reader.word(once, Subject::WORDS, Subject::from_word);
    Some(RejectRule { to: resolver.step_of(to)?, once: once? })
}

/// Reports a name that no step can have.
pub(super) fn step_name(reader: &mut Reader<'_>, entry: Entry<'_>) -> bool {
    if let Some((end, _)) = End::WORDS.into_iter().find(|(end, _)| *end == entry.name) {
        let message = format!("a step cannot be called `{end}`: that is how a change ends");
        reader.report(FlowCode::StepName, entry.key, message, "give the step another name");
        return false;
    }
    let is_plain = is_name(entry.name) && entry.name.bytes().all(|byte| byte != b'_');
    if !is_plain || entry.name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        let message = format!("{} is no name for a step", quoted(entry.name));
        let help = "use small letters, digits and `-`, and begin with a letter or a digit";
        reader.report(FlowCode::StepName, entry.key, message, help);
        return false;
    }
    true
}

/// Reports a step that does not exist.
pub(super) fn unknown_step(reader: &mut Reader<'_>, (text, span): (&str, Span), names: &[&str]) {
    let message = format!("there is no step {}", quoted(text));
    reader.report(FlowCode::UnknownStep, span, message, meant(text, names));
}
