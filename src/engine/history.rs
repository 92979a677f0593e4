//! What a journal comes to: the state of a change, and what is needed to go on with it.

use std::collections::BTreeMap;

use thiserror::Error;

use super::archive::{ArchivePlan, Baseline};
use super::entry::{Entry, Finished, Record, Started};
use super::flow::Flow;
use super::git::Commit;
use super::machine::{Evidence, Impossible, Stage, State};
use super::team::{self, TeamHistory, TeamStage, TeamStep};
use crate::template::Phase;

/// A change's past, folded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// What the machine of the phases says; it says nothing of a change that a team brings on.
    pub state: State,
    /// What became of it by a team, if one brings it on.
    pub team: Option<TeamHistory>,
    /// What is wanted; none before the change was created.
    pub request: Option<String>,
    /// What a person has added, in order.
    pub guidance: Vec<String>,
    /// Why a person sent the work back, until the phase that is done again has come to its end.
    pub sent_back: Option<String>,
    /// The phase that was begun last, if it has not come to its end.
    pub started: Option<Started>,
    /// How each phase ended last.
    pub finished: BTreeMap<Phase, Finished>,
    /// How often each phase came to its end, over all.
    pub rounds: BTreeMap<Phase, u32>,
    /// What the checks said when they were last run.
    pub last_evidence: Option<Evidence>,
    /// The hashes of the project's specs when the last plan was begun.
    pub specs: Baseline,
    /// The commit that the first implementation began from.
    pub base: Option<Commit>,
    /// The archive that is being put in place.
    pub applying: Option<ArchivePlan>,
    /// Why the last attempt failed, if nothing has happened since.
    pub failure: Option<String>,
    /// The number of the last run that has been taken account of.
    pub last_run: u32,
    /// When it last went on, in milliseconds since 1970.
    pub changed_ms: u64,
}

/// A journal whose entries cannot follow each other.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("entry {number} cannot be: {impossible}")]
pub struct BrokenHistory {
    /// The number of the entry.
    pub number: usize,
    /// Why it cannot be.
    pub impossible: CannotBe,
}

