//! Brings a team's change from where it is to its end, step by step, as the machine says. To enter a step is to make its
//! prompt and to send it, whether the step is new or was cut off: nothing waits for a file to appear.

use std::collections::BTreeSet;

use super::entry::{StepFinished, StepResult, StepStarted};
use super::handed::close;
use super::history::TeamHistory;
use super::lineup::Lineup;
use super::machine::{TeamNext, TeamStage};
use super::papers::folder;
use super::step::TeamStep;
use crate::engine::driver::Driver;
use crate::engine::entry::Entry;
use crate::engine::error::EngineError;
use crate::engine::event::Event;
use crate::engine::git::Commit;
use crate::engine::machine::Check;
use crate::engine::snapshot::Snapshot;
use crate::engine::work::Work;
use crate::models::agent::AgentSettings;
use crate::models::usage::UsageMetrics;

/// How far a team goes.
#[derive(Clone, Debug, Default)]
pub struct TeamWay {
    /// The step after which it stops.
    pub until: Option<TeamStep>,
    /// The steps about which a person is asked.
    pub pauses: BTreeSet<TeamStep>,
}

/// Why a team has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamStop {
    /// The change has ended.
    Ended(TeamStage),
    /// It has come as far as it was to come.
    Reached(TeamStep),
    /// A person is to approve what this step came to.
    Paused(TeamStep),
    /// A person is to approve the change, or to ask for more.
    Waiting,
    /// The work has been reviewed as often as it may be.
    Exhausted,
}

/// A step that is under way.
pub(super) struct Stint {
    pub(super) step: TeamStep,
    pub(super) agent: AgentSettings,
    pub(super) started: StepStarted,
    /// The change's files as they were.
    pub(super) before: Snapshot,
    /// Whether it was begun before and is gone on with.
    pub(super) is_resumed: bool,
}

