//! What a journal means: the state of a change in its flow, and what is needed to go on with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::archive::{ArchivePlan, Baseline};
use super::entry::{Entry, Finished, Record, Started};
use super::flows;
use super::git::Commit;
use super::lanes::{LaneEvent, LaneRecords};
use super::plan_order::{Done, PlanOrder, PlanVersion};
use super::research::{ResearchEvent, TopicRecord};
use crate::flow::{
    Event, Fact, Facts, Flow, Kind, Outcome, Refusal, State, Step, StepId, StepSet, Subject,
};
use crate::models::plan::{Mode, PlanIndex};

/// A change's past, folded.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The flow that the change follows.
    pub flow: Arc<Flow>,
    /// Where the change is in its flow.
    pub state: State,
    /// What is wanted.
    pub request: String,
    /// What a person has added, in order.
    pub guidance: Vec<String>,
    /// What agents asked, each with a person's answer once there is one.
    pub questions: Vec<Question>,
    /// Why a person rejected the work, until the step that does it again has ended.
    pub rejections: Vec<String>,
    /// Why a person overrode a REJECTED.
    pub override_reason: Option<String>,
    /// The step that began last, if it has not ended.
    pub started: Option<Started>,
    /// How each step ended last.
    pub finished: BTreeMap<StepId, Finished>,
    /// How often each step ended, over all.
    rounds: BTreeMap<StepId, u32>,
    /// The steps whose last PASS lacked what it needs.
    void: StepSet,
    /// Whether the checks were green when they ran last.
    pub last_checks: Option<bool>,
    /// The hashes of the project's specs that the change is written for.
    pub specs: Baseline,
    /// The commit that the first code began from.
    pub base: Option<Commit>,
    /// The commit of the last round that wrote code.
    pub written: Option<Commit>,
    /// The plans in their order, once there are any.
    pub schedule: Option<PlanOrder>,
    /// The plans that were carried out, as they were then.
    pub done: Done,
    /// Where the plans are that coders carry out.
    pub lanes: LaneRecords,
    /// What is known of the topics of research, by the names of their folders.
    pub research: BTreeMap<String, TopicRecord>,
    /// The archive that is being put in place.
    pub applying: Option<ArchivePlan>,
    /// Why the last attempt failed, if nothing has happened since.
    pub failure: Option<String>,
    /// The number of the last run that has been taken account of.
    pub last_run: u32,
    /// When it last went on, in milliseconds since 1970.
    pub changed_ms: u64,
}

/// Something that the agent of a step asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The step.
    pub step: String,
    /// What the agent needs.
    pub reason: String,
    /// What a person answered.
    pub answer: Option<String>,
}

/// A journal whose entries cannot follow each other.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("entry {number} cannot be: {reason}")]
pub struct BrokenHistory {
    /// The number of the entry.
    pub number: usize,
    /// Why it cannot be.
    pub reason: CannotBe,
}

/// Why something cannot happen to a change where it is.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CannotBe {
    /// The flow does not allow it here.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The flow has no such step.
    #[error("the flow has no step `{0}`")]
    NoStep(String),
    /// The plan is not due.
    #[error("plan {} is not due", .0.get())]
    NotDue(PlanIndex),
    /// Plans are still due.
    #[error("not every plan is carried out")]
    PlansLeft,
    /// The change begins with something else than a request, or begins twice.
    #[error("a change begins with its request, once")]
    NoRequest,
    /// The flow that the change began with is not known.
    #[error("{0}")]
    Flow(String),
}

impl History {
    /// Folds the records of a journal; one without any is of a change that nobody asked for yet.
    pub fn of(records: &[Record]) -> Result<Option<Self>, BrokenHistory> {
        let broken = |index| move |reason| BrokenHistory { number: index + 1, reason };
        let Some((first, rest)) = records.split_first() else { return Ok(None) };
        let mut history = Self::begun(first).map_err(broken(0))?;
        for (index, record) in rest.iter().enumerate() {
            history.take(record).map_err(broken(index + 1))?;
        }
        Ok(Some(history))
    }

    /// Begins with the record of a request.
    pub fn begun(record: &Record) -> Result<Self, CannotBe> {
        let Entry::Created { request, flow, product_manager, .. } = &record.entry else {
            return Err(CannotBe::NoRequest);
        };
        let flow = flows::of_copy(flow).map_err(CannotBe::Flow)?;
        Ok(Self::new(flow, request, *product_manager, record.at_ms))
    }

    /// Begins a change that follows a flow.
    pub fn new(flow: Arc<Flow>, request: &str, product_manager: bool, at_ms: u64) -> Self {
        let facts = Facts::default();
        let facts = if product_manager { facts.with(Fact::ProductManager) } else { facts };
        Self {
            state: State::new(&flow, facts),
            flow,
            request: request.to_owned(),
            guidance: Vec::new(),
            questions: Vec::new(),
            rejections: Vec::new(),
            override_reason: None,
            started: None,
            finished: BTreeMap::new(),
            rounds: BTreeMap::new(),
            void: StepSet::default(),
            last_checks: None,
            specs: Baseline::default(),
            base: None,
            written: None,
            schedule: None,
            done: Done::new(),
            lanes: LaneRecords::default(),
            research: BTreeMap::new(),
            applying: None,
            failure: None,
            last_run: 0,
            changed_ms: at_ms,
        }
    }

