//! The prompt that a change's next call would send, put together without writing anything in the project, its
//! repository or the user's folders.

use std::path::Path;

use super::error::WorkflowError;
use super::history::History;
use super::instructions::instructions;
use super::setup::Setup;
use super::supplies::supplies;
use super::work::Work;
use crate::models::change::ChangeId;
use crate::models::prompt::UnifiedPrompt;
use crate::orchestrator::{Orchestrator, Place};
use crate::template::Phase;

/// Puts together the prompt of a phase as the driver would, from what is known of a change whose folder may be none.
pub fn preview(
    setup: &Setup,
    id: &ChangeId,
    folder: &Path,
    history: &History,
    phase: Phase,
) -> Result<UnifiedPrompt, WorkflowError> {
    let agent = setup
        .agents
        .get(&phase)
        .cloned()
        .ok_or(WorkflowError::NoAgent { work: Work::Phase(phase) })?;
    // The driver works in a worktree, which is not made here: its names alone show in a prompt.
    let sketch = tempfile::tempdir().map_err(WorkflowError::io("make a folder beside", folder))?;
    setup.repository.sketch(&setup.code_commit(history)?, sketch.path())?;
    let mut place = Place::new(&setup.project.root, &setup.guard);
    sketch.path().clone_into(&mut place.workspace);
    place.environment.clone_from(&setup.environment);
    let orchestrator =
        Orchestrator::new(agent, place).with_supplied(supplies(setup, folder, history, phase)?);
    Ok(orchestrator.prompt(id, phase, &instructions(history, phase))?)
}