impl Driver<'_> {
    /// Goes on until the change has ended, a person is needed, or the way is at its end.
    pub async fn run_team(&mut self, way: &TeamWay) -> Result<TeamStop, EngineError> {
        self.await_guards()?;
        loop {
            if self.cancel.is_cancelled() {
                return Err(EngineError::Interrupted);
            }
            if let Some(step) = self.to_be_asked_about(way)? {
                self.change.happened(Entry::StepPaused { step })?;
                return Ok(TeamStop::Paused(step));
            }
            let state = &self.team()?.state;
            if let Some(until) = way.until
                && is_past(state.stage, until)
            {
                return Ok(TeamStop::Reached(until));
            }
            match state.next(self.setup.team_limits()) {
                TeamNext::Run(step) => {
                    self.step(step).await?;
                    if way.until == Some(step) && !way.pauses.contains(&step) {
                        return Ok(TeamStop::Reached(step));
                    }
                }
                TeamNext::Verify => self.verify(Check::AfterImplement).await?,
                TeamNext::Apply => self.apply()?,
                TeamNext::Wait => {
                    return Ok(match state.stage {
                        TeamStage::Pause(step) => TeamStop::Paused(step),
                        TeamStage::Due(_)
                        | TeamStage::Verify
                        | TeamStage::Gate
                        | TeamStage::Apply
                        | TeamStage::Archived
                        | TeamStage::Cancelled => TeamStop::Waiting,
                    });
                }
                TeamNext::Exhausted => return Ok(TeamStop::Exhausted),
                TeamNext::End => {
                    let stage = state.stage;
                    if stage == TeamStage::Archived {
                        self.clear_away()?;
                    }
                    return Ok(TeamStop::Ended(stage));
                }
            }
        }
    }

    /// Gives the step that has just come to its end, its checks too, if a person is to be asked about it.
    fn to_be_asked_about(&self, way: &TeamWay) -> Result<Option<TeamStep>, EngineError> {
        let state = &self.team()?.state;
        // Between two steps alone: at its end the change waits for a person anyway.
        let is_between = matches!(state.stage, TeamStage::Due(_)) && state.started.is_none();
        Ok(state.succeeded.filter(|step| is_between && way.pauses.contains(step)))
    }

    pub(super) fn team(&self) -> Result<&TeamHistory, EngineError> {
        self.change.history.team.as_ref().ok_or(EngineError::NoTeam)
    }

    /// Takes a step that is due, from its beginning or from where it was cut off.
    async fn step(&mut self, step: TeamStep) -> Result<(), EngineError> {
        let agent = self.setup.roles.get(&step.role()).cloned();
        let agent = agent.ok_or(EngineError::NoAgent { work: Work::Step(step) })?;
        self.add_up()?;
        if self.team()?.started.is_none() {
            // What was asked before is known before the next step begins.
            self.research().await?;
        }
        let result = self.enter(step, agent).await;
        if let Err(error) = &result
            && !error.is_no_failure()
            && self.team()?.state.started == Some(step)
        {
            let last_run = self.last_run()?;
            let message = self.without_secrets(&error.to_string());
            self.change.happened(Entry::StepFailed { step, message, last_run })?;
        }
        result
    }

    /// Enters a step: what it needs is laid out and taken down, then its agents take their turns.
    async fn enter(&mut self, step: TeamStep, agent: AgentSettings) -> Result<(), EngineError> {
        let team = self.team()?;
        let round = team.rounds(step) + 1;
        let resumed = team.started.clone().filter(|started| started.step == step);
        self.watch.event(&Event::StepStarted {
            step,
            round,
            agent: &agent.name,
            model: agent.model.as_deref(),
            resumed: resumed.is_some(),
        });
        let is_resumed = resumed.is_some();
        let (started, before) = match resumed {
            Some(started) => (started, self.kept()?),
            None => self.begin_step(step, round, &agent.name)?,
        };
        let stint = Stint { step, agent, started, before, is_resumed };
        match step {
            TeamStep::Coders => self.code(&stint).await,
            TeamStep::ProductManager
            | TeamStep::Architect
            | TeamStep::Planner
            | TeamStep::Designer
            | TeamStep::Review
            | TeamStep::Fix
            | TeamStep::Summary
            | TeamStep::Change => self.take_step(&stint).await,
        }
    }

    /// Takes down that a step is begun, with all that is needed to begin it anew.
    pub(super) fn begin_step(
        &mut self,
        step: TeamStep,
        round: u32,
        agent: &str,
    ) -> Result<(StepStarted, Snapshot), EngineError> {
        if step == TeamStep::Coders && !self.setup.team.single_coder {
            // As it is now it is kept, and put back whatever coders make of it: it must be in order before.
            self.schedule()?;
        }
        self.lay_out(step)?;
        let folder = self.change.folder.clone();
        let before = Snapshot::take(&folder).map_err(EngineError::io("read", &folder))?;
        before.keep(&folder).map_err(EngineError::io("keep the files of", &folder))?;
        let (first_run, commit) = (self.last_run()? + 1, self.code_commit()?);
        let agent = agent.to_owned();
        let started = StepStarted { step, round, agent, first_run, commit };
        self.change.happened(Entry::StepStarted(started.clone()))?;
        Ok((started, before))
    }

    /// Takes down that a step has come to its end.
    pub(super) fn end_step(
        &mut self,
        step: TeamStep,
        (result, lineup): (StepResult, Option<Lineup>),
        commit: Commit,
        usage: &UsageMetrics,
    ) -> Result<(), EngineError> {
        let last_run = self.last_run()?;
        let finished = StepFinished { step, result, lineup, last_run, commit };
        self.change.happened(Entry::StepFinished(finished))?;
        // Only now: before, an answer that was left may have to be taken once more.
        close(&self.papers()?, folder(step))
            .map_err(self.unusable(&format!("{}/submissions", folder(step))))?;
        let next = self.change.history.token();
        self.watch.event(&Event::StepFinished { step, result, usage, next: &next });
        Ok(())
    }
}

/// Says whether a change that goes on has left a step behind.
fn is_past(stage: TeamStage, step: TeamStep) -> bool {
    match stage {
        // It is planned anew: whatever comes after planning is still to come.
        TeamStage::Due(TeamStep::Change) => step < TeamStep::Planner,
        TeamStage::Due(due) => due > step,
        TeamStage::Verify => step <= TeamStep::Coders,
        TeamStage::Pause(_)
        | TeamStage::Gate
        | TeamStage::Apply
        | TeamStage::Archived
        | TeamStage::Cancelled => false,
    }
}
