//! A step of kind `archive`: what it does is in the journal before it is done, and the workspaces are removed.

use std::path::Path;
use std::time::Duration;

use log::warn;

use super::archive::{self, ArchiveError, ArchivePlan};
use super::driver::Driver;
use super::entry::{Entry, Started};
use super::error::EngineError;
use super::event::Event;
use super::expected::{self, ChangeFiles};
use super::setup::Setup;
use super::today::day_of;
use crate::files::OrFailed as _;
use crate::flow::{Outcome, Step, StepId, Subject};
use crate::prompt::confined::ConfinedFolder;

/// How long an archive waits for another that is being put in place, before it looks again.
const PAUSE: Duration = Duration::from_millis(50);

/// Where the state of a change keeps what its archive replaced.
pub(super) const REPLACED: &str = "replaced";

/// How often an archive is planned again because others wrote to the same files.
const MOST_PLANS: u32 = 200;

impl Driver<'_> {
    /// Puts the change away.
    pub(super) async fn put_away(&mut self, id: StepId) -> Result<(), EngineError> {
        let step = self.step(id).clone();
        let root = self.setup.project.folder();
        if self.change.history.started.is_none() {
            let (repository, branch) = (&self.setup.repository, Setup::branch(&self.change.id));
            if let Some(written) = &self.change.history.written {
                // What is archived can be merged, and no clean-up of git removes it.
                repository.restore_branch(&branch, written)?;
            }
            if let Some(code) = self.change.history.code() {
                // Nobody has looked at what was added to the branch since then.
                repository.refuse_moved(&branch, code)?;
            }
            self.change.happened(Entry::Started(Started {
                step: step.name.to_string(),
                round: self.change.history.rounds(id) + 1,
                agent: None,
                first_run: self.last_run()? + 1,
                commit: self.code_commit()?,
                specs: None,
            }))?;
        }
        let plan = self.applied(&step, &root).await?;
        let folder = root.join(plan.target());
        self.change.moved_to(&folder);
        let finished = self.finished(&step, Outcome::Done, self.code_commit()?)?;
        self.change.happened(Entry::Finished(finished))?;
        self.watch.event(&Event::Archived { folder: &folder });
        Ok(())
    }

    /// Puts the archive in place as it was planned; where others changed the same files meanwhile, it is planned again.
    async fn applied(&mut self, step: &Step, root: &Path) -> Result<ArchivePlan, EngineError> {
        let mut plan = self.change.history.applying.clone();
        for _ in 0..MOST_PLANS {
            let due = match plan.take() {
                Some(plan) => plan,
                None => self.planned(step, root)?,
            };
            archive::keep_replaced(&due, root, &self.change.state.join(REPLACED))?;
            match archive::apply(&due, root) {
                Ok(()) => return Ok(due),
                Err(ArchiveError::Busy) => plan = Some(due),
                Err(ArchiveError::Changed { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            if !self.cancel.sleep(PAUSE).await {
                return Err(EngineError::Interrupted);
            }
        }
        Err(ArchiveError::Busy.into())
    }

    fn planned(&mut self, step: &Step, root: &Path) -> Result<ArchivePlan, EngineError> {
        let plan = self.plan_archive(step, root)?;
        self.change.happened(Entry::Applying { plan: plan.clone() })?;
        Ok(plan)
    }

    fn plan_archive(&self, step: &Step, root: &Path) -> Result<ArchivePlan, EngineError> {
        let (id, history) = (&self.change.id, &self.change.history);
        let date = day_of(history.changed_ms).ok_or(EngineError::NoDay)?;
        if step.merges.is_none() {
            return Ok(archive::plan_move(id, id.as_str(), &date, &archive::look(root)?));
        }
        let folder =
            ConfinedFolder::open(&self.change.folder).or_failed("open", &self.change.folder)?;
        let files = ChangeFiles::read(&folder)?;
        let title = files.get("proposal.md").and_then(expected::title);
        let title = title.as_deref().unwrap_or(id.as_str());
        let baseline = &history.specs;
        let change = archive::Change { id, title, date: &date, files: &files, baseline };
        Ok(archive::plan(change, &archive::look(root)?)?)
    }

    /// Returns the hashes of the project's specs where a step is written for them: it makes the plan of a change whose archive merges
    /// specs, or it writes what is merged, where nothing was planned or a person rejected the change again.
    pub(super) fn specs_for(&self, step: &Step) -> Result<Option<archive::Baseline>, EngineError> {
        let (history, is_plan) =
            (&self.change.history, |step: &Step| step.changes == Some(Subject::Plan));
        let steps = &history.flow.steps;
        let is_now = !steps.iter().any(is_plan) || !history.rejections.is_empty();
        let is_written = is_plan(step) || (step.makes_archive() && is_now);
        if !is_written || !steps.iter().any(|step| step.merges.is_some()) {
            return Ok(None);
        }
        let root = self.setup.project.folder();
        let folder = ConfinedFolder::open(&root).or_failed("open", &root)?;
        Ok(Some(archive::baseline(&folder)?))
    }

    /// Removes the workspaces of a change that is done. The branch stays, and so does a workspace that holds what is nowhere
    /// else: that is said, and is no failure.
    pub(super) fn clear_away(&self) {
        let id = &self.change.id;
        if let Err(error) = self.remove_workspaces() {
            warn!("a workspace of `{id}` stays: {error}");
        }
    }
}
