//! Drives a change from where it is to its end, step by step, as its flow says. Whatever happens to agentd in between, the
//! journal knows what was done, and the next driver goes on from there.

use std::sync::Arc;

use super::attempt::Attempt as _;
use super::call_log::Called;
use super::change::Change;
use super::documents::Documents;
use super::entry::{Entry, Finished, Started};
use super::error::EngineError;
use super::event::{Event, Watch};
use super::git::Commit;
use super::setup::Setup;
use super::step_attempt::StepAttempt;
use crate::files::OrFailed as _;
use crate::files::make_folder;
use crate::flow::{Kind, Next, Outcome, Position, Step, StepId, StepSet, Waiting};
use crate::models::agent::AgentSettings;
use crate::models::secrets::Secrets;
use crate::models::usage::UsageMetrics;
use crate::orchestrator::Budget;
use crate::orchestrator::run_folder::{RUNS, runs_from};
use crate::process::Cancel;

/// How far a driver goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Goal {
    /// The step after which it stops, once it has reached its goal and its checks have run.
    pub until: Option<StepId>,
    /// The steps whose results a person wants to look at.
    pub pauses: StepSet,
}

/// Why a driver has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The change has ended.
    Ended,
    /// The change is past this step, as far as it was to go.
    Reached(StepId),
    /// A person is needed.
    Waiting(Waiting),
}

/// Drives one change.
pub struct Driver<'a> {
    pub(super) setup: &'a Setup,
    pub(super) change: Change,
    pub(super) watch: Arc<dyn Watch>,
    pub(super) cancel: Cancel,
    /// What may still be spent, by all calls together.
    pub(super) budget: Arc<Budget>,
}

/// A step that is under way.
pub(super) struct UnderWay {
    pub(super) id: StepId,
    pub(super) step: Step,
    pub(super) agent: AgentSettings,
    pub(super) started: Started,
    /// The change's documents as they were when the step began.
    pub(super) before: Documents,
    /// Whether it began before and goes on.
    pub(super) is_resumed: bool,
}

impl<'a> Driver<'a> {
    /// Drives a change that is held.
    pub fn new(setup: &'a Setup, change: Change, watch: Arc<dyn Watch>, cancel: Cancel) -> Self {
        Self { setup, change, watch, cancel, budget: Arc::default() }
    }

    /// Returns the change.
    pub const fn change(&self) -> &Change {
        &self.change
    }

    /// Goes on until the change has ended, a person is needed, or the goal is reached.
    pub async fn run(&mut self, goal: Goal) -> Result<Stop, EngineError> {
        self.await_guards()?;
        self.hold_base()?;
        loop {
            if self.cancel.is_cancelled() {
                return Err(EngineError::Interrupted);
            }
            self.take_edits()?;
            if let Some(step) = self.to_show(goal) {
                let name = self.step(step).name.to_string();
                self.change.happened(Entry::Paused { step: name })?;
            }
            if let Some(until) = goal.until
                && self.is_past(until)
            {
                return Ok(Stop::Reached(until));
            }
            match self.next() {
                Next::Run(id) => self.advance(id).await?,
                Next::Wait(waiting) => return Ok(Stop::Waiting(waiting)),
                Next::End => {
                    if self.change.history.is_archived() {
                        self.clear_away();
                    }
                    return Ok(Stop::Ended);
                }
            }
        }
    }

    /// Runs one step that is due, with the checks that follow it and the archive that it makes ready.
    pub async fn one(&mut self, step: StepId) -> Result<(), EngineError> {
        self.await_guards()?;
        self.hold_base()?;
        self.take_edits()?;
        self.advance(step).await?;
        let is_part = |step: &Step| match step.kind {
            Kind::Checks => true,
            // The files that this step left are put in place; a change that is only put away waits for the next command.
            Kind::Archive => step.merges.is_some(),
            Kind::Agent | Kind::Lanes | Kind::Gate => false,
        };
        while let Next::Run(id) = self.next()
            && is_part(self.step(id))
        {
            self.advance(id).await?;
        }
        if self.change.history.is_archived() {
            self.clear_away();
        }
        Ok(())
    }

