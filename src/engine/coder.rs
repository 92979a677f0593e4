//! A coder for each plan: where a plan is carried out is decided by its lane, what its coder is told and must leave
//! behind is decided here.

use std::cell::RefCell;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::attempt::{Attempt, Checked, Request, taken};
use super::documents::Documents;
use super::error::EngineError;
use super::event::{Event, Watch};
use super::expected::FileFault;
use super::ground::reset_code_workspace;
use super::lanes::{Asking, LaneAnswer, LaneRecords, LaneRunner, Workplace};
use super::outbox::Outbox;
use super::roles::done_marker::unfinished;
use super::roles::files::{papers_of, unusable};
use super::roles::{RoleCall, Turn, known_of_plan};
use super::schedule::Lane;
use super::setup::Setup;
use crate::flow::Step;
use crate::handoff;
use crate::models::agent::AgentSettings;
use crate::models::change::ChangeId;
use crate::models::plan::PlanIndex;
use crate::orchestrator::watch as call;
use crate::orchestrator::{Budget, Orchestrator, PhaseOutcome};
use crate::process::Cancel;
use crate::prompt::team::{Facts, TeamSession};

/// The coders of a group.
pub(super) struct Coders<'c> {
    pub(super) setup: &'c Setup,
    /// The step whose plans they carry out.
    pub(super) step: &'c Step,
    pub(super) id: &'c ChangeId,
    /// The folder of the change's documents.
    pub(super) folder: PathBuf,
    pub(super) agent: AgentSettings,
    /// What prompts say of the change beyond its files.
    pub(super) facts: Facts,
    /// Where the plans were before this group began.
    pub(super) records: LaneRecords,
    /// The change's documents as they were when the coders began.
    pub(super) before: &'c Documents,
    /// Runs that ended before agentd could make use of them.
    pub(super) earlier: Vec<PathBuf>,
    pub(super) watch: Arc<dyn Watch>,
    pub(super) cancel: Cancel,
    pub(super) budget: Arc<Budget>,
    /// What coders need from a person before they can go on.
    pub(super) questions: RefCell<Vec<String>>,
}

impl LaneRunner for Coders<'_> {
    fn may_begin(&self) -> Result<(), EngineError> {
        Ok(self.budget.check()?)
    }

    fn has_left_over(&self, lane: &Lane) -> bool {
        let call = self.call(lane, None, Asking::LeftOver);
        self.outbox(lane.index()).is_there() && call.has_answer(Request::First)
    }

    async fn run(
        &self,
        lane: &Lane,
        place: &Workplace,
        asking: Asking,
    ) -> Result<LaneAnswer, EngineError> {
        if asking == Asking::Anew {
            self.outbox(lane.index()).fill(&self.folder)?;
        }
        let call = self.call(lane, Some(place), asking);
        let mut attempt = PlanAttempt { coders: self, plan: lane.index(), place, call };
        let (answer, _) = attempt.carry_out().await?;
        Ok(answer)
    }
}

impl Coders<'_> {
    /// Returns the outbox of a plan's coder.
    fn outbox(&self, plan: PlanIndex) -> Outbox {
        Outbox::of_plan(self.setup, self.id, plan)
    }

    fn call(&self, lane: &Lane, workplace: Option<&Workplace>, asking: Asking) -> RoleCall {
        let plan = lane.index();
        let workspace = workplace.map_or(self.folder.as_path(), |it| it.workspace.path());
        let mut place = self.setup.place(self.id, workspace);
        let outbox = self.outbox(plan);
        place.changes = outbox.changes();
        let watch = LaneWatch {
            plan,
            outbox: outbox.clone(),
            folder: self.folder.clone(),
            watch: Arc::clone(&self.watch),
            workplace: workplace.cloned(),
        };
        let earlier = match asking {
            Asking::LeftOver => self.earlier.clone(),
            Asking::Anew => Vec::new(),
        };
        RoleCall {
            turn: Turn::Plan(self.step.clone(), number(plan.get())),
            session: TeamSession {
                feature_dir: outbox.path().to_owned(),
                project_dir: workspace.to_owned(),
                project_root: self.setup.project.root.clone(),
                facts: known_of_plan(&self.facts, &self.records, plan),
            },
            agent: self.agent.clone(),
            handover: self.setup.team.delivery,
            orchestrator: Orchestrator::new(self.agent.clone(), place)
                .with_prices(self.setup.prices.clone())
                .with_budget(Arc::clone(&self.budget))
                .with_watch(Arc::new(watch))
                .with_cancel(self.cancel.clone())
                .with_earlier(earlier),
        }
    }
}

