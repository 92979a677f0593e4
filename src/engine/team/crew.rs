//! A coder for each plan: where a plan is carried out is decided by its lane, what its coder is told and must leave
//! behind is decided here.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::coders::number;
use super::facts::known_of_plan;
use super::marker::{open_plan, unfinished};
use super::step::TeamStep;
use super::turn::{Table, Turn};
use crate::engine::error::EngineError;
use crate::engine::event::{Event, Watch};
use crate::engine::expected::FileFault;
use crate::engine::ground::set_worktree_back;
use crate::engine::lanes::{Asking, LaneAnswer, LaneRecords, LaneRunner, Workplace};
use crate::engine::schedule::Lane;
use crate::engine::setup::Setup;
use crate::engine::snapshot::Snapshot;
use crate::engine::work::Work;
use crate::models::agent::AgentSettings;
use crate::models::plan::PlanIndex;
use crate::orchestrator::watch as call;
use crate::orchestrator::{Allowance, Answered, Orchestrator, Place};
use crate::process::Cancel;
use crate::prompt::team::{Facts, TeamSession};

/// The coders of a group.
pub(super) struct Crew<'c> {
    pub(super) setup: &'c Setup,
    /// The change's folder.
    pub(super) folder: PathBuf,
    pub(super) agent: AgentSettings,
    /// What prompts say of the change beyond its files.
    pub(super) facts: Facts,
    /// What became of the plans before this group was begun.
    pub(super) records: LaneRecords,
    /// The change's files as they were when the coders began.
    pub(super) before: &'c Snapshot,
    /// Runs that ended before agentd could make use of them.
    pub(super) earlier: Vec<PathBuf>,
    pub(super) watch: Arc<dyn Watch>,
    pub(super) cancel: Cancel,
    pub(super) allowance: Arc<Allowance>,
}

impl LaneRunner for Crew<'_> {
    fn may_begin(&self) -> Result<(), EngineError> {
        Ok(self.allowance.check()?)
    }

    fn has_left_over(&self, lane: &Lane) -> bool {
        let turn = Turn::Plan(number(lane.index().get()));
        let (session, orchestrator) = (self.session(lane, &self.folder), self.caller(lane, None));
        self.table(&session, &orchestrator).has_answer(turn, &turn.name())
    }

    async fn run(
        &self,
        lane: &Lane,
        place: &Workplace,
        asking: Asking,
    ) -> Result<LaneAnswer, EngineError> {
        let turn = Turn::Plan(number(lane.index().get()));
        let session = self.session(lane, place.worktree.path());
        let mut orchestrator = self.caller(lane, Some(place));
        if asking == Asking::Anew {
            orchestrator = orchestrator.with_earlier(Vec::new());
            open_plan(&self.folder, lane.index())?;
        }
        let table = self.table(&session, &orchestrator);
        let mut answered = table.take(turn).await?;
        let mut faults = self.undone(lane.index())?;
        if !faults.is_empty() || table.has_answer(turn, &turn.name_of_second()) {
            self.watch.event(&Event::FilesAskedAgain { faults: &faults });
            answered = table.take_again(turn, &faults).await?;
            faults = self.undone(lane.index())?;
        }
        if !faults.is_empty() {
            let (work, agent) = (Work::Step(TeamStep::Coders), self.agent.name.clone());
            return Err(EngineError::Files { work, agent, faults });
        }
        Ok(LaneAnswer { agent: self.agent.name.clone(), run: run_name(&answered) })
    }
}

impl Crew<'_> {
    fn session(&self, lane: &Lane, workspace: &Path) -> TeamSession {
        TeamSession {
            feature_dir: self.folder.clone(),
            project_dir: workspace.to_owned(),
            project_root: self.setup.project.root.clone(),
            facts: known_of_plan(&self.facts, &self.records, lane.index()),
        }
    }

    fn table<'t>(&'t self, session: &'t TeamSession, orchestrator: &'t Orchestrator) -> Table<'t> {
        let handover = self.setup.team.delivery;
        Table { session, agent: &self.agent, handover, orchestrator }
    }

    fn caller(&self, lane: &Lane, workplace: Option<&Workplace>) -> Orchestrator {
        let mut place = Place::new(&self.setup.project.root, &self.setup.guard);
        if let Some(workplace) = workplace {
            workplace.worktree.path().clone_into(&mut place.workspace);
        }
        place.environment.clone_from(&self.setup.environment);
        let watch = LaneWatch {
            plan: lane.index(),
            folder: self.folder.clone(),
            watch: Arc::clone(&self.watch),
            workplace: workplace.cloned(),
        };
        Orchestrator::new(self.agent.clone(), place)
            .with_prices(self.setup.prices.clone())
            .with_allowance(Arc::clone(&self.allowance))
            .with_watch(Arc::new(watch))
            .with_cancel(self.cancel.clone())
            .with_earlier(self.earlier.clone())
    }

    fn undone(&self, plan: PlanIndex) -> Result<Vec<FileFault>, EngineError> {
        unfinished(&self.folder, plan, self.before)
    }
}

fn run_name(answered: &Answered) -> String {
    answered.run.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Passes on what happens in a lane's call, and sets its worktree and its plan back before the call is repeated.
struct LaneWatch {
    plan: PlanIndex,
    /// The change's folder.
    folder: PathBuf,
    watch: Arc<dyn Watch>,
    workplace: Option<Workplace>,
}

impl call::Watch for LaneWatch {
    fn event(&self, event: &call::Event<'_>) {
        let event = Event::Call(event);
        self.watch.event(&Event::InLane { plan: self.plan.get(), event: &event });
    }

    fn before_repeat(&self, run: &Path) -> std::io::Result<()> {
        let Some(Workplace { worktree, start }) = &self.workplace else { return Ok(()) };
        let plan = self.plan.get();
        let tell = |event: &Event<'_>| self.watch.event(&Event::InLane { plan, event });
        set_worktree_back(worktree, start, run, tell).map_err(std::io::Error::other)?;
        open_plan(&self.folder, self.plan).map_err(std::io::Error::other)
    }
}
