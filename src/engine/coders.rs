//! The coders at work: the groups of the schedule in their order, the plans of a parallel group at once, or one coder
//! for all of them. What each has done is in the journal before anything relies on it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::accept::Taken;
use super::call_log::used_from;
use super::coder::Coders;
use super::driver::{Driver, UnderWay};
use super::entry::Entry;
use super::error::EngineError;
use super::event::Event;
use super::git::{Commit, Workspace};
use super::lanes::{LaneEvent, LaneRecords, LaneState, Site, run_group, run_serial};
use super::outbox::Outbox;
use super::ownership::may_write;
use super::plan_order::PlanOrder;
use super::roles::plans::scheduled;
use super::schedule::{Lane, LaneGroup, PLANNING, Schedule};
use super::setup::Setup;
use crate::flow::{Outcome, Step};
use crate::models::change::ChangeId;
use crate::models::plan::{Mode, OwnedPattern, PlanIndex};
use crate::process::Cancel;

impl Driver<'_> {
    /// Has every plan that is due carried out.
    pub(super) async fn code(&mut self, work: &UnderWay) -> Result<(), EngineError> {
        while let Some((mode, plans)) = self.change.history.due_plans() {
            if self.code_group(work, mode, &plans).await? == Group::Blocked {
                return Ok(());
            }
        }
        if work.is_resumed {
            self.clear_merged().await?;
        }
        self.change.take_calls()?;
        let usage = used_from(&self.change.history.calls, work.started.first_run);
        let finished = self.finished(&work.step, Outcome::Done, self.code_commit()?)?;
        self.end(&work.step, finished, &usage)
    }

    /// Has the plans of a group carried out, and their code brought together.
    async fn code_group(
        &mut self,
        work: &UnderWay,
        mode: Mode,
        plans: &[PlanIndex],
    ) -> Result<Group, EngineError> {
        let schedule = self.schedule()?;
        let (id, folder, cancel) =
            (self.change.id.clone(), self.change.folder.clone(), self.cancel.clone());
        let state = self.change.state.clone();
        let site = site(self.setup, (&id, &state), (self.desk()?, self.code_commit()?), cancel);
        let coders = Coders {
            setup: self.setup,
            step: &work.step,
            id: &id,
            folder,
            agent: work.agent.clone(),
            facts: self.facts(),
            records: self.change.history.lanes.clone(),
            before: &work.before,
            earlier: self.runs_of(work)?,
            watch: Arc::clone(&self.watch),
            cancel: self.cancel.clone(),
            budget: Arc::clone(&self.budget),
            questions: RefCell::default(),
        };
        let has_one =
            |group: &&LaneGroup| group.lanes().iter().any(|it| plans.contains(&it.index()));
        let group = schedule.groups().iter().find(has_one).map_or("", LaneGroup::id);
        self.watch.event(&Event::GroupStarted { group, mode, plans });
        let lanes = plans.iter().filter_map(|plan| schedule.lane(*plan));
        let lanes: Vec<_> = lanes.cloned().collect();
        let watch = Arc::clone(&self.watch);
        let result = {
            let mut journal = |event: &LaneEvent| -> Result<(), EngineError> {
                if let LaneEvent::Finished { plan, .. } = event {
                    self.take_lane(&work.step, *plan)?;
                }
                let event = self.without_secrets_in(event);
                self.change.happened(Entry::Lane(event.clone()))?;
                watch.event(&Event::Lane(&event));
                Ok(())
            };
            let records = &coders.records;
            match mode {
                Mode::Parallel => run_group(&site, &lanes, records, &coders, &mut journal).await,
                Mode::Serial => run_serial(&site, &lanes, records, &coders, &mut journal).await,
            }
        };
        let questions = coders.questions.take();
        let records = result?;
        if !questions.is_empty() {
            self.block(&work.step, &questions.join("\n"))?;
            return Ok(Group::Blocked);
        }
        unfinished(&id, &records, (plans, &schedule), mode).map(|()| Group::Done)
    }

    /// Reads the schedule that is carried out, which others may have changed since it was made.
    pub(super) fn schedule(&self) -> Result<Schedule, EngineError> {
        let id = &self.change.id;
        let schedule = scheduled(&format!("agentd/changes/{id}"), &self.papers()?)?;
        schedule.map_err(|faults| EngineError::Schedule { id: id.clone(), faults })
    }

    /// Clears away what is merged of a step that was cut off: it may have been so just before it was cleared away.
    async fn clear_merged(&self) -> Result<(), EngineError> {
        let place = (&self.change.id, self.change.state.as_path());
        let site =
            site(self.setup, place, (self.desk()?, self.code_commit()?), self.cancel.clone());
        let history = &self.change.history;
        for unit in history.schedule.iter().flat_map(PlanOrder::units) {
            if let LaneState::Merged { commit, .. } = history.lanes.state(unit.plan) {
                site.clear_away(unit.plan, commit.clone()).await?;
            }
        }
        Ok(())
    }

    /// Lists the runs of a step that was cut off, whose answers may be made use of.
    fn runs_of(&self, work: &UnderWay) -> Result<Vec<PathBuf>, EngineError> {
        if !work.is_resumed || work.started.agent.as_ref() != Some(&work.agent.name) {
            return Ok(Vec::new());
        }
        self.runs(work.started.first_run.max(self.change.history.next_run()))
    }

    /// Hides secrets in the words of a failure.
    fn without_secrets_in(&self, event: &LaneEvent) -> LaneEvent {
        match event {
            LaneEvent::Failed { plan, message } => {
                LaneEvent::Failed { plan: *plan, message: self.without_secrets(message) }
            }
            other => other.clone(),
        }
    }

    /// Takes what the coder of a plan left in its outbox: the marker and notes of its own, and the tasks that it ticked.
    fn take_lane(&mut self, step: &Step, plan: PlanIndex) -> Result<(), EngineError> {
        let tasks = format!("{PLANNING}/{}", plan.tasks_file());
        let folder = step.folder().unwrap_or_default();
        let is_own = |path: &Path| {
            may_write(step, path) && (path.starts_with(folder) || path == Path::new(&tasks))
        };
        let outbox = Outbox::of_plan(self.setup, &self.change.id, plan);
        // What others finished since is not this one's to take back.
        let accepted = self.change.began_with()?;
        let files = outbox.read(is_own)?.changed_since(&accepted);
        Ok(self.change.accept(&Taken { files, removed: Vec::new() })?)
    }
}

