//! A spec: its sections, requirements with ids, scenarios that show them, data and diagram that can be read.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::document::{Document, Part};
use super::fault::{FileFault, quote};
use super::placeholder::has_own_words;
use super::sections;
use crate::prompt::blocks::{DATA, DIAGRAM, REQUIREMENTS, SCENARIOS, SPEC};

/// Returns what is wrong with a spec, and which requirements it has.
pub(super) fn check(path: &str, text: &str) -> (Vec<FileFault>, BTreeSet<String>) {
    let (document, mut faults) = Document::read(path, text);
    faults.extend(sections::check(&document, &SPEC));
    let mut requirements = BTreeMap::new();
    let section = sections::filled(&document, REQUIREMENTS);
    if let Some(section) = &section {
        requirements = of_requirements(&document, section, &mut faults);
    }
    if let Some(scenarios) = sections::filled(&document, SCENARIOS) {
        // Without requirements there is nothing that a scenario could show, and that is said already.
        let known = section.is_some().then_some(&requirements);
        of_scenarios(&document, &scenarios, known, &mut faults);
    }
    if let Some(data) = sections::filled(&document, DATA) {
        of_data(&document, &data, &mut faults);
    }
    if let Some(diagram) = sections::filled(&document, DIAGRAM) {
        let drawn = document.code(&diagram).iter().any(|code| code.language == "mermaid");
        if !drawn && !has_own_words(&document.prose(&diagram)) {
            let help = "draw it in a code block of the language `mermaid`, or say in a sentence why there is none";
            faults.push(document.fault(Some(diagram.line), "there is no Mermaid diagram", help));
        }
    }
    (faults, requirements.into_keys().collect())
}

/// Reads the requirements: each id with its line.
fn of_requirements(
    document: &Document<'_>,
    section: &Part<'_>,
    faults: &mut Vec<FileFault>,
) -> BTreeMap<String, usize> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let parts = document.parts(3, section.body);
    for part in &parts {
        let mut fault = |message: String, help: &str| {
            faults.push(document.fault(Some(part.line), &message, help));
        };
        let Some((id, title)) = part.title.split_once(':').filter(|(id, _)| is_id(id)) else {
            let message = format!("`{}` is not a requirement", quote(part.title));
            fault(message, "write it as a heading of level 3 with an id: `### R1: Title`");
            continue;
        };
        if !has_own_words(title) {
            fault(
                format!("requirement `{id}` has no title"),
                "write the title after the id: `### R1: Title`",
            );
        }
        if !document.has_text(part) {
            fault(
                format!("requirement `{id}` has no text"),
                "say what must hold, in a form that a test could disprove",
            );
        }
        match found.get(id) {
            Some(first) => fault(
                format!("the id `{id}` is already used on line {first}"),
                "give each requirement its own id",
            ),
            None => {
                found.insert(id.to_owned(), part.line);
            }
        }
    }
    if parts.is_empty() {
        let help = "write each as a heading of level 3 with text below it: `### R1: Title`";
        faults.push(document.fault(Some(section.line), "there is no requirement", help));
    }
    found
}

fn of_scenarios(
    document: &Document<'_>,
    section: &Part<'_>,
    known: Option<&BTreeMap<String, usize>>,
    faults: &mut Vec<FileFault>,
) {
    const FORM: &str =
        "write it as a heading of level 3 that ends with ids: `### Scenario: Title (R1)`";
    let parts = document.parts(3, section.body);
    let mut shown = BTreeSet::new();
    for part in &parts {
        let mut fault = |message: String, help: &str| {
            faults.push(document.fault(Some(part.line), &message, help));
        };
        let title = quote(part.title);
        let Some((words, ids)) = scenario(part.title) else {
            fault(format!("`{title}` is not a scenario that names a requirement"), FORM);
            continue;
        };
        if !has_own_words(words) {
            fault(format!("`{title}` has no title"), FORM);
        }
        if !document.has_text(part) {
            fault(
                format!("`{title}` has no text"),
                "say what happens (WHEN) and what can be observed (THEN)",
            );
        }
        for id in ids {
            if known.is_some_and(|known| !known.contains_key(id)) {
                fault(
                    format!("`{title}` names `{id}`, which is not a requirement"),
                    "name requirements of this file",
                );
            }
            shown.insert(id.to_owned());
        }
    }
    if parts.is_empty() {
        faults.push(document.fault(Some(section.line), "there is no scenario", FORM));
        return;
    }
    for (id, line) in known.into_iter().flatten().filter(|(id, _)| !shown.contains(*id)) {
        let help = format!("write one that names it: `### Scenario: Title ({id})`");
        faults.push(document.fault(
            Some(*line),
            &format!("requirement `{id}` has no scenario"),
            &help,
        ));
    }
}

/// Returns whether a word is the id of a requirement: `R1`.
fn is_id(word: &str) -> bool {
    let number = word.strip_prefix('R').unwrap_or_default();
    (1..10).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads `Scenario: Title (R1, R2)` into its title and the ids.
fn scenario(heading: &str) -> Option<(&str, Vec<&str>)> {
    let (word, rest) = heading.split_once(':')?;
    let (title, ids) = rest.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let ids: Vec<&str> = ids.split([',', ' ']).filter(|id| !id.is_empty()).collect();
    let well_formed = word.trim().eq_ignore_ascii_case("scenario") && !ids.is_empty();
    (well_formed && ids.iter().all(|id| is_id(id))).then_some((title, ids))
}

/// Data models are JSON Schemas, which are objects, or `true` and `false`.
fn of_data(document: &Document<'_>, section: &Part<'_>, faults: &mut Vec<FileFault>) {
    for code in document.code(section).iter().filter(|code| code.language.starts_with("json")) {
        let message = match serde_json::from_str::<Value>(code.text) {
            Ok(Value::Object(_) | Value::Bool(_)) => continue,
            Ok(Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
                "the JSON is not a schema: it is not an object".to_owned()
            }
            Err(error) => format!("the JSON cannot be read: {error}"),
        };
        let help = "write a JSON Schema, or give the block another language than `json`";
        faults.push(document.fault(Some(code.line), &message, help));
    }
}