    /// Returns whether an entry can follow.
    pub fn allows(&self, entry: &Entry) -> Result<(), CannotBe> {
        self.clone().advance(entry)
    }

    /// Adds a record.
    pub fn take(&mut self, record: &Record) -> Result<(), CannotBe> {
        self.advance(&record.entry)?;
        self.changed_ms = record.at_ms;
        self.failure = None;
        match &record.entry {
            Entry::Started(started) => self.start(started),
            Entry::Finished(finished) => self.finish(finished),
            Entry::Failed { message, last_run, .. } => {
                self.failure = Some(message.clone());
                self.last_run = *last_run;
            }
            Entry::Blocked { step, reason, last_run } => {
                let question =
                    Question { step: step.clone(), reason: reason.clone(), answer: None };
                self.questions.push(question);
                (self.started, self.last_run) = (None, *last_run);
            }
            Entry::Answered { text } => {
                if let Some(question) = self.questions.last_mut() {
                    question.answer = Some(text.clone());
                }
            }
            Entry::Lane(event) => self.lanes.take(event),
            Entry::Research(event) => self.look_into(event),
            Entry::Rejected { reason } => {
                (self.started, self.applying) = (None, None);
                self.rejections.push(reason.clone());
            }
            Entry::Guided { text } => {
                self.guidance.push(text.clone());
                (self.started, self.schedule) = (None, None);
            }
            Entry::Overridden { reason } => self.override_reason = Some(reason.clone()),
            Entry::Applying { plan } => self.applying = Some(plan.clone()),
            Entry::Cancelled { .. } => self.started = None,
            Entry::Created { .. }
            | Entry::PlanDone(_)
            | Entry::Paused { .. }
            | Entry::Approved { .. } => {}
        }
        Ok(())
    }

    fn advance(&mut self, entry: &Entry) -> Result<(), CannotBe> {
        if let Entry::Finished(finished) = entry {
            let id = self.find(&finished.step)?;
            let is_void = self.counted(self.flow.step(id), finished) != finished.outcome;
            let without = self.void.without(StepSet::default().with(id));
            self.void = if is_void { without.with(id) } else { without };
        }
        if let Some(event) = self.event(entry)? {
            self.state = self.state.after(&self.flow, event)?;
        }
        if let Some((plan, commit)) = self.carried_out(entry) {
            let due = self.due_plans().map(|(_, due)| due).unwrap_or_default();
            let hash =
                self.schedule.as_ref().and_then(|it| it.unit(plan)).map(|it| it.hash.clone());
            let is_at_work = self.started_step().is_some_and(|step| step.kind == Kind::Lanes);
            match hash.filter(|_| is_at_work && due.contains(&plan)) {
                Some(hash) => drop(self.done.insert(plan, hash)),
                None => return Err(CannotBe::NotDue(plan)),
            }
            self.written = Some(commit);
        }
        Ok(())
    }

    /// Returns what an entry means for the state; one that changes no position means nothing.
    fn event(&self, entry: &Entry) -> Result<Option<Event>, CannotBe> {
        Ok(Some(match entry {
            Entry::Created { .. } => return Err(CannotBe::NoRequest),
            Entry::Started(started) => Event::Started(self.find(&started.step)?),
            Entry::Finished(finished) => {
                let step = self.find(&finished.step)?;
                if self.flow.step(step).kind == Kind::Lanes && self.due_plans().is_some() {
                    return Err(CannotBe::PlansLeft);
                }
                let (outcome, facts) = (finished.outcome, self.facts_of(finished));
                Event::Finished { step, outcome, facts }
            }
            Entry::Blocked { step, .. } => Event::Blocked(self.find(step)?),
            Entry::Answered { .. } => Event::Answered,
            Entry::Paused { step } => Event::Paused(self.find(step)?),
            Entry::Approved { .. } => Event::Approved,
            Entry::Overridden { .. } => Event::Overridden,
            Entry::Rejected { .. } => Event::Rejected,
            Entry::Guided { .. } => Event::Guided,
            Entry::Cancelled { .. } => Event::Cancelled,
            Entry::Failed { .. }
            | Entry::Lane(_)
            | Entry::PlanDone(_)
            | Entry::Research(_)
            | Entry::Applying { .. } => return Ok(None),
        }))
    }