/// How a group of plans ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// Every plan is done.
    Done,
    /// A coder needs an answer from a person.
    Blocked,
}

fn site<'s>(
    setup: &'s Setup,
    (id, state): (&'s ChangeId, &'s Path),
    (desk, code): (Workspace, Commit),
    cancel: Cancel,
) -> Site<'s> {
    let max_parallel = NonZeroUsize::new(setup.team.max_parallel as usize);
    let max_parallel = max_parallel.unwrap_or(NonZeroUsize::MIN);
    Site { setup, id, state, desk: Arc::new(desk), code, max_parallel, cancel }
}

/// Explains, for each file that a plan owns and its coder took for a folder, how a folder is written.
fn taken_for_folders(lane: &Lane, files: &[String]) -> String {
    let owned: BTreeSet<_> =
        files.iter().filter_map(|file| lane.file_above(file)).map(OwnedPattern::as_str).collect();
    let plan = lane.index().get();
    let hint =
        |file| format!("plan {plan} owns `{file}` as a file: write `{file}/` for a folder; ");
    owned.into_iter().map(hint).collect()
}

/// Returns an error that names the plans that are not done, if any.
fn unfinished(
    id: &ChangeId,
    records: &LaneRecords,
    (plans, schedule): (&[PlanIndex], &Schedule),
    mode: Mode,
) -> Result<(), EngineError> {
    let reason = |plan: &PlanIndex| match (records.state(*plan), mode) {
        (LaneState::Merged { .. }, _) | (LaneState::Finished(_), Mode::Serial) => None,
        (LaneState::Failed(message), _) => Some(format!("plan {}: {message}", plan.get())),
        (LaneState::Quarantined { files, .. }, _) => Some(format!(
            "plan {} wrote files that it does not own: {}; {}all its changes are on branch `{}`",
            plan.get(),
            files.join(", "),
            schedule.lane(*plan).map(|lane| taken_for_folders(lane, files)).unwrap_or_default(),
            Site::branch(id, *plan)
        )),
        (LaneState::InConflict { files, .. }, _) => {
            Some(format!("plan {} conflicts with the others in {}", plan.get(), files.join(", ")))
        }
        (LaneState::Due | LaneState::Finished(_), _) => {
            Some(format!("plan {} is not done", plan.get()))
        }
    };
    let reasons: Vec<_> = plans.iter().filter_map(reason).collect();
    if reasons.is_empty() { Ok(()) } else { Err(EngineError::Plans { reasons }) }
}
