//! What the next step of a change would send, put together in a copy of the change's files: nothing is written in the project,
//! its repository or the user's folders.

use std::path::Path;
use std::sync::Arc;

use super::change::{Change, NewChange};
use super::coder::number;
use super::desks::Room;
use super::driver::Driver;
use super::error::EngineError;
use super::event::{Event, Watch};
use super::git::Extent;
use super::instructions::instructions;
use super::lanes::Site;
use super::outbox::Outbox;
use super::project::Project;
use super::roles::{Turn, known_of_plan};
use super::setup::Setup;
use super::supplies::supplies;
use crate::files::OrFailed as _;
use crate::files::own;
use crate::flow::{Kind, Next, Step, StepId, Target};
use crate::models::change::ChangeId;
use crate::models::plan::{Mode, PlanIndex};
use crate::orchestrator::{Composed, Orchestrator, Place};
use crate::process::Cancel;
use crate::prompt::team::{BuiltPrompt, TeamSession};
use crate::prompt::tree::{is_full, tree};

/// How many names of a commit are sketched at first: more than a tree shows.
const SKETCHED: usize = 1_000;
/// How many times as many are sketched where that is not enough.
const MORE: usize = 8;

/// What a person said of a change that is not in its journal yet.
#[derive(Clone, Debug)]
pub enum Said<'s> {
    /// Nothing.
    Nothing,
    /// What is wanted, of a change that is not begun.
    Request(NewChange<'s>),
    /// More about what is wanted, or the answer to a question.
    More(&'s str),
}

/// What would happen next.
#[derive(Clone, Debug)]
pub enum Preview {
    /// Agents would be asked.
    Step {
        /// The step.
        step: Box<Step>,
        /// What would be sent.
        prompts: Prompts,
        /// What a run does before it sends that, and what may differ for that reason: a sentence each.
        reservations: Vec<String>,
    },
    /// Nothing would be sent.
    Nothing {
        /// What would happen instead.
        next: Next,
        /// Where the change is, in words.
        at: String,
    },
}

/// What would be sent.
#[derive(Clone, Debug)]
pub enum Prompts {
    /// One document.
    Document(Box<Composed>),
    /// The prompts of roles: of lanes one for each plan that is due.
    Roles(Vec<BuiltPrompt>),
}

/// Puts together what the next step of a change would send, as the driver would. The folder of a change that is not begun need
/// not be there.
pub fn preview(setup: &Setup, id: &ChangeId, said: Said<'_>) -> Result<Preview, EngineError> {
    let folder = &setup.project.change(id);
    let scratch = own::scratch().or_failed("create a folder beside", folder)?;
    let checkout = setup.project.checkout.clone();
    let project = Project { checkout, ..Project::at(scratch.path()) };
    let copy = project.change(id);
    Change::copy(id, &setup.project, &project)?;
    let change = match said {
        Said::Request(new) => Change::create(id, &project, new)?,
        Said::More(text) => {
            let mut change = Change::hold(id, &project)?;
            change.happened(change.more(text))?;
            change
        }
        Said::Nothing => Change::hold(id, &project)?,
    };
    let mut driver = Driver::new(setup, change, Arc::new(Unwatched), Cancel::never());
    driver.take_edits()?;
    let next = driver.next();
    let Some((due, checks)) = next_call(&driver.change, next) else {
        return Ok(Preview::Nothing { next, at: driver.change.history.at() });
    };
    let reservations = driver.reservations(due, checks)?;
    driver.fix_base()?;
    let step = driver.step(due).clone();
    let prompts = driver.prompts(due, &step, checks, &copy)?;
    Ok(Preview::Step { step: Box::new(step), prompts, reservations })
}

/// Returns the step in which an agent is asked next, and whether checks come before it.
fn next_call(change: &Change, next: Next) -> Option<(StepId, Checks)> {
    let Next::Run(mut id) = next else { return None };
    let (flow, mut checks) = (&change.history.flow, Checks::None);
    while flow.step(id).kind == Kind::Checks {
        checks = Checks::First;
        match flow.step(id).onward()? {
            Target::Step(next) => id = next,
            Target::End(_) => return None,
        }
    }
    matches!(flow.step(id).kind, Kind::Agent | Kind::Lanes).then_some((id, checks))
}

/// Whether checks run before an agent is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Checks {
    None,
    First,
}