    /// Returns what is known after a step ended: what its schedule asks for, and whether documents are there.
    fn facts_of(&self, finished: &Finished) -> Facts {
        let mut facts = Facts::default();
        if let Some(schedule) = &finished.schedule {
            if schedule.needs_design {
                facts = facts.with(Fact::NeedsDesign);
            }
            if schedule.due(&self.done).is_some() {
                facts = facts.with(Fact::PlansDue);
            }
        }
        if finished.documented { facts.with(Fact::DocFiles) } else { facts }
    }

    /// Finds a step by its name.
    pub fn find(&self, step: &str) -> Result<StepId, CannotBe> {
        self.flow.find(step).ok_or_else(|| CannotBe::NoStep(step.to_owned()))
    }

    /// Returns the step that began and has not ended.
    pub fn started_step(&self) -> Option<&Step> {
        let id = self.flow.find(&self.started.as_ref()?.step)?;
        Some(self.flow.step(id))
    }

    /// Returns how often a step ended, over all.
    pub fn rounds(&self, step: StepId) -> u32 {
        self.rounds.get(&step).copied().unwrap_or(0)
    }

    /// Returns what the outcome of a step counts as that ends now.
    pub fn counted(&self, step: &Step, finished: &Finished) -> Outcome {
        self.state.counted(step, finished.outcome, self.facts_of(finished))
    }

    /// Returns how a step ended last.
    pub fn outcome(&self, step: StepId) -> Option<Outcome> {
        self.finished.get(&step).map(|finished| finished.outcome)
    }

    /// Returns whether the last PASS of a step lacked what it needs.
    pub const fn is_void(&self, step: StepId) -> bool {
        self.void.contains(step)
    }

    /// Lists the plans that are due next, with the way in which they are carried out.
    pub fn due_plans(&self) -> Option<(Mode, Vec<PlanIndex>)> {
        self.schedule.as_ref()?.due(&self.done)
    }

    /// Lists every plan that is not carried out as it is.
    pub fn open_plans(&self) -> impl Iterator<Item = &PlanVersion> {
        let units = self.schedule.iter().flat_map(PlanOrder::units);
        units.filter(|unit| !unit.is_done(&self.done))
    }

    /// Returns the commit that the change's code is at: its last round's, else where it began; none before code is due.
    pub fn code(&self) -> Option<&Commit> {
        self.written.as_ref().or(self.base.as_ref())
    }

    /// Returns the number from which on the runs of what is under way are counted.
    pub fn first_run(&self) -> Option<u32> {
        self.started.as_ref().map(|started| started.first_run.max(self.last_run + 1))
    }

    fn start(&mut self, started: &Started) {
        if let Some(specs) = &started.specs {
            self.specs.clone_from(specs);
        }
        let id = self.flow.find(&started.step);
        let writes_code = id.is_some_and(|id| self.flow.step(id).changes == Some(Subject::Code));
        if writes_code && self.base.is_none() {
            self.base = Some(started.commit.clone());
        }
        self.started = Some(started.clone());
    }

    fn finish(&mut self, finished: &Finished) {
        let Some(id) = self.flow.find(&finished.step) else { return };
        let step = self.flow.step(id);
        *self.rounds.entry(id).or_default() += 1;
        (self.started, self.applying) = (None, None);
        self.last_run = finished.last_run.max(self.last_run);
        match step.kind {
            Kind::Checks => self.last_checks = Some(finished.outcome == Outcome::Green),
            Kind::Agent | Kind::Lanes => self.rejections.clear(),
            Kind::Gate | Kind::Archive => {}
        }
        if step.changes == Some(Subject::Code) {
            self.written = Some(finished.commit.clone());
        }
        if let Some(schedule) = &finished.schedule {
            self.schedule = Some(schedule.clone());
            // What is not done, or is another plan now, begins anew from wherever the change is then.
            let open: Vec<_> = self.open_plans().map(|unit| unit.plan).collect();
            for plan in open {
                self.lanes.begin_anew(plan);
            }
        }
        self.finished.insert(id, finished.clone());
    }

    fn look_into(&mut self, event: &ResearchEvent) {
        match TopicRecord::begun(event) {
            Some(record) => drop(self.research.insert(event.topic().to_owned(), record)),
            None => {
                if let Some(record) = self.research.get_mut(event.topic()) {
                    record.end(event);
                }
            }
        }
    }

    /// Returns the plan that an entry says is carried out, and the commit that the change's code is at then.
    fn carried_out(&self, entry: &Entry) -> Option<(PlanIndex, Commit)> {
        match entry {
            Entry::PlanDone(done) => Some((done.plan, done.commit.clone())),
            Entry::Lane(LaneEvent::Merged { plan, into, .. }) => Some((*plan, into.clone())),
            Entry::Lane(LaneEvent::Finished { plan, commit, .. }) => {
                let mode = self.schedule.as_ref()?.mode_of(*plan)?;
                (mode == Mode::Serial).then(|| (*plan, commit.clone()))
            }
            _ => None,
        }
    }
}

/// Returns the number at the beginning of a run's name.
pub fn run_number(run: &str) -> Option<u32> {
    run.split('-').next()?.parse().ok()
}
