//! One round of a phase: a workspace, an agent, its answer, and what the answer and the files come to.

use std::sync::Arc;

use super::archive;
use super::desks::Room;
use super::driver::Driver;
use super::entry::{Entry, Finished, Started};
use super::error::EngineError;
use super::event::Event;
use super::expected::{self, ChangeFiles};
use super::git::{Commit, Worktree};
use super::ground::{CallWatch, Ground};
use super::instructions::instructions;
use super::machine::Outcome;
use super::resume::{CutOff, Ready};
use super::snapshot::Snapshot;
use super::supplies;
use super::work::Work;
use crate::models::agent::AgentSettings;
use crate::orchestrator::markers::Answer;
use crate::orchestrator::prompts::materials::MaterialError;
use crate::orchestrator::run_folder::runs_from;
use crate::orchestrator::{Orchestrator, PhaseOutcome, Place, RunError};
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::tasks;
use crate::template::{Phase, TaskStatus};

/// A round that is under way.
#[derive(Clone)]
pub(super) struct Round {
    pub(super) phase: Phase,
    pub(super) agent: AgentSettings,
    pub(super) ground: Ground,
}

impl Driver<'_> {
    /// Runs a phase that is due, from its beginning or from where it was cut off.
    pub(super) async fn phase(&mut self, phase: Phase) -> Result<(), EngineError> {
        let agent = self
            .setup
            .agents
            .get(&phase)
            .cloned()
            .ok_or(EngineError::NoAgent { work: Work::Phase(phase) })?;
        self.add_up()?;
        let result = self.begin(phase, agent).await;
        if let Err(error) = &result
            && !error.is_no_failure()
            && self.change.history.state.started == Some(phase)
        {
            let last_run = self.last_run()?;
            let message = self.without_secrets(&error.to_string());
            self.change.happened(Entry::Failed { phase, message, last_run })?;
        }
        result
    }

    async fn begin(&mut self, phase: Phase, agent: AgentSettings) -> Result<(), EngineError> {
        let history = &self.change.history;
        let number = history.rounds.get(&phase).copied().unwrap_or(0) + 1;
        let resumed = history.started.clone().filter(|started| started.phase == phase);
        self.watch.event(&Event::PhaseStarted {
            phase,
            round: number,
            agent: &agent.name,
            model: agent.model.as_deref(),
            resumed: resumed.is_some(),
        });
        let (started, before) = match &resumed {
            Some(started) => (started.clone(), self.kept()?),
            None => self.start(phase, number, &agent)?,
        };
        let worktree = Arc::new(self.workspace(phase, &started.commit)?);
        let ground = Ground { worktree, start: started.commit.clone(), before, spared: None };
        let round = Round { phase, agent, ground };
        let orchestrator = self.orchestrator(&round)?;
        let orchestrator = self.made_ready(&round, orchestrator, resumed.as_ref())?;
        if phase == Phase::Implement {
            self.set_up_desk(&round.ground.worktree).await?;
        }
        self.change.make_folders(phase)?;
        self.carry_out(&round, &orchestrator).await
    }

    /// Takes down that a phase is begun, with all that is needed to begin it anew.
    fn start(
        &mut self,
        phase: Phase,
        round: u32,
        agent: &AgentSettings,
    ) -> Result<(Started, Snapshot), EngineError> {
        let folder = self.change.folder.clone();
        let before = Snapshot::take(&folder).map_err(EngineError::io("read", &folder))?;
        before.keep(&folder).map_err(EngineError::io("keep the files of", &folder))?;
        // An archive that a person has sent back is written for the specs as they are now.
        let is_new_for_specs = phase == Phase::Plan
            || phase == Phase::Archive && self.change.history.sent_back.is_some();
        let specs = is_new_for_specs.then(|| self.baseline()).transpose()?;
        let started = Started {
            phase,
            round,
            agent: agent.name.clone(),
            first_run: self.last_run()? + 1,
            commit: self.code_commit()?,
            specs,
        };
        self.change.happened(Entry::Started(started.clone()))?;
        Ok((started, before))
    }

    fn baseline(&self) -> Result<archive::Baseline, EngineError> {
        let root = self.setup.project.folder();
        let folder = ConfinedFolder::open(&root).map_err(EngineError::io("open", &root))?;
        Ok(archive::baseline(&folder)?)
    }

    pub(super) fn last_run(&self) -> Result<u32, EngineError> {
        let folder = &self.change.folder;
        let runs = runs_from(folder, 1).map_err(EngineError::io("read the runs of", folder))?;
        Ok(runs.last().map_or(0, |run| run.number))
    }

    /// Gives the worktree that a phase works in.
    fn workspace(&self, phase: Phase, commit: &Commit) -> Result<Worktree, EngineError> {
        match phase {
            Phase::Implement => self.desk(),
            Phase::Plan | Phase::Challenge | Phase::Review | Phase::Archive => {
                self.room(Room::Reading, commit)
            }
        }
    }

    fn orchestrator(&self, round: &Round) -> Result<Orchestrator, EngineError> {
        let setup = self.setup;
        let mut place = Place::new(&setup.project.root, &setup.guard);
        round.ground.worktree.path().clone_into(&mut place.workspace);
        place.environment.clone_from(&setup.environment);
        let watch = CallWatch {
            watch: Arc::clone(&self.watch),
            ground: round.ground.clone(),
            change: self.change.folder.clone(),
        };
        let supplied =
            supplies::supplies(setup, &self.change.folder, &self.change.history, round.phase)?;
        Ok(Orchestrator::new(round.agent.clone(), place)
            .with_prices(setup.prices.clone())
            .with_supplied(supplied)
            .with_allowance(Arc::clone(&self.allowance))
            .with_watch(Arc::new(watch))
            .with_cancel(self.cancel.clone()))
    }

    async fn carry_out(
        &mut self,
        round: &Round,
        orchestrator: &Orchestrator,
    ) -> Result<(), EngineError> {
        let phase = round.phase;
        let task = instructions(&self.change.history, phase);
        let mut outcome =
            self.answered(round, orchestrator.run(&self.change.id, phase, &task).await)?;
        let mut usage = outcome.usage.clone();
        let faults = self.faults(phase)?;
        // When the agent was asked already and has answered, it is that answer which counts.
        if !faults.is_empty() || orchestrator.has_left_over_files(&self.change.id, phase) {
            self.watch.event(&Event::FilesAskedAgain { faults: &faults });
            let task =
                format!("{}\n\n{}", task.trim_end(), expected::ask_for_files(phase, &faults));
            outcome =
                self.answered(round, orchestrator.run_again(&self.change.id, phase, &task).await)?;
            usage += &outcome.usage;
            let faults = self.faults(phase)?;
            if !faults.is_empty() {
                return Err(EngineError::Files {
                    work: Work::Phase(phase),
                    agent: round.agent.name.clone(),
                    faults,
                });
            }
        }
        let finished = self.conclude(round, &outcome)?;
        let outcome = finished.outcome;
        self.change.happened(Entry::Finished(finished))?;
        let next = self.change.history.state.stage;
        self.watch.event(&Event::PhaseFinished { phase, outcome, usage: &usage, next });
        Ok(())
    }

    /// Makes ready for a round, from its beginning or with the answer that its agent has left.
    fn made_ready(
        &mut self,
        round: &Round,
        orchestrator: Orchestrator,
        resumed: Option<&Started>,
    ) -> Result<Orchestrator, EngineError> {
        let cut_off = resumed.map(|started| CutOff {
            work: Work::Phase(round.phase),
            agent: &started.agent,
            first_run: started.first_run,
        });
        let has_answer =
            |orchestrator: &Orchestrator| orchestrator.has_left_over(&self.change.id, round.phase);
        match self.make_ready(&round.ground, cut_off.as_ref(), &orchestrator, has_answer)? {
            Ready::Answered { earlier } => {
                self.take_back_own(round)?;
                return Ok(orchestrator.with_earlier(earlier));
            }
            Ready::ToBeAsked { counts_from } => {
                if let (Some(started), Some(first_run)) = (resumed, counts_from) {
                    let agent = round.agent.name.clone();
                    let started = Started { agent, first_run, ..started.clone() };
                    self.change.happened(Entry::Started(started))?;
                }
            }
        }
        Ok(orchestrator)
    }

    /// Looks at what an answer has left behind, before the answer itself counts.
    fn answered(
        &mut self,
        round: &Round,
        outcome: Result<PhaseOutcome, RunError>,
    ) -> Result<PhaseOutcome, EngineError> {
        let who = (Work::Phase(round.phase), &round.agent);
        self.look_after(who, &round.ground, outcome.map_err(Into::into), |outcome| &outcome.run)
    }

    fn faults(&self, phase: Phase) -> Result<Vec<expected::FileFault>, EngineError> {
        let folder = ConfinedFolder::open(&self.change.folder)
            .map_err(EngineError::io("open", &self.change.folder))?;
        Ok(expected::check(phase, &ChangeFiles::read(&folder)?))
    }

    /// Keeps what the phase has made, and says what it came to.
    fn conclude(&self, round: &Round, outcome: &PhaseOutcome) -> Result<Finished, EngineError> {
        let answer = Answer::read(&outcome.text);
        let name = outcome.run.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut finished = Finished {
            phase: round.phase,
            outcome: Outcome::Files,
            run: name,
            commit: round.ground.start.clone(),
            completed: Vec::new(),
        };
        match round.phase {
            Phase::Plan | Phase::Archive => {}
            Phase::Challenge => self
                .change
                .write("CHALLENGE.md", &self.without_secrets(&answer.without_thoughts()))?,
            Phase::Review => {
                self.change
                    .write("REVIEW.md", &self.without_secrets(&answer.without_thoughts()))?;
            }
            Phase::Implement => self.tick(round, outcome, &mut finished)?,
        }
        if let Some(verdict) = outcome.verdict {
            finished.outcome = Outcome::Verdict(verdict);
        }
        Ok(finished)
    }

    /// Ticks the tasks that were completed and commits the round.
    fn tick(
        &self,
        round: &Round,
        outcome: &PhaseOutcome,
        finished: &mut Finished,
    ) -> Result<(), EngineError> {
        let list = self.change.read("tasks.md")?.unwrap_or_default();
        let known = tasks::read(&list).map_err(|errors| {
            let path = self.change.folder.join("tasks.md");
            EngineError::Run(RunError::Material(MaterialError::Tasks { path, errors }))
        })?;
        let reported = |status: TaskStatus| {
            let is_so = |id: &str| {
                outcome.statuses.iter().any(|(own, known)| own == id && *known == status)
            };
            let ids = known.iter().map(|task| task.id.as_str()).filter(|id| is_so(id));
            ids.map(str::to_owned).collect::<Vec<_>>()
        };
        finished.completed = reported(TaskStatus::Completed);
        let list = tasks::tick(&list, &finished.completed);
        // What was done in an earlier round may turn out not to be.
        let list = tasks::untick(&list, &reported(TaskStatus::Failed));
        let all_done = tasks::read(&list).is_ok_and(|tasks| tasks.iter().all(|task| task.done));
        self.change.write("tasks.md", &list)?;
        let number = self.change.history.rounds.get(&Phase::Implement).copied().unwrap_or(0) + 1;
        let message = format!(
            "agentd: {}, round {number}\n\nBy agent {}.\n",
            self.change.id, round.agent.name
        );
        round.ground.worktree.commit_all(&message)?;
        finished.commit = round.ground.worktree.head()?;
        finished.outcome = if all_done { Outcome::AllDone } else { Outcome::TasksLeft };
        Ok(())
    }
}
