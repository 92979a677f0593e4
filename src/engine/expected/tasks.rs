//! `tasks.md`: tasks that can be read, with titles of their own, for requirements that exist.

use std::collections::BTreeSet;

use super::fault::{FileFault, quote};
use super::placeholder::has_own_words;
use crate::models::task::{Task, TaskError};
use crate::prompt::tasks::{read, read_leniently};

/// Returns what is wrong with a list of tasks; `requirements` are the ids that its tasks may name, where they are known.
pub(super) fn check(
    path: &str,
    text: &str,
    requirements: Option<&BTreeSet<String>>,
) -> Vec<FileFault> {
    match read(text) {
        Err(errors) => errors.iter().map(|error| unreadable(path, error)).collect(),
        Ok(tasks) => tasks.iter().flat_map(|task| of_task(path, task, requirements)).collect(),
    }
}

/// Lists the ids of the tasks.
pub(super) fn ids(text: &str) -> Vec<String> {
    read_leniently(text).into_iter().map(|task| task.id).collect()
}

fn unreadable(path: &str, error: &TaskError) -> FileFault {
    // The error names the file and the line itself, and a fault has them apart.
    let message = error.to_string();
    let message = message.split_once(": ").map_or(message.as_str(), |(_, message)| message);
    FileFault::new(path, error.line(), message, error.help())
}

fn of_task(path: &str, task: &Task, requirements: Option<&BTreeSet<String>>) -> Vec<FileFault> {
    let mut faults = Vec::new();
    if !has_own_words(&task.title) {
        let message = format!("task `{}` has no title", task.id);
        let help = "say after the id what to do";
        faults.push(FileFault::new(path, Some(task.line), &message, help));
    }
    let Some(known) = requirements else { return faults };
    for id in task.requirements.iter().filter(|id| !known.contains(*id)) {
        let message = format!(
            "task `{}` names `{}`, which is not a requirement of the specs",
            task.id,
            quote(id)
        );
        let help = "name ids of the specs, separated by commas: `requirements: R1, R2`";
        faults.push(FileFault::new(path, Some(task.line), &message, help));
    }
    faults
}
