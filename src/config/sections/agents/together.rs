//! What an agent's settings must be to each other.

use std::collections::BTreeSet;

use super::super::super::error::Fault;
use super::super::super::value::Table;
use super::super::tell;
use super::keys::{CLIS, DESCRIBING};
use crate::schema::listed;

/// Reports what does not go together, but not what only follows from a fault that was reported already.
/// `before` are the keys of the faults that were told before any agent was looked at.
pub(super) fn check(key: &str, table: &Table, before: &BTreeSet<String>, faults: &mut Vec<Fault>) {
    let first = faults.len();
    forbid_option(key, table, faults);
    let told = |key: &str| {
        let below = format!("{key}.");
        before.contains("")
            || before.contains(key)
            || before.range(below.clone()..).next().is_some_and(|told| told.starts_with(&below))
            || faults[first..].iter().any(|fault| fault.concerns(key))
    };
    if told(&format!("{key}.cli")) || told(&format!("{key}.output")) {
        return;
    }
    let may_miss = told(key);
    forbid(key, table, faults);
    if !may_miss && table.text("cli").is_none() {
        require(key, table, faults);
    }
}

/// Reports a model that a CLI would take for one of its options.
fn forbid_option(key: &str, table: &Table, faults: &mut Vec<Fault>) {
    if let Some(model) = table.text("model").filter(|model| model.starts_with('-')) {
        let key = format!("{key}.model");
        let message = format!("`{key}` is `{}`, which looks like an option", model.escape_debug());
        let help = "the name of a model does not start with `-`; options belong in `args`";
        tell(faults, &table.origin(&["model"]), key, message, help.to_owned());
    }
}

/// Reports keys that mean nothing for such an agent.
fn forbid(key: &str, table: &Table, faults: &mut Vec<Fault>) {
    let output = table.text("output").unwrap_or_default();
    for word in DESCRIBING {
        let origin = table.origin(&[word]);
        let (why, help) = match (table.text("cli"), *word) {
            (Some(cli), _) => (
                format!("describes a program that is not a known CLI, but this agent is `{cli}`"),
                "remove it, or describe the program under another name",
            ),
            (None, "text" | "error" | "usage") if output == "text" => (
                "is only for JSON, but the program prints text".to_owned(),
                "add output = \"json\" or output = \"jsonl\", or remove it",
            ),
            (None, "lines") if output != "jsonl" => (
                format!("is only for JSON lines, but the program prints {output}"),
                "add output = \"jsonl\", or remove it",
            ),
            (None, _) => continue,
        };
        let key = format!("{key}.{word}");
        let message = format!("`{key}` {why}");
        tell(faults, &origin, key, message, help.to_owned());
    }
}

/// Reports keys without which a described program cannot be run or understood.
fn require(key: &str, table: &Table, faults: &mut Vec<Fault>) {
    if !table.values.contains_key("command") {
        let message = format!("`{key}` has no `command`");
        let help = format!(
            "name its program, or say with `cli` that it is {}",
            listed(CLIS.iter().copied())
        );
        tell(faults, &table.origin, key.to_owned(), message, help);
    }
    let output = table.text("output").unwrap_or_default();
    if output != "text" && table.text("text").is_none() {
        let origin = table.origin(&["output"]);
        let message = format!("`{key}` prints {output}, but has no `text`");
        let help = "say where the answer is in it: text = \"/result\"".to_owned();
        tell(faults, &origin, format!("{key}.output"), message, help);
    }
}
