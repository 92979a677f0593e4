//! What a piece of work wrote and must not have: planning writes no code, judging writes nothing, and nobody writes
//! agentd's own files. What is found is kept, taken back and named.

use std::path::Path;

use super::error::EngineError;
use super::git::{Commit, Workspace};
use super::ownership::may_write;
use super::snapshot::Snapshot;
use crate::flow::Step;
use crate::models::agent::{AgentSettings, Permissions};

/// A round after its agent has answered.
pub(super) struct Scene<'a> {
    pub(super) step: &'a Step,
    pub(super) agent: &'a AgentSettings,
    pub(super) worktree: &'a Workspace,
    pub(super) start: &'a Commit,
    pub(super) change: &'a Path,
    pub(super) before: &'a Snapshot,
    pub(super) run: &'a Path,
}

/// Takes back what must not have been written. What it could have meant well is put back and listed; what it
/// must never do is an error.
pub(super) fn take_back(scene: &Scene<'_>) -> Result<Vec<String>, EngineError> {
    let in_worktree = in_worktree(scene)?;
    let Scene { step, change, before, .. } = *scene;
    let kept = scene.run.join("elsewhere");
    let mut names = put_back(before, change, &kept, |path| !may_write(step, path))?;
    if let Some((files, patch)) = in_worktree {
        names.extend(files);
        return Err(elsewhere(scene, names, Some(patch)));
    }
    if step.is_document() && step.judges.is_some() && !names.is_empty() {
        Err(elsewhere(scene, names, Some(scene.run.join("elsewhere"))))
    } else {
        Ok(names)
    }
}

/// Puts files of a change back that are strays, and gives their names. What had become of them is kept in a folder.
pub(super) fn put_back(
    before: &Snapshot,
    change: &Path,
    kept: &Path,
    is_stray: impl Fn(&Path) -> bool,
) -> Result<Vec<String>, EngineError> {
    let now = Snapshot::take(change).map_err(EngineError::io("read", change))?;
    let mut strays = before.differences(&now);
    strays.retain(|path| is_stray(path));
    // A file that was made a folder, or the other way round, cannot stay beside what is put back.
    strays.extend(before.in_the_way(&now, &strays));
    strays.sort();
    strays.dedup();
    if !strays.is_empty() {
        now.copy(kept, &strays).map_err(EngineError::io("keep files in", kept))?;
        before.put_back(change, &strays).map_err(EngineError::io("put back files of", change))?;
    }
    Ok(strays.iter().map(|path| path.display().to_string()).collect())
}

fn elsewhere(
    scene: &Scene<'_>,
    files: Vec<String>,
    patch: Option<std::path::PathBuf>,
) -> EngineError {
    let (step, agent) = (scene.step.name.to_string(), scene.agent.name.clone());
    EngineError::WroteElsewhere { step, agent, files, patch }
}

/// Looks for edits in a workspace that was only to be looked at, keeps them as a patch, and takes them back.
fn in_worktree(
    scene: &Scene<'_>,
) -> Result<Option<(Vec<String>, std::path::PathBuf)>, EngineError> {
    if scene.step.writes_code() {
        return Ok(None);
    }
    let changes = scene.worktree.changes_since(scene.start)?;
    if changes.is_empty() {
        return Ok(None);
    }
    let patch = scene.run.join("elsewhere.patch");
    // Whoever may run commands, which write as they like, did not mean it.
    let may_run_commands = scene.agent.permissions.in_step(scene.step) == Permissions::Shell;
    if !may_run_commands {
        scene.worktree.save_patch(scene.start, &patch)?;
    }
    scene.worktree.restore(scene.start)?;
    let files = changes.iter().map(|path| path.display().to_string()).collect();
    // Checks that a reviewer runs may leave files; the room is cleared and they are forgotten.
    Ok((!may_run_commands).then_some((files, patch)))
}
