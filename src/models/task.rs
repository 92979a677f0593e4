//! The tasks of a change, as `tasks.md` lists them.

use thiserror::Error;

/// A task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Its id, two numbers: `1.2`.
    pub id: String,
    /// What is to be done.
    pub title: String,
    /// Whether its checkbox is ticked.
    pub done: bool,
    /// The ids of the tasks that come before it.
    pub depends: Vec<String>,
    /// The files that it is expected to change.
    pub files: Vec<String>,
    /// The ids of the requirements that it serves.
    pub requirements: Vec<String>,
    /// What proves it done.
    pub check: Option<String>,
    /// The line of its checkbox.
    pub line: usize,
}

/// What is wrong with a `tasks.md`.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TaskError {
    /// There is no task in it.
    #[error("tasks.md: no tasks")]
    NoTasks,
    /// Something that looks like a task has no checkbox.
    #[error("tasks.md:{line}: `{text}` has no checkbox")]
    MissingCheckbox {
        /// Its line.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// What follows a checkbox does not begin with an id.
    #[error("tasks.md:{line}: `{text}` does not start with an id")]
    BadId {
        /// Its line.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// An id was given before.
    #[error("tasks.md:{line}: the id `{id}` is already used on line {first}")]
    DuplicateId {
        /// Its line.
        line: usize,
        /// The id.
        id: String,
        /// The line of the task that has it.
        first: usize,
    },
    /// A task has an id and nothing else.
    #[error("tasks.md:{line}: task `{id}` has no title")]
    NoTitle {
        /// Its line.
        line: usize,
        /// The task.
        id: String,
    },
    /// A task depends on one that is not there.
    #[error("tasks.md:{line}: task `{id}` depends on `{dependency}`, which is not a task")]
    UnknownDependency {
        /// The task's line.
        line: usize,
        /// The task.
        id: String,
        /// What it depends on.
        dependency: String,
    },
    /// Tasks depend on each other in a circle.
    #[error("tasks.md:{line}: tasks depend on each other: {}", .ids.join(" -> "))]
    DependencyCycle {
        /// The line of the first of them.
        line: usize,
        /// The tasks, each depending on the next; the last is the first again.
        ids: Vec<String>,
    },
}

impl TaskError {
    /// Returns what to do about it.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::NoTasks => "list the tasks as `- [ ] 1.1 Title`",
            Self::MissingCheckbox { .. } => {
                "write a task as a list item with a checkbox: `- [ ] 1.1 Title`"
            }
            Self::BadId { .. } => {
                "start a task with an id of two numbers, `- [ ] 1.1 Title`, or write other items \
                 without a checkbox"
            }
            Self::DuplicateId { .. } => "give each task its own id",
            Self::NoTitle { .. } => "write the title after the id, on the same line",
            Self::UnknownDependency { .. } => {
                "name ids of this file, separated by commas, or `none`: `depends: 1.1, 1.2`"
            }
            Self::DependencyCycle { .. } => "remove one of these dependencies",
        }
    }

    /// Returns the line, where it is about one.
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::NoTasks => None,
            Self::MissingCheckbox { line, .. }
            | Self::BadId { line, .. }
            | Self::DuplicateId { line, .. }
            | Self::NoTitle { line, .. }
            | Self::UnknownDependency { line, .. }
            | Self::DependencyCycle { line, .. } => Some(*line),
        }
    }
}