/// An attempt at one plan.
struct PlanAttempt<'p, 'c> {
    coders: &'p Coders<'c>,
    plan: PlanIndex,
    place: &'p Workplace,
    call: RoleCall,
}

impl Attempt for PlanAttempt<'_, '_> {
    type Made = LaneAnswer;

    async fn ask(&mut self, faults: Option<&[FileFault]>) -> Result<PhaseOutcome, EngineError> {
        self.call.send(faults).await
    }

    fn has_second_answer(&self) -> bool {
        self.call.has_answer(Request::Second)
    }

    fn check(&mut self, reply: &PhaseOutcome) -> Result<Checked<LaneAnswer>, EngineError> {
        let outbox = self.coders.outbox(self.plan);
        let handed_in = blocked_plan(outbox.path(), self.coders.step, self.plan)?;
        if let Some(reason) = reply.blocked.as_ref().or(handed_in.as_ref()) {
            let question = format!("plan {}: {reason}", self.plan.get());
            self.coders.questions.borrow_mut().push(question);
            return Err(EngineError::Blocked { reason: reason.clone() });
        }
        let mut faults = unfinished(outbox.path(), self.plan, self.coders.before)?;
        let Workplace { workspace, start } = self.place;
        let results = match taken(workspace, start)? {
            Ok(results) => results,
            Err(unfit) => {
                faults.extend(unfit);
                return Ok(Err(faults));
            }
        };
        if faults.is_empty() && results.paths().is_empty() {
            faults.push(FileFault::new(
                &format!("06_implementation/done_{}", self.plan.get()),
                None,
                "the plan is reported as done, but no file of the project is changed",
                "carry out the plan in the workspace, then create the marker again",
            ));
        }
        let (agent, run) = (self.coders.agent.name.clone(), reply.run_name());
        let answer = LaneAnswer { agent, run, results: Some(results) };
        Ok(if faults.is_empty() { Ok(answer) } else { Err(faults) })
    }

    fn asks_again(&self, faults: &[FileFault]) {
        let event = Event::FilesAskedAgain { faults };
        self.coders.watch.event(&Event::InLane { plan: self.plan.get(), event: &event });
    }

    fn still_wrong(&self, faults: Vec<FileFault>) -> EngineError {
        let step = self.coders.step.name.to_string();
        EngineError::Files { step, agent: self.coders.agent.name.clone(), faults }
    }
}

/// Returns what the coder of a plan has handed in as a question to a person.
fn blocked_plan(
    folder: &Path,
    step: &Step,
    plan: PlanIndex,
) -> Result<Option<String>, EngineError> {
    let phase = step.folder().unwrap_or_default();
    let papers = papers_of(folder)?;
    let blocked = handoff::blocked_in(&papers, phase, &plan.get().to_string());
    blocked.map_err(unusable(folder.join(phase)))
}

/// Returns the number of a plan as prompts know it.
pub(super) fn number(plan: u32) -> NonZeroU32 {
    NonZeroU32::new(plan).unwrap_or(NonZeroU32::MIN)
}

/// Passes on what happens in a lane's call, and resets its workspace and its outbox before the call is repeated.
struct LaneWatch {
    plan: PlanIndex,
    outbox: Outbox,
    /// The folder of the change's documents.
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
        let Some(Workplace { workspace, start }) = &self.workplace else { return Ok(()) };
        let plan = self.plan.get();
        let tell = |event: &Event<'_>| self.watch.event(&Event::InLane { plan, event });
        reset_code_workspace(workspace, start, run, tell).map_err(std::io::Error::other)?;
        self.outbox.fill(&self.folder).map_err(std::io::Error::other)
    }
}
