//! What a team's next step would send, put together in a copy of the change's files: nothing is written in the project,
//! its repository or the user's folders.

use std::path::Path;
use std::sync::Arc;

use super::coders::number;
use super::facts::known_of_plan;
use super::machine::TeamNext;
use super::step::TeamStep;
use super::turn::Turn;
use crate::engine::change::Change;
use crate::engine::desks::Room;
use crate::engine::driver::Driver;
use crate::engine::entry::Entry;
use crate::engine::error::EngineError;
use crate::engine::event::{Event, Watch};
use crate::engine::lanes::Site;
use crate::engine::preview::CHECKS_FIRST;
use crate::engine::project::Project;
use crate::engine::setup::Setup;
use crate::files::own;
use crate::models::change::ChangeId;
use crate::models::plan::{Mode, PlanIndex};
use crate::process::Cancel;
use crate::prompt::team::{BuiltPrompt, TeamSession};

/// What a person said of the change that is not in its journal yet.
#[derive(Clone, Copy, Debug)]
pub enum Said<'s> {
    /// Nothing.
    Nothing,
    /// What is wanted, of a change that is not begun and would begin with a step.
    Request(&'s str, TeamStep),
    /// More about what is wanted.
    Guidance(&'s str),
}

/// What would happen next.
#[derive(Clone, Debug)]
pub enum Foreseen {
    /// A step would be taken.
    Step(ForeseenStep),
    /// Nothing would be sent.
    Nothing {
        /// What is to be done instead.
        next: TeamNext,
        /// Where the change is, in words.
        at: String,
    },
}

/// A step that would be taken.
#[derive(Clone, Debug)]
pub struct ForeseenStep {
    /// The step.
    pub step: TeamStep,
    /// Its prompts: of the coders one for each plan that is due.
    pub prompts: Vec<BuiltPrompt>,
    /// What cannot be known of them before the step begins: a sentence each.
    pub reservations: Vec<String>,
}

/// What no prompt of a team can hold before its step begins.
const TIME: &str =
    "`changed_ms` in state.json is the time at which the step begins, which is not known yet";

/// Puts together the prompts of a team's next step as the driver would. The folder of a change that is not begun need not
/// be there.
pub fn preview(
    setup: &Setup,
    id: &ChangeId,
    folder: &Path,
    said: Said<'_>,
) -> Result<Foreseen, EngineError> {
    let scratch = own::scratch().map_err(EngineError::io("make a folder beside", folder))?;
    let project = Project::at(scratch.path());
    let copy = project.change(id);
    Change::copy(folder, &copy)?;
    let mut change = match said {
        Said::Request(text, first) => Change::create_for_team(id, &project, text, first)?,
        Said::Guidance(_) | Said::Nothing => Change::hold(id, &copy)?,
    };
    if let Said::Guidance(text) = said {
        change.happened(Entry::Guided { text: text.to_owned() })?;
    }
    let mut driver = Driver::new(setup, change, Arc::new(Nobody), Cancel::never());
    let reservations = driver.reservations()?;
    let next = driver.team()?.state.next(setup.team_limits());
    let step = match next {
        TeamNext::Run(step) => step,
        TeamNext::Verify => TeamStep::Review,
        TeamNext::Apply | TeamNext::Wait | TeamNext::Exhausted | TeamNext::End => {
            return Ok(Foreseen::Nothing { next, at: driver.change().history.at() });
        }
    };
    if next == TeamNext::Verify {
        driver.lay_out(step)?;
    } else {
        let round = driver.team()?.rounds(step) + 1;
        let agent = setup.roles.get(&step.role()).map_or("", |agent| &agent.name);
        driver.begin_step(step, round, agent)?;
    }
    let prompts = driver.prompts(step, &copy, folder)?;
    Ok(Foreseen::Step(ForeseenStep { step, prompts, reservations }))
}

impl Driver<'_> {
    /// Lists what a run does first, so that its prompts may differ from those that are made now.
    fn reservations(&self) -> Result<Vec<String>, EngineError> {
        let team = self.team()?;
        let mut reservations = vec![TIME.to_owned()];
        if team.state.next(self.setup.team_limits()) == TeamNext::Verify {
            reservations.push(CHECKS_FIRST.to_owned());
        }
        if let Some(started) = &team.started {
            reservations.push(format!(
                "{} was cut off: a run first sets its files back, or takes the answer that the agent has left and sends \
                 nothing",
                started.step.word()
            ));
            return Ok(reservations);
        }
        let topics = self.open_topics()?;
        if !topics.is_empty() {
            reservations.push(format!(
                "a run first looks into {}: what comes of that is not in this prompt",
                topics.join(", ")
            ));
        }
        Ok(reservations)
    }

    /// Makes the prompts of a step in a copy, which say where they would be.
    fn prompts(
        &self,
        step: TeamStep,
        copy: &Path,
        folder: &Path,
    ) -> Result<Vec<BuiltPrompt>, EngineError> {
        let (setup, id) = (self.setup, &self.change.id);
        let due = self.team()?.state.due_plans();
        let room = if step.writes_code() { setup.desk(id) } else { setup.room(id, Room::Reading) };
        let turns: Vec<_> = match due {
            Some((mode, plans)) if step == TeamStep::Coders && !setup.team.single_coder => {
                let place = |plan: PlanIndex| match mode {
                    Mode::Parallel => Site::folder_of(setup, id, plan),
                    Mode::Serial => room.clone(),
                };
                let turn = |plan: PlanIndex| (Turn::Plan(number(plan.get())), place(plan));
                plans.into_iter().map(turn).collect()
            }
            Some(_) | None => vec![(Turn::Step(step), room)],
        };
        let mut prompts = Vec::new();
        let facts = self.facts();
        for (turn, project_dir) in turns {
            let project_root = setup.project.root.clone();
            let plan = turn.plan().and_then(|plan| PlanIndex::new(plan.get()));
            let lanes = &self.team()?.lanes;
            let facts =
                plan.map_or_else(|| facts.clone(), |plan| known_of_plan(&facts, lanes, plan));
            let feature_dir = copy.to_owned();
            let session = TeamSession { feature_dir, project_dir, project_root, facts };
            let mut prompt = turn.build(&session)?;
            let [copy, folder] = [copy, folder].map(|path| path.display().to_string());
            prompt.text = prompt.text.replace(&copy, &folder);
            prompts.push(prompt);
        }
        Ok(prompts)
    }
}

/// Watches nothing: nothing happens.
struct Nobody;

impl Watch for Nobody {
    fn event(&self, _: &Event<'_>) {}
}
