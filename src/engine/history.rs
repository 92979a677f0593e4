//! What a journal means: the state of a change in its flow, and what is needed to go on with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::archive::{ArchivePlan, Baseline};
use super::baseline::ChecksBefore;
pub use super::broken_history::{BrokenHistory, CannotBe};
use super::call_log::Called;
use super::check_report::CheckResult;
use super::document_record::DocumentRecord;
use super::entry::{Entry, Finished, Record, Started};
use super::flows;
use super::git::Commit;
use super::lanes::{LaneEvent, LaneRecords};
use super::plan_order::{Done, PlanOrder, PlanVersion};
pub use super::question::Question;
use super::research::{ResearchEvent, TopicRecord};
use crate::flow::{Fact, Facts, Flow, Kind, Outcome, State, Step, StepId, StepSet, Subject};
use crate::models::plan::{Mode, PlanIndex};

/// A change's past, folded.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The flow that the change follows.
    pub flow: Arc<Flow>,
    /// Where the change is in its flow.
    pub state: State,
    /// The checkout that holds it, none for the repository's first.
    pub checkout: Option<String>,
    /// What is wanted.
    pub request: String,
    /// What a person has added, in order.
    pub guidance: Vec<String>,
    /// What agents asked, each with a person's answer once there is one.
    pub questions: Vec<Question>,
    /// Why a person rejected the work, until the step that does it again has ended.
    pub rejections: Vec<String>,
    /// Why a person last overrode a REJECTED.
    last_override: Option<String>,
    /// The step that began last, if it has not ended.
    pub started: Option<Started>,
    /// How each step ended last.
    pub finished: BTreeMap<StepId, Finished>,
    /// How often each step ended, over all.
    rounds: BTreeMap<StepId, u32>,
    /// The steps whose last PASS lacked what it needs.
    void: StepSet,
    /// What is known of the checks before the change.
    pub baseline: Option<ChecksBefore>,
    /// What the checks showed when they ran last.
    pub last_checks: Option<CheckResult>,
    /// What agents left in places that git ignores, as the last run of the checks found it.
    pub ignored: Vec<String>,
    /// Whether the last clean run passed with exceptions that no person has seen.
    pub has_new_exceptions: bool,
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
    /// The documents.
    pub documents: DocumentRecord,
    /// The archive that is being put in place.
    pub applying: Option<ArchivePlan>,
    /// Why the last attempt failed, if nothing has happened since.
    pub failure: Option<String>,
    /// The calls of agents, in the order in which they ended.
    pub calls: Arc<Vec<Called>>,
    /// The number of the last run that has been taken account of.
    pub last_run: u32,
    /// When it last went on, in milliseconds since 1970.
    pub changed_ms: u64,
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
        let Entry::Created { request, flow, product_manager, checkout, .. } = &record.entry else {
            return Err(CannotBe::NoRequest);
        };
        let flow = flows::of_copy(flow).map_err(CannotBe::Flow)?;
        let new = Self::new(flow, request, *product_manager, record.at_ms);
        Ok(Self { checkout: checkout.clone(), ..new })
    }

    /// Begins a change that follows a flow.
    pub fn new(flow: Arc<Flow>, request: &str, product_manager: bool, at_ms: u64) -> Self {
        let facts = Facts::default();
        let facts = if product_manager { facts.with(Fact::ProductManager) } else { facts };
        Self {
            state: State::new(&flow, facts),
            flow,
            checkout: None,
            request: request.to_owned(),
            guidance: Vec::new(),
            questions: Vec::new(),
            rejections: Vec::new(),
            last_override: None,
            started: None,
            finished: BTreeMap::new(),
            rounds: BTreeMap::new(),
            void: StepSet::default(),
            baseline: None,
            last_checks: None,
            ignored: Vec::new(),
            has_new_exceptions: false,
            specs: Baseline::default(),
            base: None,
            written: None,
            documents: DocumentRecord::default(),
            schedule: None,
            done: Done::new(),
            lanes: LaneRecords::default(),
            research: BTreeMap::new(),
            applying: None,
            failure: None,
            calls: Arc::default(),
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
        if let Entry::Called(called) = &record.entry {
            Arc::make_mut(&mut self.calls).push(called.clone());
            return Ok(());
        }
        self.failure = None;
        self.documents.take(&record.entry);
        match &record.entry {
            Entry::Baseline(run) => self.compare_with(run.clone(), None),
            Entry::BaselineChosen { choice } => self.choose(*choice),
            Entry::Approved { .. } => self.has_new_exceptions = false,
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
            Entry::Edited(edited) => {
                if let Some(schedule) = &edited.schedule {
                    self.plan(schedule);
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
            Entry::Overridden { reason } => self.last_override = Some(reason.clone()),
            Entry::Applying { plan } => self.applying = Some(plan.clone()),
            Entry::Rebased { onto, commit } => self.rebase(onto, commit),
            Entry::Adopted { checkout } => self.checkout.clone_from(checkout),
            Entry::Cancelled { .. } => self.started = None,
            Entry::Created { .. }
            | Entry::Called(_)
            | Entry::Documents { .. }
            | Entry::PlanDone(_)
            | Entry::Paused { .. } => {}
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

    /// Returns why a person overrode a REJECTED, for as long as that counts: until what was judged changes or passes.
    pub fn override_reason(&self) -> Option<&str> {
        let counts = self.state.overridden.without(self.state.passed) != StepSet::default();
        self.last_override.as_deref().filter(|_| counts)
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

    /// Returns the number of the first run after those that the journal counts.
    pub fn next_run(&self) -> u32 {
        self.last_run.saturating_add(1)
    }

    /// Returns the number from which on the runs of what is under way are counted.
    pub fn first_run(&self) -> Option<u32> {
        self.started.as_ref().map(|started| started.first_run.max(self.next_run()))
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
        if self.started.is_none() {
            self.documents.begin();
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
            Kind::Checks => {
                let result = CheckResult::recorded(finished);
                self.has_new_exceptions = step.clean && !result.exceptions().is_empty();
                self.last_checks = Some(result);
                self.ignored.clone_from(&finished.ignored);
            }
            Kind::Agent | Kind::Lanes => self.rejections.clear(),
            Kind::Gate | Kind::Archive => {}
        }
        if step.changes == Some(Subject::Code) {
            self.written = Some(finished.commit.clone());
        }
        if let Some(schedule) = &finished.schedule {
            self.plan(schedule);
        }
        self.finished.insert(id, finished.clone());
    }

    fn plan(&mut self, schedule: &PlanOrder) {
        self.schedule = Some(schedule.clone());
        self.begin_open_plans_anew();
    }

    /// Goes on with the code on another base: what was found out about the code before holds no more.
    fn rebase(&mut self, onto: &Commit, commit: &Commit) {
        self.base = Some(onto.clone());
        self.written = self.written.as_ref().map(|_| commit.clone());
        (self.started, self.applying, self.last_checks) = (None, None, None);
        self.begin_open_plans_anew();
    }

    /// What is not done, or is another plan now, begins anew from wherever the change is then.
    fn begin_open_plans_anew(&mut self) {
        let open: Vec<_> = self.open_plans().map(|unit| unit.plan).collect();
        for plan in open {
            self.lanes.begin_anew(plan);
        }
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
