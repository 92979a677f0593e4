//! `agentd run --flow team`: a team brings a change on, and what came of it is told to people, to programs and by the
//! exit code.

use std::sync::Arc;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::runtime;
use super::live::{self, Afterwards};
use super::run::{guide, is_new_text, may_be_sent_back};
use super::status::history;
use super::summary;
use super::workshop::{AgentOptions, Room, no_such_change, set_up_team};
use crate::engine::change::Change;
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::engine::history::History;
use crate::engine::project::Whereabouts;
use crate::engine::setup::Setup;
use crate::engine::team::{TeamStage, TeamStep, TeamStop, TeamWay};
use crate::models::change::ChangeId;
use crate::models::settings::{Handover, Team};
use crate::output::screen::Screen;
use crate::output::stopped::{self, Reason};
use crate::output::story::Tone;
use crate::template::Role;

/// What a team is to bring on.
pub(super) struct Errand<'e> {
    pub(super) id: &'e ChangeId,
    pub(super) request: Option<&'e str>,
    pub(super) agents: &'e AgentOptions,
    pub(super) way: TeamWay,
    /// How its members are told, if not as the configuration says.
    pub(super) handover: Option<Handover>,
    pub(super) afterwards: Afterwards,
}

impl Errand<'_> {
    /// Begins the change or goes on with it.
    pub(super) fn run(&self, room: Room, screen: &Arc<Screen>) -> Outcome {
        let whereabouts = room.whereabouts(self.id)?;
        if let Whereabouts::Archived(path) = &whereabouts {
            let setup = set_up_team(room, self.agents, &[], &[])?;
            return drive(&setup, Change::hold(self.id, path)?, screen, &self.way, self.afterwards);
        }
        if whereabouts == Whereabouts::Nowhere && self.request.is_none() {
            return Err(no_such_change(self.id));
        }
        let first = room.first_step()?;
        let needed = match &whereabouts {
            Whereabouts::Open(folder) => self.still_needed(&history(folder)?, first),
            Whereabouts::Nowhere | Whereabouts::Archived(_) => needed(first, self.way.until),
        };
        let mut setup = set_up_team(room, self.agents, &members(first), &needed)?;
        setup.team.delivery = self.handover.unwrap_or(setup.team.delivery);
        if self.afterwards == Afterwards::Kept && setup.team.delivery != Handover::Tmux {
            return Err(Failure::new(
                Kind::Usage,
                "`--keep-session` keeps a tmux session, and there is none",
            )
            .help("add `--tmux`"));
        }
        live::check(&setup)?;
        // That is said before anything is made.
        setup.refuse_without_way(self.id)?;
        let folder = setup.project.change(self.id);
        let mut change = match self.request {
            Some(request) => Change::create_for_team(self.id, &setup.project, request, first)?,
            None => Change::hold(self.id, &folder)?,
        };
        if change.history.is_cancelled() {
            let message = format!("change `{}` was given up", self.id);
            return Err(Failure::new(Kind::Precondition, message)
                .help("begin another change under an id of its own"));
        }
        if change.is_new() {
            let text = format!("{} begins in {}", self.id, folder.display());
            screen.line("change", &text, Tone::Plain);
        }
        if let Some(text) = self.request
            && is_new_text(&change.history, text)
        {
            guide(&mut change, text)?;
            screen.line("guidance", "the team begins anew with what you added", Tone::Plain);
        }
        drive(&setup, change, screen, &self.way, self.afterwards)
    }

    /// Lists the roles that a change can still need which is there.
    fn still_needed(&self, history: &History, first: TeamStep) -> Vec<Role> {
        let stage = history.team.as_ref().map(|team| team.state.stage);
        let is_guided = self.request.is_some_and(|text| is_new_text(history, text));
        let from = match stage.filter(|_| !is_guided) {
            None => first,
            Some(TeamStage::Due(TeamStep::Change)) => TeamStep::Planner,
            // What is reviewed may be mended and reviewed again.
            Some(TeamStage::Due(step)) => step.min(TeamStep::Review),
            Some(TeamStage::Verify) => TeamStep::Review,
            Some(
                TeamStage::Pause(_)
                | TeamStage::Gate
                | TeamStage::Apply
                | TeamStage::Archived
                | TeamStage::Cancelled,
            ) => return Vec::new(),
        };
        needed(from, self.way.until)
    }
}

impl Room {
    /// Gives the step with which a team begins here.
    pub(super) fn first_step(&self) -> Outcome<TeamStep> {
        Ok(first_step(&self.team()?))
    }

    /// Gives how a team works here.
    fn team(&self) -> Outcome<Team> {
        self.config().map(|config| config.team)
    }
}

const fn first_step(team: &Team) -> TeamStep {
    if team.product_manager { TeamStep::ProductManager } else { TeamStep::Architect }
}

