//! Drives a change as far as it goes, and says what came of it: to people, to programs and by the exit code.

use std::sync::Arc;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::runtime;
use super::live::{self, Afterwards};
use super::run::answers;
use super::summary;
use crate::engine::change::Change;
use crate::engine::driver::{Driver, Goal, Stop};
use crate::engine::error::EngineError;
use crate::engine::history::History;
use crate::engine::setup::Setup;
use crate::flow::{CHECK_REPORT, Outcome as StepOutcome, Position, Step, StepId, Subject, Waiting};
use crate::models::change::ChangeId;
use crate::output::screen::Screen;
use crate::output::stopped::{self, Reason};
use crate::output::story::Tone;

/// How far a change is driven.
#[derive(Clone, Copy)]
pub(super) enum Course {
    /// From step to step.
    Goal(Goal),
    /// One step that is due, and the checks that belong to it.
    One(StepId),
}

/// Drives a change as far as it goes and says what came of it.
pub(super) fn drive(
    setup: &Setup,
    change: Change,
    screen: &Arc<Screen>,
    course: Course,
    afterwards: Afterwards,
) -> Outcome {
    summary::before(setup, &change, screen)?;
    let watch = live::begin(setup, &change, screen)?;
    let outcome = runtime::block_on(|cancel| async {
        let mut driver = Driver::new(setup, change, watch, cancel);
        let stop = match course {
            Course::Goal(goal) => driver.run(goal).await,
            Course::One(step) => driver.one(step).await.map(|()| {
                let history = &driver.change().history;
                if history.is_over() { Stop::Ended } else { Stop::Reached(step) }
            }),
        };
        screen.clear();
        let closed = live::end(setup, driver.change(), screen, afterwards);
        let outcome = match stop {
            Ok(stop) => told(setup, driver.change(), stop, screen, course),
            Err(error) => Err(failed(driver.change(), error, screen)),
        };
        outcome.and(closed)
    });
    screen.clear();
    outcome.and_then(|()| Ok(screen.printed()?))
}

fn told(setup: &Setup, change: &Change, stop: Stop, screen: &Screen, course: Course) -> Outcome {
    summary::after(setup, change, stop, screen)?;
    let (id, history) = (&change.id, &change.history);
    let outcome = match (course, stop) {
        (Course::One(step), Stop::Reached(_)) => judge(id, step, history),
        (Course::Goal(_) | Course::One(_), _) => verdict(id, stop, history),
    };
    let reason = match stop {
        Stop::Ended => Reason::end_of(history),
        Stop::Reached(_) if outcome.is_err() => Reason::NotPassed,
        Stop::Reached(_) => Reason::Reached,
        Stop::Waiting(Waiting::Exhausted(_)) => Reason::Exhausted,
        Stop::Waiting(Waiting::Blocked(_)) => Reason::Blocked,
        Stop::Waiting(Waiting::Paused(_) | Waiting::Gate(_)) => Reason::Waiting,
    };
    let error = outcome.as_ref().err().map(|failure| failure.message.clone());
    screen.object(stopped::json(change, reason, error.as_deref()));
    outcome
}

/// Turns where a change has stopped into the exit code.
fn verdict(id: &ChangeId, stop: Stop, history: &History) -> Outcome {
    match (stop, history.state.position) {
        (Stop::Ended, Position::Rejected(step)) => {
            let step = history.flow.step(step);
            let file = step.answer().unwrap_or_default();
            let message = format!("change `{id}` was rejected by {}", step.name);
            Err(Failure::new(Kind::NotPassed, message).help(format!(
                "`agentd show {id}` shows {file}, which says why; `agentd approve {id} --override \"why\"` goes on in \
                 spite of it"
            )))
        }
        (Stop::Waiting(waiting @ Waiting::Exhausted(step)), _) => {
            let step = &history.flow.step(step).name;
            let message = format!("`{step}` of `{id}` has had all its rounds: {}", why(history));
            Err(Failure::new(Kind::NotPassed, message).help(format!(
                "`agentd show {id}` shows what was found; {}",
                answers(id, history, waiting)
            )))
        }
        _ => Ok(()),
    }
}

/// Says why a change is not further than it is.
fn why(history: &History) -> String {
    let mut reasons = Vec::new();
    let failed = |subject: Subject| {
        let judges = history.flow.numbered().filter(move |(_, step)| step.judges == Some(subject));
        judges.filter(|(id, _)| history.outcome(*id).is_some_and(|outcome| !outcome.is_success()))
    };
    let file = |step: &Step| {
        let left = || step.leaves.first().map(|file| file.path.to_string());
        step.answer().or_else(left).unwrap_or_default()
    };
    let makers = history.flow.numbered().filter(|(_, step)| step.changes.is_some());
    let own: Vec<_> = makers
        .filter_map(|(id, step)| Some((step, history.outcome(id)?)))
        .filter(|(_, outcome)| !outcome.is_success())
        .collect();
    for (step, outcome) in &own {
        reasons.push(match outcome {
            StepOutcome::TasksLeft => "not every task is completed (tasks.md)".to_owned(),
            _ => format!("{} says itself that its work is not done", step.name),
        });
    }
    if own.is_empty() {
        let subject = if history.written.is_some() { Subject::Code } else { Subject::Plan };
        reasons.extend(failed(subject).map(|(_, step)| match subject {
            Subject::Plan => format!("{} found what is still open ({})", step.name, file(step)),
            Subject::Code => format!("{} asks for changes ({})", step.name, file(step)),
        }));
        let is_red = history.last_checks == Some(false);
        let void = history.flow.numbered().filter(|(id, _)| history.is_void(*id) && !is_red);
        reasons.extend(void.map(|(_, step)| {
            format!("{} passed it, but documents are missing ({})", step.name, file(step))
        }));
        if subject == Subject::Code && is_red {
            reasons.push(format!("the project's checks are red ({CHECK_REPORT})"));
        }
    }
    reasons.join(", and ")
}

/// A step has passed when it reached its goal and nothing has undone that.
fn judge(id: &ChangeId, step: StepId, history: &History) -> Outcome {
    let name = &history.flow.step(step).name;
    let is_back = history.state.position == Position::Step(step);
    let passed = history.outcome(step).is_some_and(StepOutcome::is_success);
    let is_void = match history.flow.step(step).judges {
        Some(_) => !history.state.passed.contains(step),
        None => false,
    };
    if matches!(history.state.position, Position::Blocked(_)) {
        return Ok(());
    }
    if passed && !is_back && !is_void {
        return Ok(());
    }
    let message = format!("`{name}` of `{id}` did not pass: the change is at {}", history.at());
    Err(Failure::new(Kind::NotPassed, message).help(format!("`agentd run {id}` goes on")))
}

/// Shows how a change goes on that could not go on now, and returns the failure.
pub(super) fn failed(change: &Change, error: EngineError, screen: &Screen) -> Failure {
    let (is_interruption, goes_on) =
        (error.is_interruption(), format!("`agentd run {}` goes on", change.id));
    let at = match &error {
        // The same again would lead to the same.
        EngineError::Schedule { .. } => {
            format!("at {}, until the plans are right", change.history.at())
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
