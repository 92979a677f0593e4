//! What a journal of the team flow comes to: the machine's state, and what is needed to go on with it.

use std::collections::BTreeMap;

use super::entry::{StepFinished, StepStarted};
use super::machine::{Impossible, TeamEvent, TeamState};
use super::research::{ResearchEvent, TopicRecord, TopicState};
use super::step::TeamStep;
use crate::engine::entry::Entry;
use crate::engine::git::Commit;
use crate::engine::lanes::{LaneEvent, LaneRecords};
use crate::models::plan::{Mode, PlanIndex};

/// A team change's past, folded.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamHistory {
    /// What the machine says.
    pub state: TeamState,
    /// The step that was begun last, if it has not come to its end.
    pub started: Option<StepStarted>,
    /// How each step ended last.
    pub finished: BTreeMap<TeamStep, StepFinished>,
    /// How often each step came to its end, over all.
    pub rounds: BTreeMap<TeamStep, u32>,
    /// The commit that the change's code is at, once there is any.
    pub code: Option<Commit>,
    /// Where the plans are that coders carry out.
    pub lanes: LaneRecords,
    /// What became of the topics that were asked about, by the names of their folders.
    pub research: BTreeMap<String, TopicRecord>,
    /// What a person asked to change, until it is planned.
    pub asked: Vec<String>,
}

impl TeamHistory {
    /// Begins a change with a step.
    pub fn new(first: TeamStep) -> Self {
        Self {
            state: TeamState::new(first),
            started: None,
            finished: BTreeMap::new(),
            rounds: BTreeMap::new(),
            code: None,
            lanes: LaneRecords::default(),
            research: BTreeMap::new(),
            asked: Vec::new(),
        }
    }

    /// Adds an entry.
    pub(in crate::engine) fn take(&mut self, entry: &Entry) -> Result<(), Impossible> {
        if let Some(event) = self.event(entry) {
            self.state = self.state.after(&event)?;
        }
        match entry {
            Entry::StepStarted(started) => self.started = Some(started.clone()),
            Entry::Lane(event) => {
                self.lanes.take(event);
                if let Some((_, commit)) = self.done(event) {
                    self.code = Some(commit);
                }
            }
            Entry::Research(event) => self.look_into(event),
            Entry::PlanDone(done) => self.code = Some(done.commit.clone()),
            Entry::StepFinished(finished) => self.finish(finished),
            Entry::SentBack { reason } => {
                self.started = None;
                self.asked.push(reason.clone());
            }
            Entry::Guided { .. } | Entry::Cancelled { .. } => self.started = None,
            Entry::Created { .. }
            | Entry::Started(_)
            | Entry::Finished(_)
            | Entry::Failed { .. }
            | Entry::StepFailed { .. }
            | Entry::Verified { .. }
            | Entry::Paused { .. }
            | Entry::StepPaused { .. }
            | Entry::Approved { .. }
            | Entry::Applying { .. }
            | Entry::Applied => {}
        }
        Ok(())
    }

    /// Says how often a step came to its end.
    pub fn rounds(&self, step: TeamStep) -> u32 {
        self.rounds.get(&step).copied().unwrap_or(0)
    }

    fn look_into(&mut self, event: &ResearchEvent) {
        let state = match event {
            ResearchEvent::Started { topic, request, first_run } => {
                let (request, first_run) = (request.clone(), *first_run);
                let record = TopicRecord { request, first_run, state: TopicState::UnderWay };
                self.research.insert(topic.clone(), record);
                return;
            }
            ResearchEvent::Finished { .. } => TopicState::Done,
            ResearchEvent::Failed { .. } => TopicState::Failed,
        };
        if let Some(record) = self.research.get_mut(event.topic()) {
            record.state = state;
        }
    }

    fn finish(&mut self, finished: &StepFinished) {
        *self.rounds.entry(finished.step).or_default() += 1;
        self.started = None;
        if finished.step.writes_code() {
            self.code = Some(finished.commit.clone());
        }
        if finished.step == TeamStep::Change {
            self.asked.clear();
        }
        if finished.lineup.is_some() {
            // What is not done, or is another plan now, begins anew from wherever the change is then.
            self.state.open_units().for_each(|unit| self.lanes.begin_anew(unit.plan));
        }
        self.finished.insert(finished.step, finished.clone());
    }

    /// Gives the plan that is done with an event, and the commit that the change's code is at then.
    fn done(&self, event: &LaneEvent) -> Option<(PlanIndex, Commit)> {
        match event {
            LaneEvent::Merged { plan, into, .. } => Some((*plan, into.clone())),
            LaneEvent::Finished { plan, commit, .. } => {
                let mode = self.state.lineup.as_ref()?.mode_of(*plan)?;
                (mode == Mode::Serial).then(|| (*plan, commit.clone()))
            }
            LaneEvent::Started { .. }
            | LaneEvent::SetAside { .. }
            | LaneEvent::Failed { .. }
            | LaneEvent::Quarantined { .. }
            | LaneEvent::WroteOutside { .. }
            | LaneEvent::Conflict { .. } => None,
        }
    }

    /// Gives what the machine makes of an entry; one that changes no stage is none.
    fn event(&self, entry: &Entry) -> Option<TeamEvent> {
        match entry {
            Entry::Lane(event) => self.done(event).map(|(plan, _)| TeamEvent::PlanDone(plan)),
            Entry::StepStarted(started) => Some(TeamEvent::Started(started.step)),
            Entry::PlanDone(done) => Some(TeamEvent::PlanDone(done.plan)),
            Entry::StepFinished(finished) => {
                Some(TeamEvent::Finished(finished.step, finished.outcome()))
            }
            Entry::Verified { evidence, .. } => Some(TeamEvent::Verified(*evidence)),
            Entry::StepPaused { step } => Some(TeamEvent::Paused(*step)),
            Entry::Approved { .. } => Some(TeamEvent::Approved),
            Entry::SentBack { .. } => Some(TeamEvent::SentBack),
            Entry::Guided { .. } => Some(TeamEvent::Guided),
            Entry::Applied => Some(TeamEvent::Applied),
            Entry::Cancelled { .. } => Some(TeamEvent::Cancelled),
            Entry::Created { .. }
            | Entry::Started(_)
            | Entry::Finished(_)
            | Entry::Failed { .. }
            | Entry::StepFailed { .. }
            | Entry::Research(_)
            | Entry::Paused { .. }
            | Entry::Applying { .. } => None,
        }
    }
}
