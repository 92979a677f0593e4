//! Drives a change as far as it is to go, and tells what came of it: to people, to programs and by the exit code.

use std::sync::Arc;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::runtime;
use super::summary;
use super::team::failed;
use crate::engine::change::{Change, words};
use crate::engine::driver::{Driver, Stop, Way};
use crate::engine::evidence;
use crate::engine::history::History;
use crate::engine::machine::{Evidence, Outcome as PhaseOutcome, Stage};
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;
use crate::output::screen::Screen;
use crate::output::stopped::{self, Reason};
use crate::template::{Phase, Verdict};

/// How far a change is to be driven.
pub(super) enum Course {
    /// From phase to phase.
    Way(Way),
    /// One phase that is due, and the checks that belong to it.
    One(Phase),
}

/// Drives a change as far as it goes and tells what came of it.
pub(super) fn drive(
    setup: &Setup,
    change: Change,
    screen: &Arc<Screen>,
    course: &Course,
) -> Outcome {
    summary::before(setup, &change, screen)?;
    let outcome = runtime::block_on(|cancel| async {
        let watch = Arc::clone(screen);
        let mut driver = Driver::new(setup, change, watch, cancel);
        let stop = match course {
            Course::Way(way) => driver.run(way).await,
            Course::One(phase) => {
                let ran = driver.one(*phase).await;
                ran.map(|()| match driver.change().history.state {
                    state if state.is_over() => Stop::Ended(state.stage),
                    _ => Stop::Reached(*phase),
                })
            }
        };
        screen.clear();
        match stop {
            Ok(stop) => told(setup, driver.change(), stop, screen, course),
            Err(error) => Err(failed(driver.change(), error, screen)),
        }
    });
    screen.clear();
    outcome.and_then(|()| Ok(screen.printed()?))
}

fn told(setup: &Setup, change: &Change, stop: Stop, screen: &Screen, course: &Course) -> Outcome {
    summary::after(setup, change, stop, screen)?;
    let outcome = match (course, stop) {
        (Course::One(phase), Stop::Reached(_)) => {
            judge(&change.id, *phase, change.history.state.stage)
        }
        (Course::Way(_) | Course::One(_), _) => verdict(&change.id, stop, &change.history),
    };
    let reason = match stop {
        Stop::Ended(_) => Reason::end_of(&change.history),
        Stop::Reached(_) if outcome.is_err() => Reason::NotPassed,
        Stop::Reached(_) => Reason::Reached,
        Stop::Waiting(_) => Reason::Waiting,
        Stop::Exhausted(_) => Reason::Exhausted,
    };
    let error = outcome.as_ref().err().map(|failure| failure.message.clone());
    screen.object(stopped::json(change, reason, error.as_deref()));
    outcome
}

/// Turns where a change has stopped into the exit code.
fn verdict(id: &ChangeId, stop: Stop, history: &History) -> Outcome {
    match stop {
        Stop::Ended(Stage::Rejected) => {
            Err(Failure::new(Kind::NotPassed, format!("change `{id}` was rejected by its critic"))
                .help(format!(
                    "`agentd show {id}` shows CHALLENGE.md, which says why; begin another change under an id of its own"
                )))
        }
        Stop::Exhausted(phase) => {
            let message =
                format!("phase `{phase}` of `{id}` has had all its rounds: {}", why(history));
            Err(Failure::new(Kind::NotPassed, message).help(format!(
                "`agentd show {id}` shows what was found; `agentd reject {id} \"what to do\"` gives it new rounds"
            )))
        }
        Stop::Ended(_) | Stop::Reached(_) | Stop::Waiting(_) => Ok(()),
    }
}

/// Says why a change is not further than it is.
fn why(history: &History) -> String {
    let outcome = |phase| history.finished.get(&phase).map(|finished| finished.outcome);
    if outcome(Phase::Implement).is_none() {
        return match outcome(Phase::Challenge) {
            Some(_) => "its challenge found what is still to be settled (CHALLENGE.md)".to_owned(),
            None => "its planner says itself that the plan is not done".to_owned(),
        };
    }
    if outcome(Phase::Implement) == Some(PhaseOutcome::TasksLeft) {
        return "not every task is completed (tasks.md)".to_owned();
    }
    let mut reasons = Vec::new();
    if history.last_evidence == Some(Evidence::Red) {
        reasons.push(format!("the project's checks are red ({})", evidence::FILE));
    }
    if let Some(review) = outcome(Phase::Review)
        && review != PhaseOutcome::Verdict(Verdict::Pass)
    {
        reasons.push("its review asks for changes (REVIEW.md)".to_owned());
    }
    reasons.join(", and ")
}

/// A phase has passed when the change is past it.
fn judge(id: &ChangeId, phase: Phase, stage: Stage) -> Outcome {
    let passed = match stage {
        Stage::Due(due) => due > phase,
        Stage::Archived | Stage::Apply | Stage::Gate(_) | Stage::Verify(_) => true,
        Stage::Rejected | Stage::Cancelled => false,
    };
    if passed {
        return Ok(());
    }
    let message =
        format!("phase `{phase}` of `{id}` did not pass: the change is at {}", words(stage));
    Err(Failure::new(Kind::NotPassed, message).help(format!("`agentd run {id}` goes on")))
}
