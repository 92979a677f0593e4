//! What a phase's prompt holds beside the change's own files: the project's specs, the diff, and earlier thoughts.

use std::path::Path;

use super::change::read_file;
use super::error::EngineError;
use super::history::History;
use super::setup::Setup;
use crate::files::{Failed, OrFailed as _};
use crate::flow::{Step, StepId, Subject};
use crate::models::marker::Marker;
use crate::models::prompt::{ContextItem, ContextKind};
use crate::orchestrator::markers::Answer;
use crate::orchestrator::prompts::materials::Supplied;
use crate::prompt::confined::{ConfinedFolder, io_error};

/// The name of the diff in a prompt's context.
const DIFF: &str = "changes.diff";

/// A kind of thing that a prompt holds beside the change's own files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// The project's specs.
    Specs,
    /// What the change has done to the code.
    Diff,
    /// The thoughts of the last answer in the same step.
    Thoughts,
}

impl Supply {
    /// Returns what the agent is to make of it.
    pub const fn why(self) -> &'static str {
        match self {
            Self::Specs => "a current spec of the project",
            Self::Diff => "what the change does to the code",
            Self::Thoughts => "your thoughts of the previous round",
        }
    }
}

/// Lists what the prompt of a step holds beside the change's own files, in order: whoever judges code sees the diff, whoever
/// works on documents the specs.
pub fn supplied(step: &Step) -> &'static [Supply] {
    match (step.judges, step.writes_code()) {
        (Some(Subject::Code), _) => &[Supply::Diff, Supply::Thoughts],
        (_, true) => &[Supply::Thoughts],
        (Some(Subject::Plan) | None, false) => &[Supply::Specs, Supply::Thoughts],
    }
}

/// Gathers what a step's prompt holds beside the change's own files.
pub(super) fn supplies(
    setup: &Setup,
    state: &Path,
    history: &History,
    step: StepId,
) -> Result<Vec<Supplied>, EngineError> {
    let mut supplies = Vec::new();
    for supply in supplied(history.flow.step(step)) {
        match supply {
            Supply::Specs => supplies.extend(specs(setup)?),
            Supply::Diff => supplies.extend(diff(setup, history)?),
            Supply::Thoughts if setup.context.thoughts => {
                supplies.extend(thoughts(state, history, step)?);
            }
            Supply::Thoughts => {}
        }
    }
    Ok(supplies)
}

/// Reads the specs that hold for the project as it is.
fn specs(setup: &Setup) -> Result<Vec<Supplied>, EngineError> {
    let root = &setup.project.root;
    let folder = ConfinedFolder::of_project(root).or_failed("open", root)?;
    let unreadable = |path: &str, fault| Failed::new("read", root.join(path), io_error(fault));
    let below = "agentd/specs";
    let names = folder.list(below, ".md").map_err(|fault| unreadable(below, fault))?;
    let paths: Vec<_> = names.iter().map(|name| format!("{below}/{name}")).collect();
    folder.size_together(&paths, 0).map_err(|fault| unreadable(below, fault))?;
    let mut specs = Vec::new();
    for path in paths {
        if let Some(content) = folder.read(&path).map_err(|fault| unreadable(&path, fault))? {
            let item = ContextItem { kind: ContextKind::File, name: path, content };
            specs.push(Supplied { item, why: Supply::Specs.why().into() });
        }
    }
    Ok(specs)
}

/// Returns what the change has done to the code.
fn diff(setup: &Setup, history: &History) -> Result<Option<Supplied>, EngineError> {
    let (Some(base), Some(commit)) = (&history.base, &history.written) else { return Ok(None) };
    let most = usize::try_from(setup.context.max_diff).unwrap_or(usize::MAX);
    let diff = setup.repository.diff(base, commit, most)?;
    let mut content = diff.text;
    for path in &diff.left_out {
        content.push_str(&format!(
            "\n(the part for `{}` is left out, since the diff would be too large: look at the file itself)\n",
            path.display()
        ));
    }
    let item = ContextItem { kind: ContextKind::Artifact, name: DIFF.to_owned(), content };
    Ok(Some(Supplied { item, why: Supply::Diff.why().into() }))
}

/// Returns the thoughts of the last answer in the same step.
fn thoughts(state: &Path, history: &History, step: StepId) -> Result<Vec<Supplied>, EngineError> {
    let run = history.finished.get(&step).and_then(|finished| finished.run.as_ref());
    let Some(run) = run else { return Ok(Vec::new()) };
    let path = format!("runs/{run}/response.txt");
    let Some(text) = read_file(state, &path)? else { return Ok(Vec::new()) };
    let markers = Answer::read(&text).markers.into_iter();
    let thoughts = markers.filter_map(|marker| match marker {
        Marker::Thought { text, .. } => Some(text),
        Marker::Review { .. } | Marker::Task { .. } | Marker::Blocked { .. } => None,
    });
    let name = |number: usize| format!("{run} {}", number + 1);
    let item = |(number, content)| {
        let item = ContextItem { kind: ContextKind::Thought, name: name(number), content };
        Supplied { item, why: Supply::Thoughts.why().into() }
    };
    Ok(thoughts.enumerate().map(item).collect())
}
