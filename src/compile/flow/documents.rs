//! The documents of a step: what its agent is shown, and what it leaves.

use std::borrow::Cow;

use super::FlowCode;
use super::draft::StepPlaces;
use crate::compile::contract::{self, Presence};
use crate::compile::diagnostic::quoted;
use crate::compile::fields::{FieldReader, meant};
use crate::flow::{ColumnId, Leaves, Reads, Step, Validator};
use crate::template::Span;
use crate::text::node::Node;

/// Reads what an agent is shown: paths with reasons, each with its place.
pub(super) fn reads(
    reader: &mut FieldReader<'_, FlowCode>,
    node: &Node,
    what: &str,
) -> (Vec<Reads>, Vec<Span>) {
    let mut reads = Vec::new();
    for document in reader.map(node, what).unwrap_or_default() {
        let (path, is_optional) = match document.key.strip_suffix('?') {
            Some(path) => (path, true),
            None => (document.key.as_str(), false),
        };
        let why = reader.text(&document.node, &document.key);
        if !is_path(reader, path, document.span) {
            continue;
        }
        let Some(why) = why else { continue };
        let (path, why) = (Cow::Owned(path.to_owned()), Cow::Owned(why.to_owned()));
        reads.push((Reads { path, why, is_optional }, document.span));
    }
    reads.into_iter().unzip()
}

/// Fills in what the prompts of roles and commands include: their contracts say so. A file that may be missing, and that no step of
/// the flow leaves, is not read.
pub(super) fn of_prompts(
    reader: &mut FieldReader<'_, FlowCode>,
    steps: &mut [Step],
    places: &mut [StepPlaces],
) {
    let all: Vec<Option<Vec<Reads>>> = steps.iter().map(|step| of_prompt(step, steps)).collect();
    for ((step, places), reads) in steps.iter_mut().zip(places).zip(all) {
        let Some(reads) = reads else { continue };
        if !places.reads.is_empty() {
            let prompt = step.prompt.map(|prompt| prompt.to_string()).unwrap_or_default();
            let column = ColumnId::Reads.row().name;
            let message = format!("a step with the prompt `{prompt}` has no `{column}`");
            let help = "its template says what it reads: remove it";
            let span = places.column(ColumnId::Reads);
            reader.report(FlowCode::MisplacedColumn, span, message, help);
        }
        places.reads = vec![places.column(ColumnId::Prompt); reads.len()];
        step.reads = reads.into();
    }
}

fn of_prompt(step: &Step, steps: &[Step]) -> Option<Vec<Reads>> {
    let contract = contract::of_role_step(step)?;
    let reads = contract.files.iter().filter_map(|file| {
        let path = file.in_flow()?;
        let is_optional = file.presence == Presence::Possible;
        let is_left = || steps.iter().any(|step| step.provides(&path));
        let (path, why) = (path.clone().into(), file.why.clone().into());
        (!is_optional || is_left()).then_some(Reads { path, why, is_optional })
    });
    Some(reads.collect())
}

/// Reads what a step leaves: `PATH`, or `PATH:VALIDATOR`, each with its place.
pub(super) fn leaves(
    reader: &mut FieldReader<'_, FlowCode>,
    node: &Node,
    what: &str,
) -> (Vec<Leaves>, Vec<Span>) {
    let mut leaves = Vec::new();
    for (text, span) in reader.texts(node, what) {
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
            leaves.push((Leaves { path: Cow::Owned(path.to_owned()), validator }, span));
        }
    }
    leaves.into_iter().unzip()
}

/// Returns how a file is checked if nothing else is said.
fn usual(path: &str) -> Validator {
    let own = Validator::ALL.iter().find(|validator| validator.files() == Some(path));
    own.copied().unwrap_or(Validator::Text)
}

/// Reports what is no path below a change's folder.
fn is_path(reader: &mut FieldReader<'_, FlowCode>, path: &str, span: Span) -> bool {
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
