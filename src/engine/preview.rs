//! The prompt that a change's next call would send, put together without writing anything in the project, its
//! repository or the user's folders.

use std::path::Path;

use super::error::EngineError;
use super::history::History;
use super::instructions::instructions;
use super::machine::Stage;
use super::setup::Setup;
use super::snapshot::Snapshot;
use super::supplies::supplies;
use super::work::Work;
use crate::models::change::ChangeId;
use crate::orchestrator::{Composed, Orchestrator, Place};
use crate::template::Phase;

/// Names what a prompt lacks that comes after checks.
pub const CHECKS_FIRST: &str =
    "the project's checks are run first, and what they print is not in this prompt";

/// The prompt that a change's next call would send.
#[derive(Clone, Debug)]
pub struct Preview {
    /// What would be sent.
    pub composed: Composed,
    /// What a run does before it sends the prompt, and what may differ for that reason: a sentence each.
    pub reservations: Vec<String>,
}

/// Puts together the prompt of a phase as the driver would, from what is known of a change whose folder may be none.
pub fn preview(
    setup: &Setup,
    id: &ChangeId,
    folder: &Path,
    history: &History,
    phase: Phase,
) -> Result<Preview, EngineError> {
    let agent = setup
        .agents
        .get(&phase)
        .cloned()
        .ok_or(EngineError::NoAgent { work: Work::Phase(phase) })?;
    // The driver works in a worktree, which is not made here: its names alone show in a prompt.
    let sketch = tempfile::tempdir().map_err(EngineError::io("make a folder beside", folder))?;
    setup.repository.sketch(&setup.code_commit(history)?, sketch.path())?;
    let mut place = Place::new(&setup.project.root, &setup.guard);
    sketch.path().clone_into(&mut place.workspace);
    place.environment.clone_from(&setup.environment);
    let orchestrator =
        Orchestrator::new(agent, place).with_supplied(supplies(setup, folder, history, phase)?);
    let composed = orchestrator.outgoing(id, phase, &instructions(history, phase))?;
    Ok(Preview { composed, reservations: reservations(setup, id, folder, history, phase)? })
}

/// Lists what a run does first, so that its prompt may differ from one that is put together now.
fn reservations(
    setup: &Setup,
    id: &ChangeId,
    folder: &Path,
    history: &History,
    phase: Phase,
) -> Result<Vec<String>, EngineError> {
    let mut reservations = Vec::new();
    if matches!(history.state.stage, Stage::Verify(_)) {
        reservations.push(CHECKS_FIRST.to_owned());
    }
    if history.started.as_ref().is_some_and(|started| started.phase == phase) {
        reservations.push(cut_off(folder, phase)?);
    }
    if phase == Phase::Implement && !setup.worktree.setup.is_empty() && !setup.desk(id).exists() {
        reservations.push(
            "a run first sets up the worktree: files that this makes and git does not ignore are not in \
             PROJECT_STRUCTURE here"
                .to_owned(),
        );
    }
    Ok(reservations)
}

/// Describes what going on with a phase that was cut off does to the files that the prompt holds.
fn cut_off(folder: &Path, phase: Phase) -> Result<String, EngineError> {
    let read = EngineError::io("read", folder);
    let now = Snapshot::take(folder).map_err(read)?;
    // Without a snapshot a run takes the files as they are.
    let changed = Snapshot::kept(folder).map_or(Vec::new(), |before| before.differences(&now));
    let names: Vec<_> = changed.iter().map(|path| format!("`{}`", path.display())).collect();
    let files = if names.is_empty() {
        String::new()
    } else {
        format!(
            "; this prompt is made of the files as they are, and a run first sets back {}",
            names.join(", ")
        )
    };
    Ok(format!(
        "{phase} was cut off: a run takes the answer that the agent has left, if there is one, and sends nothing{files}"
    ))
}
