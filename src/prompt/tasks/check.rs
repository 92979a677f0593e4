//! Says what is wrong with a list of tasks, all at once.

use std::collections::HashMap;

use super::scan::{Found, Scan};
use crate::models::task::{Task, TaskError};

/// Lists everything that is wrong, by line.
pub(super) fn check(scan: &Scan) -> Vec<TaskError> {
    let mut errors = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (line, text) in &scan.strays {
        errors.push(TaskError::MissingCheckbox { line: *line, text: text.clone() });
    }
    for (number, Found { task, head, .. }) in scan.found.iter().enumerate() {
        let (line, id) = (task.line, task.id.clone());
        if id.is_empty() {
            errors.push(TaskError::BadId { line, text: head.clone() });
            continue;
        }
        let first = *numbers.entry(&task.id).or_insert(number);
        if first != number {
            let first = scan.found[first].task.line;
            errors.push(TaskError::DuplicateId { line, id: id.clone(), first });
        }
        if task.title.is_empty() {
            errors.push(TaskError::NoTitle { line, id });
        }
    }
    for Found { task, .. } in &scan.found {
        let unknown = task.depends.iter().filter(|id| !numbers.contains_key(id.as_str()));
        errors.extend(unknown.map(|dependency| TaskError::UnknownDependency {
            line: task.line,
            id: task.id.clone(),
            dependency: dependency.clone(),
        }));
    }
    let tasks: Vec<&Task> = scan.found.iter().map(|found| &found.task).collect();
    errors.extend(cycle(&tasks, &numbers));
    if errors.is_empty() && tasks.is_empty() {
        errors.push(TaskError::NoTasks);
    }
    errors.sort_by_key(TaskError::line);
    errors
}

/// Finds a circle of dependencies, if there is one: the tasks are walked depth first, each once.
fn cycle(tasks: &[&Task], numbers: &HashMap<&str, usize>) -> Option<TaskError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        Never,
        Open,
        Done,
    }
    let mut visits = vec![Visit::Never; tasks.len()];
    for start in 0..tasks.len() {
        if visits[start] != Visit::Never {
            continue;
        }
        visits[start] = Visit::Open;
        // The way from the start to the task that is looked at, and which dependency of each comes next.
        let mut way = vec![(start, 0)];
        while let Some((task, next)) = way.last_mut() {
            let Some(id) = tasks[*task].depends.get(*next) else {
                visits[*task] = Visit::Done;
                way.pop();
                continue;
            };
            *next += 1;
            let Some(dependency) = numbers.get(id.as_str()).copied() else { continue };
            match visits[dependency] {
                Visit::Done => {}
                Visit::Never => {
                    visits[dependency] = Visit::Open;
                    way.push((dependency, 0));
                }
                Visit::Open => {
                    let circle = way.iter().skip_while(|(task, _)| *task != dependency);
                    let mut ids: Vec<_> = circle.map(|(task, _)| tasks[*task].id.clone()).collect();
                    ids.push(id.clone());
                    return Some(TaskError::DependencyCycle { line: tasks[dependency].line, ids });
                }
            }
        }
    }
    None
}
