//! The coders at work: the groups of the schedule in their order, the plans of a parallel group at once, or one coder
//! for all of them. What each has done is in the journal before anything relies on it.

use std::collections::BTreeSet;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::crew::Crew;
use super::driver::Stint;
use super::entry::{PlanDone, StepResult};
use super::lineup::Lineup;
use super::marker;
use super::plans::{scheduled, spoilt};
use super::step::TeamStep;
use super::turn::{Table, Turn};
use crate::engine::driver::Driver;
use crate::engine::entry::Entry;
use crate::engine::error::EngineError;
use crate::engine::event::Event;
use crate::engine::expected::FileFault;
use crate::engine::git::Worktree;
use crate::engine::ground::Ground;
use crate::engine::lanes::{LaneEvent, LaneRecords, LaneState, Site, run_group, run_serial};
use crate::engine::schedule::{Lane, LaneGroup, Schedule};
use crate::engine::setup::Setup;
use crate::engine::snapshot::Snapshot;
use crate::engine::spent;
use crate::engine::work::Work;
use crate::models::change::ChangeId;
use crate::models::plan::{Mode, OwnedPattern, PlanIndex};
use crate::process::Cancel;

impl Driver<'_> {
    /// Has every plan that is due carried out.
    pub(super) async fn code(&mut self, stint: &Stint) -> Result<(), EngineError> {
        if self.setup.team.single_coder {
            self.code_alone(stint).await?;
        } else {
            while let Some((mode, plans)) = self.team()?.state.due_plans() {
                self.code_group(stint, mode, &plans).await?;
            }
            if stint.is_resumed {
                self.clear_merged().await?;
            }
        }
        let commit = self.code_commit()?;
        let folder = &self.change.folder;
        let usage = spent::spent_from(folder, stint.started.first_run)
            .map_err(EngineError::io("read the runs of", folder))?;
        self.end_step(TeamStep::Coders, (StepResult::Made, None), commit, &usage)
    }

    /// Has the plans of a group carried out, and their code brought together.
    async fn code_group(
        &mut self,
        stint: &Stint,
        mode: Mode,
        plans: &[PlanIndex],
    ) -> Result<(), EngineError> {
        self.mend_plans(stint)?;
        let schedule = self.schedule()?;
        let (id, folder, cancel) =
            (self.change.id.clone(), self.change.folder.clone(), self.cancel.clone());
        let site = site(self.setup, (&id, &folder), self.desk()?, cancel);
        let crew = Crew {
            setup: self.setup,
            folder: folder.clone(),
            agent: stint.agent.clone(),
            facts: self.facts(),
            records: self.team()?.lanes.clone(),
            before: &stint.before,
            earlier: self.runs_of(stint)?,
            watch: Arc::clone(&self.watch),
            cancel: self.cancel.clone(),
            allowance: Arc::clone(&self.allowance),
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
                let event = self.without_secrets_in(event);
                self.change.happened(Entry::Lane(event.clone()))?;
                watch.event(&Event::Lane(&event));
                Ok(())
            };
            match mode {
                Mode::Parallel => {
                    run_group(&site, &lanes, &crew.records, &crew, &mut journal).await
                }
                Mode::Serial => run_serial(&site, &lanes, &crew.records, &crew, &mut journal).await,
            }
        };
        self.tidy_after_coders(stint)?;
        unfinished(&id, &result?, (plans, &schedule), mode)
    }

    /// Reads the schedule that is carried out, which others may have changed since it was made.
    pub(super) fn schedule(&self) -> Result<Schedule, EngineError> {
        let id = &self.change.id;
        let schedule = scheduled(&format!("agentd/changes/{id}"), &self.papers()?)?;
        schedule.map_err(|faults| EngineError::Schedule { id: id.clone(), faults })
    }

    /// Clears away what is merged of a step that was cut off: it may have been so just before it was cleared away.
    async fn clear_merged(&self) -> Result<(), EngineError> {
        let place = (&self.change.id, self.change.folder.as_path());
        let site = site(self.setup, place, self.desk()?, self.cancel.clone());
        let team = self.team()?;
        for unit in team.state.lineup.iter().flat_map(Lineup::units) {
            if let LaneState::Merged { commit, .. } = team.lanes.state(unit.plan) {
                site.clear_away(unit.plan, commit.clone()).await?;
            }
        }
        Ok(())
    }

    /// Puts back plans and tasks that say something else than was planned: a coder that was cut off while it ticked a task
    /// may have left half a file.
    fn mend_plans(&self, stint: &Stint) -> Result<(), EngineError> {
        let (papers, folder) = (self.papers()?, &self.change.folder);
        let mut files = Vec::new();
        for unit in self.team()?.state.lineup.iter().flat_map(Lineup::units) {
            files.extend(spoilt(&papers, &stint.before, unit.plan)?);
        }
        if files.is_empty() {
            return Ok(());
        }
        let paths: Vec<_> = files.iter().map(PathBuf::from).collect();
        let put_back = stint.before.put_back(folder, &paths);
        put_back.map_err(EngineError::io("put back files of", folder))?;
        self.watch.event(&Event::PlansMended { files: &files });
        Ok(())
    }

    /// Lists the runs of a step that was cut off, whose answers may be made use of.
    fn runs_of(&self, stint: &Stint) -> Result<Vec<PathBuf>, EngineError> {
        if !stint.is_resumed || stint.started.agent != stint.agent.name {
            return Ok(Vec::new());
        }
        self.runs(stint.started.first_run.max(self.change.history.last_run + 1))
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

    /// Puts back what coders must not have written in the change's folder. Several write at once, so that this is done
    /// when all have ended.
    fn tidy_after_coders(&mut self, stint: &Stint) -> Result<(), EngineError> {
        self.change.restore_journal()?;
        let work = Work::Step(TeamStep::Coders);
        self.put_back(&stint.before, |path| !work.may_write(path))
    }

    /// Has one coder carry out every plan that is due, with one prompt; markers say which are done.
    async fn code_alone(&mut self, stint: &Stint) -> Result<(), EngineError> {
        let turn = Turn::Step(TeamStep::Coders);
        let start = self.code_commit()?;
        let worktree = Arc::new(self.desk()?);
        let ground = Ground { worktree, start, before: stint.before.clone(), spared: None };
        let session = self.session(&ground);
        let orchestrator = self.caller(stint, &ground);
        let orchestrator = self.ready(stint, &ground, &session, orchestrator)?;
        self.set_up_desk(&ground.worktree).await?;
        let table = Table {
            session: &session,
            agent: &stint.agent,
            handover: self.setup.team.delivery,
            orchestrator: &orchestrator,
        };
        let taken = table.take(turn).await;
        self.look_after_step(stint, &ground, taken)?;
        let mut faults = self.undone(&stint.before)?;
        if !faults.is_empty() || table.has_answer(turn, &turn.name_of_second()) {
            self.watch.event(&Event::FilesAskedAgain { faults: &faults });
            let taken = table.take_again(turn, &faults).await;
            self.look_after_step(stint, &ground, taken)?;
            faults = self.undone(&stint.before)?;
        }
        if !faults.is_empty() {
            let agent = stint.agent.name.clone();
            return Err(EngineError::Files { work: Work::Step(TeamStep::Coders), agent, faults });
        }
        let message =
            format!("agentd: {}, every plan\n\nBy agent {}.\n", self.change.id, stint.agent.name);
        ground.worktree.commit_all(&message)?;
        let commit = ground.worktree.head()?;
        while let Some((_, plans)) = self.team()?.state.due_plans() {
            for plan in plans {
                self.change.happened(Entry::PlanDone(PlanDone { plan, commit: commit.clone() }))?;
            }
        }
        Ok(())
    }

    /// Lists what keeps the plans that are due from being done.
    fn undone(&self, before: &Snapshot) -> Result<Vec<FileFault>, EngineError> {
        let mut faults = Vec::new();
        for unit in self.team()?.state.open_units() {
            faults.extend(marker::unfinished(&self.change.folder, unit.plan, before)?);
        }
        Ok(faults)
    }
}

fn site<'s>(
    setup: &'s Setup,
    (id, folder): (&'s ChangeId, &'s Path),
    desk: Worktree,
    cancel: Cancel,
) -> Site<'s> {
    let max_parallel = NonZeroUsize::new(setup.team.max_parallel as usize);
    let max_parallel = max_parallel.unwrap_or(NonZeroUsize::MIN);
    Site { setup, id, folder, desk: Arc::new(desk), max_parallel, cancel }
}

/// Gives the number of a plan as prompts know it.
pub(super) fn number(plan: u32) -> NonZeroU32 {
    NonZeroU32::new(plan).unwrap_or(NonZeroU32::MIN)
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

/// Tells of the plans that are not done, if any.
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
            "plan {} wrote what it does not own: {}; {}all that it did is on branch `{}`",
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
