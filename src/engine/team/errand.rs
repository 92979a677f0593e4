//! A step that one agent takes: a workspace, a prompt, an answer, and what was handed over.

use std::path::Path;
use std::sync::Arc;

use super::driver::Stint;
use super::entry::StepResult;
use super::research::{RESEARCH, may_ask};
use super::step::TeamStep;
use super::turn::{Table, Turn};
use crate::engine::desks::Room;
use crate::engine::driver::Driver;
use crate::engine::entry::Entry;
use crate::engine::error::EngineError;
use crate::engine::event::Event;
use crate::engine::ground::{CallWatch, Ground};
use crate::engine::planted::refuse_planted;
use crate::engine::resume::{CutOff, Ready};
use crate::engine::snapshot::Snapshot;
use crate::engine::strays;
use crate::engine::team::StepStarted;
use crate::engine::work::Work;
use crate::orchestrator::{Answered, Orchestrator, Place};
use crate::prompt::team::TeamSession;

impl Driver<'_> {
    /// Has the agent of a step take its turn, once more if what it hands over is not in order, and takes down what it
    /// came to.
    pub(super) async fn take_step(&mut self, stint: &Stint) -> Result<(), EngineError> {
        let step = stint.step;
        let turn = Turn::Step(step);
        let ground = self.ground(stint)?;
        let session = self.session(&ground);
        let orchestrator = self.caller(stint, &ground);
        let orchestrator = self.ready(stint, &ground, &session, orchestrator)?;
        if step.writes_code() {
            self.set_up_desk(&ground.worktree).await?;
        }
        let table = Table {
            session: &session,
            agent: &stint.agent,
            handover: self.setup.team.delivery,
            orchestrator: &orchestrator,
        };
        let taken = self.with_researchers(step, table.take(turn)).await;
        let mut answered = self.look_after_step(stint, &ground, taken)?;
        let mut usage = answered.usage.clone();
        let mut made = self.made(stint, &ground, &answered)?;
        // When the agent was asked already and has answered, it is that answer which counts.
        if made.is_err() || table.has_answer(turn, &turn.name_of_second()) {
            let faults = made.err().unwrap_or_default();
            self.watch.event(&Event::FilesAskedAgain { faults: &faults });
            let taken = self.with_researchers(step, table.take_again(turn, &faults)).await;
            answered = self.look_after_step(stint, &ground, taken)?;
            usage += &answered.usage;
            made = self.made(stint, &ground, &answered)?;
        }
        let made = match made {
            Ok(made) => made,
            Err(faults) => {
                // What was handed in may be out of order since something stands in the way that nobody opens.
                let folder = &self.change.folder;
                refuse_planted(folder).map_err(|(path, source)| EngineError::Io {
                    what: "use",
                    path,
                    source,
                })?;
                let (work, agent) = (Work::Step(step), stint.agent.name.clone());
                return Err(EngineError::Files { work, agent, faults });
            }
        };
        if matches!(step, TeamStep::Planner | TeamStep::Change) {
            self.tell_set_aside()?;
        }
        let commit = if step.writes_code() {
            let message =
                format!("agentd: {}, {step}\n\nBy agent {}.\n", self.change.id, stint.agent.name);
            ground.worktree.commit_all(&message)?;
            ground.worktree.head()?
        } else {
            ground.start.clone()
        };
        self.end_step(step, made, commit, &usage)
    }

    /// Waits for the agent of a step, with researchers at work beside it if it may ask them.
    async fn with_researchers(
        &mut self,
        step: TeamStep,
        taken: impl Future<Output = Result<Answered, EngineError>>,
    ) -> Result<Answered, EngineError> {
        if may_ask(step) { self.with_research(Some(step), taken).await } else { taken.await }
    }

    /// Opens the workspace of a step: the desk for code, else the reading room.
    fn ground(&self, stint: &Stint) -> Result<Ground, EngineError> {
        let start = stint.started.commit.clone();
        let worktree =
            if stint.step.writes_code() { self.desk()? } else { self.room(Room::Reading, &start)? };
        let spared = may_ask(stint.step).then_some(RESEARCH);
        Ok(Ground { worktree: Arc::new(worktree), start, before: stint.before.clone(), spared })
    }

    pub(super) fn session(&self, ground: &Ground) -> TeamSession {
        TeamSession {
            feature_dir: self.change.folder.clone(),
            project_dir: ground.worktree.path().to_owned(),
            project_root: self.setup.project.root.clone(),
            facts: self.facts(),
        }
    }

    /// Sets up who calls the agent.
    pub(super) fn caller(&self, stint: &Stint, ground: &Ground) -> Orchestrator {
        let mut place = Place::new(&self.setup.project.root, &self.setup.guard);
        ground.worktree.path().clone_into(&mut place.workspace);
        place.environment.clone_from(&self.setup.environment);
        let watch = CallWatch {
            watch: Arc::clone(&self.watch),
            ground: ground.clone(),
            change: self.change.folder.clone(),
        };
        Orchestrator::new(stint.agent.clone(), place)
            .with_prices(self.setup.prices.clone())
            .with_allowance(Arc::clone(&self.allowance))
            .with_watch(Arc::new(watch))
            .with_cancel(self.cancel.clone())
    }

    /// Makes ready for a step. One that was cut off goes on with the answer that its agent has left; else the workspace
    /// and the change's files are what they were when it began.
    pub(super) fn ready(
        &mut self,
        stint: &Stint,
        ground: &Ground,
        session: &TeamSession,
        orchestrator: Orchestrator,
    ) -> Result<Orchestrator, EngineError> {
        let cut_off = stint.is_resumed.then_some(CutOff {
            work: Work::Step(stint.step),
            agent: &stint.started.agent,
            first_run: stint.started.first_run,
        });
        let turn = Turn::Step(stint.step);
        let has_answer = |orchestrator: &Orchestrator| {
            let handover = self.setup.team.delivery;
            let table = Table { session, agent: &stint.agent, handover, orchestrator };
            table.has_answer(turn, &turn.name())
        };
        match self.make_ready(ground, cut_off.as_ref(), &orchestrator, has_answer)? {
            Ready::Answered { earlier } => return Ok(orchestrator.with_earlier(earlier)),
            Ready::ToBeAsked { counts_from: Some(first_run) } => {
                let agent = stint.agent.name.clone();
                let started = StepStarted { agent, first_run, ..stint.started.clone() };
                self.change.happened(Entry::StepStarted(started))?;
            }
            Ready::ToBeAsked { counts_from: None } => {}
        }
        self.lay_out(stint.step)?;
        Ok(orchestrator)
    }

    /// Looks at what the answer of a step has left behind, before the answer itself counts.
    pub(super) fn look_after_step(
        &mut self,
        stint: &Stint,
        ground: &Ground,
        answered: Result<Answered, EngineError>,
    ) -> Result<Answered, EngineError> {
        let who = (Work::Step(stint.step), &stint.agent);
        self.look_after(who, ground, answered, |answered| &answered.run)
    }

    /// Puts files of the change back that several agents at once have left as strays, and tells of them.
    pub(super) fn put_back(
        &self,
        before: &Snapshot,
        is_stray: impl Fn(&Path) -> bool,
    ) -> Result<(), EngineError> {
        let kept = self.last_run_folder()?.join("elsewhere");
        let files = strays::put_back(before, &self.change.folder, &kept, is_stray)?;
        self.tell_put_back(&files);
        Ok(())
    }
}

/// What a step came to, with the plans where it plans.
pub(super) type Made = (StepResult, Option<super::lineup::Lineup>);