    /// Returns what to do next.
    pub fn next(&self) -> Next {
        let history = &self.change.history;
        history.state.next(&history.flow, |limit| self.setup.rounds(limit))
    }

    pub(super) fn step(&self, id: StepId) -> &Step {
        self.change.history.flow.step(id)
    }

    /// Returns the step whose result a person wants to look at now.
    fn to_show(&self, goal: Goal) -> Option<StepId> {
        let history = &self.change.history;
        let step = history.state.succeeded.filter(|step| goal.pauses.contains(*step))?;
        let entry = Entry::Paused { step: self.step(step).name.to_string() };
        // An archive that is half in place is put in place, whoever wants to look.
        (history.applying.is_none() && history.allows(&entry).is_ok()).then_some(step)
    }

    /// Returns whether a change that goes on has left a step and its checks behind: success alone does not lead there again, and
    /// it was done or lies on the straight way, where it may have been skipped.
    fn is_past(&self, until: StepId) -> bool {
        let (history, flow) = (&self.change.history, &self.change.history.flow);
        let Position::Step(at) = history.state.position else { return false };
        if self.step(at).kind == Kind::Checks && history.state.succeeded == Some(until) {
            return false;
        }
        let is_done = history.outcome(until).is_some_and(Outcome::is_success);
        !flow.leads(at, until) && (is_done || flow.leads(flow.start, until))
    }

    async fn advance(&mut self, id: StepId) -> Result<(), EngineError> {
        if self.wait_for_exceptions()? {
            return Ok(());
        }
        match self.step(id).kind {
            Kind::Checks => self.run_checks(id).await,
            Kind::Archive => self.put_away(id).await,
            Kind::Agent | Kind::Lanes => self.work(id).await,
            // A gate waits and does nothing.
            Kind::Gate => Ok(()),
        }
    }

    /// Does a step in which agents work, from its beginning or from where it was cut off.
    async fn work(&mut self, id: StepId) -> Result<(), EngineError> {
        let step = self.step(id).clone();
        let agent = self.setup.agents.get(step.slot.as_ref()).cloned();
        let agent = agent.ok_or_else(|| EngineError::NoAgent { step: step.name.to_string() })?;
        self.add_up()?;
        self.ensure_baseline().await?;
        let has_roles = self.change.history.flow.steps.iter().any(|step| step.research);
        if self.change.history.started.is_none() && has_roles {
            // What was asked before is known before the next step begins.
            self.research().await?;
        }
        let result = self.enter(id, &step, agent).await;
        self.change.take_calls()?;
        if let Err(error) = &result
            && !error.is_no_failure()
            && self.change.history.under_way() == Some(&step.name)
        {
            let (step, last_run) = (step.name.to_string(), self.last_run()?);
            let message = self.without_secrets(&error.to_string());
            self.change.happened(Entry::Failed { step, message, last_run })?;
        }
        result
    }

    async fn enter(
        &mut self,
        id: StepId,
        step: &Step,
        agent: AgentSettings,
    ) -> Result<(), EngineError> {
        let round = self.change.history.rounds(id) + 1;
        let resumed = self.change.history.started.clone();
        self.watch.event(&Event::StepStarted {
            step,
            round,
            agent: &agent.name,
            model: agent.model.as_deref(),
            resumed: resumed.is_some(),
        });
        let is_resumed = resumed.is_some();
        let started = match resumed {
            Some(started) => started,
            None => self.begin(step, round, &agent.name)?,
        };
        let before = self.change.began_with()?;
        let step = step.clone();
        let work = UnderWay { id, step, agent, started, before, is_resumed };
        if work.step.kind == Kind::Lanes && !self.setup.team.single_coder {
            return self.code(&work).await;
        }
        let mut attempt = StepAttempt::prepare(self, work).await?;
        let (made, usage) = attempt.carry_out().await?;
        attempt.conclude(made, &usage)
    }