/// Lists the roles that must have an agent before anything begins: those of the steps between two, and researchers, who
/// may be asked in any.
fn needed(from: TeamStep, until: Option<TeamStep>) -> Vec<Role> {
    let last = until.unwrap_or(TeamStep::Summary).min(TeamStep::Summary);
    let steps = TeamStep::ALL.into_iter().filter(|step| (from..=last).contains(step));
    let mut roles: Vec<_> = steps.map(TeamStep::role).collect();
    if !roles.is_empty() {
        roles.extend([Role::CodeResearcher, Role::WebResearcher]);
    }
    roles
}

/// Lists the roles of a team.
fn members(first: TeamStep) -> Vec<Role> {
    let always = [
        Role::Architect,
        Role::Planner,
        Role::Designer,
        Role::Coder,
        Role::Reviewer,
        Role::CodeResearcher,
        Role::WebResearcher,
    ];
    let first = Some(first.role()).filter(|role| *role == Role::ProductManager);
    first.into_iter().chain(always).collect()
}

/// Drives a change as far as it goes and tells what came of it.
pub(super) fn drive(
    setup: &Setup,
    change: Change,
    screen: &Arc<Screen>,
    way: &TeamWay,
    afterwards: Afterwards,
) -> Outcome {
    summary::before(setup, &change, screen)?;
    let watch = live::begin(setup, &change, screen)?;
    let outcome = runtime::block_on(|cancel| async {
        let mut driver = Driver::new(setup, change, watch, cancel);
        let stop = driver.run_team(way).await;
        screen.clear();
        let closed = live::end(setup, driver.change(), screen, afterwards);
        let outcome = match stop {
            Ok(stop) => told(setup, driver.change(), stop, screen),
            Err(error) => Err(failed(driver.change(), error, screen)),
        };
        outcome.and(closed)
    });
    screen.clear();
    outcome.and_then(|()| Ok(screen.printed()?))
}

fn told(setup: &Setup, change: &Change, stop: TeamStop, screen: &Screen) -> Outcome {
    let id = &change.id;
    summary::came_to(setup, change, screen)?;
    let line = |label: &str, text: String| screen.line(label, &text, Tone::Plain);
    let (reason, outcome) = match stop {
        TeamStop::Ended(stage) => {
            if stage == TeamStage::Archived {
                summary::take_it(setup, change, screen)?;
            }
            (Reason::end_of(&change.history), Ok(()))
        }
        TeamStop::Reached(_) => {
            line("next", format!("agentd run {id}"));
            (Reason::Reached, Ok(()))
        }
        TeamStop::Paused(step) => {
            let text = format!("for you: what step {step} came to is to be approved");
            screen.line("waiting", &text, Tone::Notice);
            line("next", answers(id, &change.history));
            (Reason::Waiting, Ok(()))
        }
        TeamStop::Waiting => {
            let text = "for you: 08_completion/summary.md says what was done";
            screen.line("waiting", text, Tone::Notice);
            line("next", answers(id, &change.history));
            (Reason::Waiting, Ok(()))
        }
        TeamStop::Exhausted => {
            let message = format!("the work on `{id}` was reviewed as often as it may be");
            let failure = Failure::new(Kind::NotPassed, message).help(format!(
                "`agentd show {id}` shows 07_review/review.md; `agentd reject {id} \"what to change\"` has it planned anew"
            ));
            (Reason::Exhausted, Err(failure))
        }
    };
    let error = outcome.as_ref().err().map(|failure: &Failure| failure.message.clone());
    screen.object(stopped::json(change, reason, error.as_deref()));
    outcome
}

/// Says what a person answers whom a team waits for: what is not planned yet is changed by saying more.
pub(super) fn answers(id: &ChangeId, history: &History) -> String {
    if may_be_sent_back(history) {
        format!("agentd approve {id}, or agentd reject {id} \"what to change\"")
    } else {
        format!("agentd approve {id}, or agentd run {id} \"what else is wanted\"")
    }
}

/// Says how a change goes on that could not go on now.
pub(super) fn failed(change: &Change, error: EngineError, screen: &Screen) -> Failure {
    let (is_interruption, goes_on) =
        (error.is_interruption(), format!("`agentd run {}` goes on", change.id));
    let at = match &error {
        // The same again would come to the same.
        EngineError::Schedule { .. } => {
            format!("at {}, until the plans are in order", change.history.at())
        }
        _ => format!("at {}: {goes_on}", change.history.at()),
    };
    let failure = Failure::from(error);
    let reason = if is_interruption { Reason::Interrupted } else { Reason::Failed };
    screen.object(stopped::json(change, reason, Some(&failure.message)));
    if is_interruption {
        return failure.help(format!("nothing is lost: {goes_on}"));
    }
    screen.line("stopped", &at, Tone::Notice);
    failure
}
