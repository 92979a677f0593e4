//! `IMPLEMENTATION.md`: its sections, and every task of the change with its status.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{Document, Part};
use super::fault::{FileFault, quote};
use super::sections;
use crate::prompt::blocks::{IMPLEMENTATION, TASKS};
use crate::prompt::tasks::id_and_title;
use crate::template::TaskStatus;

/// Returns what is wrong with a report on an implementation; `tasks` are the ids of the change's tasks, where they are
/// known.
pub(super) fn check(path: &str, text: &str, tasks: Option<&[String]>) -> Vec<FileFault> {
    let (document, mut faults) = Document::read(path, text);
    faults.extend(sections::check(&document, &IMPLEMENTATION));
    if let Some(section) = sections::filled(&document, TASKS) {
        faults.extend(of_tasks(&document, &section, tasks));
    }
    faults
}

fn of_tasks(
    document: &Document<'_>,
    section: &Part<'_>,
    tasks: Option<&[String]>,
) -> Vec<FileFault> {
    let mut faults = Vec::new();
    let known: Option<BTreeSet<&str>> = tasks.map(|ids| ids.iter().map(String::as_str).collect());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for part in document.parts(3, section.body) {
        let mut fault = |message: String, help: &str| {
            faults.push(document.fault(Some(part.line), &message, help));
        };
        let Some((id, _)) = id_and_title(part.title) else {
            let message = format!("`{}` does not start with the id of a task", quote(part.title));
            fault(message, "give each task a heading of level 3: `### 1.1 Title`");
            continue;
        };
        if known.as_ref().is_some_and(|known| !known.contains(id.as_str())) {
            fault(format!("`{id}` is not a task of tasks.md"), "use the ids of tasks.md");
        }
        if let Some(first) = seen.get(&id) {
            fault(format!("task `{id}` is repeated; the first is on line {first}"), "merge them");
            continue;
        }
        if let Err(message) = status(&document.prose(&part)) {
            fault(
                format!("task `{id}` {message}"),
                "write one of the two: `- status: COMPLETED` or `- status: FAILED`",
            );
        }
        seen.insert(id, part.line);
    }
    let missing = tasks.unwrap_or_default().iter().filter(|id| !seen.contains_key(*id));
    for id in missing {
        let help = format!(
            "add `### {id} Title` with its status, also if it was done in an earlier round"
        );
        faults.push(document.fault(Some(section.line), &format!("task `{id}` is missing"), &help));
    }
    faults
}

/// Finds the line `status: …` of a task and reads it.
fn status(prose: &str) -> Result<TaskStatus, String> {
    let value = prose.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        name.eq_ignore_ascii_case("status").then_some(value)
    });
    let value = value.ok_or_else(|| "has no status".to_owned())?;
    let words =
        value.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(2).collect();
    match (words.first().and_then(|word| known_status(word)), words.get(1)) {
        // The skeleton's own `COMPLETED or FAILED`.
        (Some(_), Some(&"or")) => Err("has two statuses".to_owned()),
        (Some(status), _) => Ok(status),
        (None, _) => Err(format!("has an unknown status: `{}`", quote(value))),
    }
}

fn known_status(word: &str) -> Option<TaskStatus> {
    TaskStatus::ALL.iter().copied().find(|status| status.word().eq_ignore_ascii_case(word))
}