    /// Records that a step begins, with all that is needed to begin it again.
    pub(super) fn begin(
        &mut self,
        step: &Step,
        round: u32,
        agent: &str,
    ) -> Result<Started, EngineError> {
        if step.kind == Kind::Lanes && !self.setup.team.single_coder {
            self.schedule()?;
        }
        self.lay_out(step)?;
        let started = Started {
            step: step.name.to_string(),
            round,
            agent: Some(agent.to_owned()),
            first_run: self.last_run()? + 1,
            commit: self.code_commit()?,
            specs: self.specs_for(step)?,
        };
        self.change.happened(Entry::Started(started.clone()))?;
        Ok(started)
    }

    /// Has a ref hold the commit that the change begins from, should it be gone.
    fn hold_base(&self) -> Result<(), EngineError> {
        if let Some(base) =
            self.change.history.base.as_ref().filter(|_| !self.change.history.is_over())
        {
            self.setup.repository.hold_base(self.change.id.as_str(), base)?;
        }
        Ok(())
    }

    /// Records that a step ended.
    pub(super) fn end(
        &mut self,
        step: &Step,
        finished: Finished,
        usage: &UsageMetrics,
    ) -> Result<(), EngineError> {
        let outcome = finished.outcome;
        let counts_as = self.change.history.counted(step, &finished);
        self.change.happened(Entry::Finished(finished))?;
        self.close_hand_offs(step);
        let next = self.change.history.token();
        self.watch.event(&Event::StepFinished { step, outcome, counts_as, usage, next: &next });
        Ok(())
    }

    /// Returns the record of a step that ends without a run that counts.
    pub(super) fn finished(
        &self,
        step: &Step,
        outcome: Outcome,
        commit: Commit,
    ) -> Result<Finished, EngineError> {
        Ok(Finished {
            step: step.name.to_string(),
            outcome,
            run: None,
            last_run: self.last_run()?,
            commit,
            completed: Vec::new(),
            schedule: None,
            documented: false,
            checks: None,
            ignored: Vec::new(),
        })
    }

    /// Adds up what the change has cost, and refuses to go on where that is what it may cost.
    fn add_up(&mut self) -> Result<(), EngineError> {
        self.change.take_calls()?;
        let budget = Budget::new(&self.setup.limits).with_ledger(self.change.ledger());
        for usage in self.change.history.calls.iter().filter_map(|call| call.record.usage.as_ref())
        {
            budget.add(usage);
        }
        self.budget = Arc::new(budget);
        self.keep_numbers()?;
        Ok(self.budget.check()?)
    }

    /// Has the next runs go on behind those that the journal knows, where folders of runs are gone: none is taken for another.
    fn keep_numbers(&self) -> Result<(), EngineError> {
        let history = &self.change.history;
        let last = history.calls.iter().map(Called::number).chain([history.last_run]).max();
        let last = last.unwrap_or_default();
        if self.last_run()? >= last {
            return Ok(());
        }
        let folder = self.change.state.join(RUNS).join(format!("{last:03}-gone"));
        Ok(make_folder(&folder).or_failed("make", folder)?)
    }

    pub(super) fn last_run(&self) -> Result<u32, EngineError> {
        let folder = &self.change.state;
        let runs = runs_from(folder, 1).or_failed("read the runs of", folder)?;
        Ok(runs.last().map_or(0, |run| run.number))
    }

    /// Hides the secrets of the environment and of the agents: what is derived from a run never holds one.
    pub(super) fn without_secrets(&self, text: &str) -> String {
        let variables = self.setup.environment.iter().map(|(name, value)| (name, value));
        let mut secrets = Secrets::of(variables);
        secrets.add_agents(self.setup.agents.values(), &self.setup.environment);
        secrets.hide(text).into_owned()
    }

    /// Returns the commit that the change's code is at.
    pub(super) fn code_commit(&self) -> Result<Commit, EngineError> {
        Ok(self.setup.code_commit(&self.change.history)?)
    }
}