impl Driver<'_> {
    /// Lists what a run does first, so that its prompt may differ from one that is made now.
    fn reservations(&self, id: StepId, checks: Checks) -> Result<Vec<String>, EngineError> {
        let (step, history) = (self.step(id), &self.change.history);
        let mut reservations = Vec::new();
        if !step.is_document() {
            reservations.push(
                "`changed_ms` in state.json is the time at which the step starts, which is not known yet"
                    .to_owned(),
            );
        }
        if self.is_baseline_due() {
            reservations.push(
                "setup and checks run first on the unchanged code: if checks already fail, the prompt says so"
                    .to_owned(),
            );
        }
        if checks == Checks::First {
            reservations.push(
                "the project's checks run first; their output is not in this prompt".to_owned(),
            );
        }
        if history.under_way() == Some(&step.name) {
            reservations.push(format!(
                "{} was interrupted: a run uses the answer that the agent has left, if there is one, and sends nothing",
                step.name
            ));
        } else if history.flow.steps.iter().any(|step| step.research) {
            let topics = self.open_topics()?;
            if !topics.is_empty() {
                reservations.push(format!(
                    "a run first researches {}: the answers are not in this prompt",
                    topics.join(", ")
                ));
            }
        }
        Ok(reservations)
    }

    /// Makes what a step sends in a copy, which says where it would be.
    fn prompts(
        &mut self,
        id: StepId,
        step: &Step,
        checks: Checks,
        copy: &Path,
    ) -> Result<Prompts, EngineError> {
        let setup = self.setup;
        if step.is_document() {
            return Ok(Prompts::Document(Box::new(self.document(id, step, copy)?)));
        }
        let agent = setup.agents.get(step.slot.as_ref()).map_or("", |agent| &agent.name);
        if checks == Checks::None && self.change.history.started.is_none() {
            let round = self.change.history.rounds(id) + 1;
            self.begin(step, round, agent)?;
        } else {
            self.lay_out(step)?;
        }
        let mut prompts = Vec::new();
        for (turn, project_dir) in self.turns(step) {
            let plan = turn.plan().and_then(|plan| PlanIndex::new(plan.get()));
            let lanes = &self.change.history.lanes;
            let facts = self.facts();
            let facts = plan.map_or(facts.clone(), |plan| known_of_plan(&facts, lanes, plan));
            let (feature_dir, project_root) = (copy.to_owned(), setup.project.root.clone());
            let session = TeamSession { feature_dir, project_dir, project_root, facts };
            let mut prompt = turn.build(&session)?;
            let outbox = match plan {
                Some(plan) => Outbox::of_plan(setup, &self.change.id, plan),
                None => self.outbox(step),
            };
            let [copy, outbox] = [copy, outbox.path()].map(|path| path.display().to_string());
            prompt.text = prompt.text.replace(&copy, &outbox);
            prompts.push(prompt);
        }
        Ok(Prompts::Roles(prompts))
    }

    /// Lists who would be asked, and where each would work.
    fn turns(&self, step: &Step) -> Vec<(Turn, std::path::PathBuf)> {
        let (setup, id) = (self.setup, &self.change.id);
        let room = if step.writes_code() { setup.desk(id) } else { setup.room(id, Room::Reading) };
        match self.change.history.due_plans() {
            Some((mode, plans)) if step.kind == Kind::Lanes && !setup.team.single_coder => {
                let place = |plan: PlanIndex| match mode {
                    Mode::Parallel => Site::folder_of(setup, id, plan),
                    Mode::Serial => room.clone(),
                };
                let turn =
                    |plan: PlanIndex| (Turn::Plan(step.clone(), number(plan.get())), place(plan));
                plans.into_iter().map(turn).collect()
            }
            Some(_) | None => vec![(Turn::Step(step.clone()), room)],
        }
    }

    /// Puts together the document of a step.
    fn document(&self, id: StepId, step: &Step, copy: &Path) -> Result<Composed, EngineError> {
        let (setup, history) = (self.setup, &self.change.history);
        let agent = setup.agents.get(step.slot.as_ref()).cloned();
        let agent = agent.ok_or_else(|| EngineError::NoAgent { step: step.name.to_string() })?;
        // The driver works in a workspace, which is not made here: its names alone show in a prompt.
        let sketch = tempfile::tempdir().or_failed("create a folder beside", copy)?;
        let commit = setup.code_commit(history)?;
        let mut most = SKETCHED;
        // Rules of what to ignore may hide most of the first names.
        while match setup.repository.sketch(&commit, sketch.path(), most)? {
            Extent::Whole => false,
            Extent::Beginning => !is_full(&tree(sketch.path())),
            Extent::Gaps => true,
        } {
            most = most.saturating_mul(MORE);
        }
        let mut place = Place::new(&setup.project.root, &setup.guard);
        sketch.path().clone_into(&mut place.workspace);
        place.environment.clone_from(&setup.environment);
        copy.parent().unwrap_or(copy).clone_into(&mut place.changes);
        place.named_changes = Some(self.outbox(step).changes());
        let state = setup.project.location(&self.change.id).state;
        let supplied = supplies(setup, &state, history, id)?;
        let orchestrator = Orchestrator::new(agent, place)
            .with_supplied(supplied)
            .with_templates(Arc::clone(&setup.templates));
        Ok(orchestrator.outgoing(&self.change.id, step, &instructions(history, id))?)
    }
}

/// Watches nothing: nothing happens.
struct Unwatched;

impl Watch for Unwatched {
    fn event(&self, _: &Event<'_>) {}
}