/// Something that cannot happen to a change where it is.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CannotBe {
    /// No phase is there for it.
    #[error(transparent)]
    Phase(#[from] Impossible),
    /// No step is there for it.
    #[error(transparent)]
    Step(#[from] team::Impossible),
    /// It happens in the other flow.
    #[error("it happens only in the other flow")]
    OtherFlow,
}

impl History {
    /// Folds the records of a journal.
    pub fn of(records: &[Record]) -> Result<Self, BrokenHistory> {
        let mut history = Self::default();
        for (index, record) in records.iter().enumerate() {
            history
                .take(record)
                .map_err(|impossible| BrokenHistory { number: index + 1, impossible })?;
        }
        Ok(history)
    }

    /// Adds a record.
    pub fn take(&mut self, record: &Record) -> Result<(), CannotBe> {
        self.advance(&record.entry)?;
        self.changed_ms = record.at_ms;
        self.failure = None;
        match &record.entry {
            Entry::Created { request, flow, first, .. } => {
                self.request = Some(request.clone());
                self.team = (*flow == Flow::Team)
                    .then(|| TeamHistory::new(first.unwrap_or(TeamStep::Architect)));
            }
            Entry::StepStarted(started) if started.step == TeamStep::Coders => {
                self.base.get_or_insert_with(|| started.commit.clone());
            }
            Entry::StepFinished(finished) => {
                self.sent_back = None;
                self.last_run = finished.last_run.max(self.last_run);
            }
            Entry::Started(started) => self.begin(started),
            Entry::Finished(finished) => self.finish(finished),
            Entry::Failed { message, last_run, .. }
            | Entry::StepFailed { message, last_run, .. } => {
                self.failure = Some(message.clone());
                self.last_run = *last_run;
            }
            Entry::SentBack { reason } => self.send_back(reason),
            Entry::Guided { text } => {
                self.guidance.push(text.clone());
                self.started = None;
            }
            Entry::Applying { plan } => self.applying = Some(plan.clone()),
            Entry::Applied => self.applying = None,
            Entry::Cancelled { .. } => self.started = None,
            Entry::Verified { evidence, .. } => self.last_evidence = Some(*evidence),
            Entry::Paused { .. }
            | Entry::StepPaused { .. }
            | Entry::Approved { .. }
            | Entry::StepStarted(_)
            | Entry::Lane(_)
            | Entry::Research(_)
            | Entry::PlanDone(_) => {}
        }
        Ok(())
    }

    /// Says whether an entry can follow.
    pub fn allows(&self, entry: &Entry) -> Result<(), CannotBe> {
        self.clone().advance(entry)
    }

    fn advance(&mut self, entry: &Entry) -> Result<(), CannotBe> {
        if entry.flow().is_some_and(|flow| flow != self.flow()) {
            return Err(CannotBe::OtherFlow);
        }
        match &mut self.team {
            Some(team) => team.take(entry)?,
            None => {
                if let Some(event) = entry.event() {
                    self.state = self.state.after(event)?;
                }
            }
        }
        Ok(())
    }

    /// Gives the way in which the change goes on.
    pub const fn flow(&self) -> Flow {
        match self.team {
            Some(_) => Flow::Team,
            None => Flow::Sdd,
        }
    }

    /// Says whether the change has ended.
    pub const fn is_over(&self) -> bool {
        match &self.team {
            Some(team) => team.state.is_over(),
            None => self.state.is_over(),
        }
    }

    /// Says whether agents have work to do before the change waits for a person or is put away.
    pub fn needs_agents(&self) -> bool {
        match &self.team {
            Some(team) => matches!(team.state.stage, TeamStage::Due(_) | TeamStage::Verify),
            None => !self.state.is_over(),
        }
    }

    /// Says whether the change is done.
    pub fn is_archived(&self) -> bool {
        match &self.team {
            Some(team) => team.state.stage == TeamStage::Archived,
            None => self.state.stage == Stage::Archived,
        }
    }

    /// Says whether the change was given up.
    pub fn is_cancelled(&self) -> bool {
        match &self.team {
            Some(team) => team.state.stage == TeamStage::Cancelled,
            None => self.state.stage == Stage::Cancelled,
        }
    }

    /// Says in words where the change is.
    pub fn at(&self) -> String {
        match &self.team {
            Some(team) => team::words::words(team.state.stage),
            None => super::change::words(self.state.stage),
        }
    }

    /// Says for programs where the change is, in one word that stays the same.
    pub fn token(&self) -> String {
        match &self.team {
            Some(team) => team::words::token(team.state.stage),
            None => super::change::token(self.state.stage),
        }
    }

    /// Gives the word of the phase or step that was begun and has not come to its end.
    pub fn under_way(&self) -> Option<&'static str> {
        match &self.team {
            Some(team) => team.started.as_ref().map(|started| started.step.word()),
            None => self.started.as_ref().map(|started| started.phase.word()),
        }
    }

    /// Gives the commit that the change's code is at: its last round's, else where it began; none before code is due.
    pub fn code(&self) -> Option<&Commit> {
        self.written().or(self.base.as_ref())
    }

    /// Gives the commit of the last round that wrote code, if any has.
    pub fn written(&self) -> Option<&Commit> {
        let by_phase = self.finished.get(&Phase::Implement).map(|finished| &finished.commit);
        self.team.as_ref().map_or(by_phase, |team| team.code.as_ref())
    }

    /// Gives the number from which on the runs of what is under way are counted.
    pub fn first_run(&self) -> Option<u32> {
        let first = match &self.team {
            Some(team) => team.started.as_ref().map(|started| started.first_run),
            None => self.started.as_ref().map(|started| started.first_run),
        };
        first.map(|first| first.max(self.last_run + 1))
    }

    fn begin(&mut self, started: &Started) {
        if let Some(specs) = &started.specs {
            self.specs.clone_from(specs);
        }
        if started.phase == Phase::Implement && self.base.is_none() {
            self.base = Some(started.commit.clone());
        }
        self.started = Some(started.clone());
    }

    fn finish(&mut self, finished: &Finished) {
        *self.rounds.entry(finished.phase).or_default() += 1;
        self.started = None;
        self.sent_back = None;
        self.last_run = run_number(&finished.run).unwrap_or(0).max(self.last_run);
        self.finished.insert(finished.phase, finished.clone());
    }

    fn send_back(&mut self, reason: &str) {
        self.started = None;
        self.applying = None;
        self.sent_back = Some(reason.to_owned());
    }
}

/// Gives the number at the beginning of a run's name.
pub fn run_number(run: &str) -> Option<u32> {
    run.split('-').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(agent: &str, first_run: u32) -> Entry {
        let commit = Commit::try_from("0".repeat(40)).unwrap();
        let agent = agent.to_owned();
        Entry::Started(Started {
            phase: Phase::Plan,
            round: 1,
            agent,
            first_run,
            commit,
            specs: None,
        })
    }

    fn history(entries: Vec<Entry>) -> History {
        let record = |entry| Record { version: Record::VERSION, at_ms: 1, entry };
        History::of(&entries.into_iter().map(record).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn what_was_run_up_to_a_failure_is_not_looked_at_again() {
        let failed = Entry::Failed { phase: Phase::Plan, message: "no".to_owned(), last_run: 7 };
        let history = history(vec![started("a", 1), failed.clone()]);
        assert_eq!((history.last_run, history.failure.as_deref()), (7, Some("no")));
        assert!(history.started.is_some(), "the phase is still due, and its beginning is known");

        let history = self::history(vec![started("a", 1), failed, started("b", 8)]);
        let again = history.started.unwrap();
        assert_eq!((again.agent.as_str(), again.first_run, history.failure), ("b", 8, None));
    }
}
