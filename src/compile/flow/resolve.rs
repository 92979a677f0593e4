//! Makes a draft of a flow's file: keys and names become values and steps.

use std::borrow::Cow;

use super::FlowCode;
use super::documents;
use super::draft::{Draft, StepPlaces};
use super::key::{
    ABOUT, GUARANTEES, GUIDANCE, GUIDANCE_KEYS, KEYS, REJECT, REJECT_KEYS, REOPEN, START, STEPS,
    VERSION,
};
use super::steps::{StepReader, names};
use crate::compile::diagnostic::quoted;
use crate::compile::fields::{FieldReader, get, meant};
use crate::flow::{End, Flow, Guarantee, Guidance, RejectRule, Step, StepId};
use crate::template::Span;
use crate::template::lexer::is_name;
use crate::text::node::{Entry, Node, Value};

/// Reads a flow whose name and hash are known. `None` means that too little could be read to go on.
pub(super) fn flow(
    reader: &mut FieldReader<'_, FlowCode>,
    keys: &[Entry],
    (name, hash): (&str, String),
    first_line: Span,
) -> Option<Draft> {
    reader.keys(keys, &KEYS, "the flow", first_line);
    if let Some(node) = get(keys, VERSION) {
        version(reader, node);
    }
    let about = get(keys, ABOUT).and_then(|it| reader.text(it, ABOUT)).unwrap_or_default();
    let guaranteed = get(keys, GUARANTEES)
        .map(|it| reader.words(it, GUARANTEES, Guarantee::WORDS, Guarantee::from_word));
    let steps = reader.map(get(keys, STEPS)?, STEPS)?;
    let names = names(reader, steps)?;
    let mut resolver = StepReader { fields: reader, names: &names };
    let start = get(keys, START).and_then(|it| resolver.step_of(it, START));
    let guidance = get(keys, GUIDANCE).and_then(|it| guidance(&mut resolver, it));
    let reject = get(keys, REJECT).and_then(|it| reject(&mut resolver, it));
    let reopen = get(keys, REOPEN).and_then(|it| resolver.step_of(it, REOPEN));
    let (mut steps, mut places): (Vec<Step>, Vec<StepPlaces>) = steps
        .iter()
        .filter(|entry| names.contains(&entry.key.as_str()))
        .map(|entry| resolver.step(entry))
        .unzip();
    documents::of_prompts(resolver.fields, &mut steps, &mut places);
    let flow = Flow {
        name: Cow::Owned(name.to_owned()),
        about: Cow::Owned(about.to_owned()),
        hash: Cow::Owned(hash),
        start: start.unwrap_or(StepId::new(0)),
        guarantees: guaranteed.unwrap_or_default().into(),
        guidance,
        reject,
        reopen,
        steps: steps.into(),
    };
    let guarantees = keys.iter().find(|entry| entry.key == GUARANTEES);
    let guarantees = guarantees.map_or(first_line, |entry| entry.span);
    Some(Draft { flow, file: resolver.fields.file, guarantees, places })
}

fn version(reader: &mut FieldReader<'_, FlowCode>, node: &Node) {
    if node.value != Value::Number("1".to_owned()) {
        let message = "this version of the language of flows is not known";
        reader.report(FlowCode::Version, node.span, message, "write `version = 1`");
    }
}

fn guidance(resolver: &mut StepReader<'_, '_>, node: &Node) -> Option<Guidance> {
    let [to, until] = resolver.pair(node, GUIDANCE, &GUIDANCE_KEYS)?;
    let [to_name, until_name] = GUIDANCE_KEYS.map(|key| key.name);
    let until = resolver.word(until, until_name);
    Some(Guidance { to: resolver.step_of(to, to_name)?, until: until? })
}

fn reject(resolver: &mut StepReader<'_, '_>, node: &Node) -> Option<RejectRule> {
    let [to, once] = resolver.pair(node, REJECT, &REJECT_KEYS)?;
    let [to_name, once_name] = REJECT_KEYS.map(|key| key.name);
    let once = resolver.word(once, once_name);
    Some(RejectRule { to: resolver.step_of(to, to_name)?, once: once? })
}

/// Reports a name that no step can have.
pub(super) fn step_name(reader: &mut FieldReader<'_, FlowCode>, entry: &Entry) -> bool {
    if let Some((end, _)) = End::WORDS.into_iter().find(|(end, _)| *end == entry.key) {
        let message = format!("a step cannot be called `{end}`: that is how a change ends");
        reader.report(FlowCode::StepName, entry.span, message, "give the step another name");
        return false;
    }
    let is_plain = is_name(&entry.key) && entry.key.bytes().all(|byte| byte != b'_');
    if !is_plain || entry.key.bytes().any(|byte| byte.is_ascii_uppercase()) {
        let message = format!("{} is no name for a step", quoted(&entry.key));
        let help = "use small letters, digits and `-`, and begin with a letter or a digit";
        reader.report(FlowCode::StepName, entry.span, message, help);
        return false;
    }
    true
}

/// Reports a step that does not exist.
pub(super) fn unknown_step(
    reader: &mut FieldReader<'_, FlowCode>,
    (text, span): (&str, Span),
    names: &[&str],
) {
    let message = format!("there is no step {}", quoted(text));
    reader.report(FlowCode::UnknownStep, span, message, meant(text, names));
}
