//! Gathers what a phase's prompt is made of: the project, the change's files and the agent's task.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use log::debug;
use thiserror::Error;

use super::inputs::Need;
use super::inputs::{ContextEntry, PromptInputs};
use crate::catalog::CATALOG;
use crate::flow::{Prompt, Reads, Step, Text};
use crate::models::agent::Delivers;
use crate::models::prompt::{ContextItem, ContextKind};
use crate::models::task::TaskError;
use crate::prompt::blocks::skeleton_of;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::tasks;
use crate::prompt::tree::tree;
use crate::template::{IncludeFault, Variable};

/// The files that may say what a project is; the first that is there does.
pub const PROJECT_FILES: [&str; 3] = ["agentd/project.md", "AGENTS.md", "CLAUDE.md"];

/// The list of tasks, below the change's folder.
const TASKS: &str = "tasks.md";

/// Where a step is at work.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The root of the user's project.
    pub project: &'a Path,
    /// The folder that the agent works in: the project, or a workspace of it.
    pub workspace: &'a Path,
    /// The change's folder.
    pub change: &'a Path,
    /// The same folder as the agent knows it.
    pub named: &'a Path,
}

/// A piece of context that is no file of the change: a diff, a spec of the project, an earlier thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supplied {
    /// The piece.
    pub item: ContextItem,
    /// What the agent is to make of it.
    pub why: Text,
}

/// Why the materials of a prompt cannot be had.
#[derive(Debug, Error)]
pub enum MaterialError {
    /// The change's folder or the project cannot be opened.
    #[error("cannot open `{}`: {source}", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be read, or must not be.
    #[error("cannot use `{}`: {fault}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        fault: IncludeFault,
    },
    /// A file without which the step makes no sense is not there.
    #[error("`{step}` needs `{}`, which is missing", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// The step.
        step: String,
    },
    /// The list of tasks is not in order.
    #[error("`{}` is invalid: {}", path.display(), listed(errors))]
    Tasks {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        errors: Vec<TaskError>,
    },
}

fn listed(errors: &[TaskError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Gathers the materials of a step's prompt.
pub fn gather(
    step: &Step,
    site: &Site<'_>,
    delivers: Delivers,
    supplied: &[Supplied],
) -> Result<PromptInputs, MaterialError> {
    let beside = supplied.iter().map(|piece| piece.item.content.len() as u64).sum();
    let mut pieces = artifacts(step, site.change, beside)?;
    let more = supplied.iter().cloned();
    pieces.extend(more.map(|Supplied { item, why }| ContextEntry {
        item,
        why,
        need: Need::IfThere,
    }));
    let mut values = BTreeMap::new();
    values
        .extend(project_context(site.project)?.map(|text| (Variable::ProjectContext, text.into())));
    values.insert(Variable::ProjectStructure, tree(site.workspace).into());
    let skeleton = skeleton_of(step, site.named, delivers);
    values.extend(skeleton.map(|text| (Variable::Skeleton, text.into())));
    if allows_tasks(step) {
        let shown = pieces.iter().find(|piece| piece.item.name == TASKS);
        let text = match shown {
            Some(piece) => Some(piece.item.content.clone()),
            // A step reports on the tasks whether or not it is shown the list.
            None if step.reports_tasks() => read(&open(site.change)?, site.change, TASKS)?,
            None => None,
        };
        if let Some(text) = text {
            let path = || site.change.join(TASKS);
            let tasks = tasks::read(&text)
                .map_err(|errors| MaterialError::Tasks { path: path(), errors })?;
            values.insert(Variable::Tasks, tasks::open_tasks(&tasks).into());
        }
    }
    Ok(PromptInputs::new(values, pieces))
}

/// Returns whether the template of a step may hold the tasks.
fn allows_tasks(step: &Step) -> bool {
    match step.prompt {
        Some(Prompt::System(phase)) => {
            let of_phase = CATALOG.templates.iter().filter(|template| template.phase == phase);
            of_phase.flat_map(|template| template.variables).any(|it| *it == Variable::Tasks)
        }
        Some(Prompt::Own | Prompt::Role(_) | Prompt::Command(_)) | None => true,
    }
}

/// Reads what says what the project is.
fn project_context(project: &Path) -> Result<Option<String>, MaterialError> {
    let folder = ConfinedFolder::of_project(project)
        .map_err(|source| MaterialError::NoFolder { path: project.to_owned(), source })?;
    for name in PROJECT_FILES {
        if let Some(text) = read(&folder, project, name)? {
            debug!("PROJECT_CONTEXT is `{name}`");
            return Ok(Some(text));
        }
    }
    Ok(None)
}

/// Reads the change's files that the phase wants; `beside` is how much else goes into the prompt.
fn artifacts(step: &Step, change: &Path, beside: u64) -> Result<Vec<ContextEntry>, MaterialError> {
    let folder = match open(change) {
        // A change that is not there yet has no files, which only a step that needs none can do without.
        Err(MaterialError::NoFolder { source, .. })
            if source.kind() == io::ErrorKind::NotFound
                && step.reads.iter().all(|file| file.is_optional) =>
        {
            return Ok(Vec::new());
        }
        folder => folder?,
    };
    let (mut pieces, mut together) = (Vec::new(), beside);
    for Reads { path, why, is_optional } in step.reads.iter() {
        let need = if *is_optional { Need::IfThere } else { Need::Required };
        let before = pieces.len();
        let names = expand(&folder, change, path)?;
        together = folder
            .size_together(&names, together)
            .map_err(|fault| MaterialError::Unreadable { path: change.to_owned(), fault })?;
        for name in names {
            if let Some(content) = read(&folder, change, &name)? {
                let item = ContextItem { kind: ContextKind::Artifact, name, content };
                pieces.push(ContextEntry { item, why: why.clone(), need });
            }
        }
        if need == Need::Required && pieces.len() == before {
            let (path, step) = (change.join(path.as_ref()), step.name.to_string());
            return Err(MaterialError::Missing { path, step });
        }
    }
    Ok(pieces)
}

/// Returns the names that a path of the table stands for.
fn expand(folder: &ConfinedFolder, root: &Path, path: &str) -> Result<Vec<String>, MaterialError> {
    let Some((below, ending)) = path.split_once("/*") else { return Ok(vec![path.to_owned()]) };
    let unreadable = |fault| MaterialError::Unreadable { path: root.join(below), fault };
    let names = folder.list(below, ending).map_err(unreadable)?;
    Ok(names.into_iter().map(|name| format!("{below}/{name}")).collect())
}

fn open(path: &Path) -> Result<ConfinedFolder, MaterialError> {
    ConfinedFolder::open(path)
        .map_err(|source| MaterialError::NoFolder { path: path.to_owned(), source })
}

fn read(folder: &ConfinedFolder, root: &Path, name: &str) -> Result<Option<String>, MaterialError> {
    folder.read(name).map_err(|fault| MaterialError::Unreadable { path: root.join(name), fault })
}
