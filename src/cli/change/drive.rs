//! Runs a change as far as possible, and reports the result to people, to programs and as the exit code.

use std::sync::Arc;

use super::live::{self, LiveOptions};
use super::next::answers;
use super::summary;
use crate::cli::runtime;
use crate::cli::{Failure, Kind, Outcome};
use crate::engine::change::Change;
use crate::engine::check_report::CheckResult;
use crate::engine::driver::{Driver, Goal, Stop};
use crate::engine::error::EngineError;
use crate::engine::event::Watch;
use crate::engine::history::History;
use crate::engine::setup::Setup;
use crate::flow::{CHECK_REPORT, Outcome as StepOutcome, Position, Step, StepId, Subject, Waiting};
use crate::models::change::ChangeId;
use crate::output::human::Tone;
use crate::output::run_result::{self, Reason};
use crate::output::screen::Screen;

/// How far a change runs.
#[derive(Clone, Copy)]
pub(super) enum RunScope {
    /// Step after step, up to a goal.
    Goal(Goal),
    /// One step that is due, with its checks.
    One(StepId),
}

impl Default for RunScope {
    fn default() -> Self {
        Self::Goal(Goal::default())
    }
}

/// Runs a change as far as possible and reports the result.
pub(super) fn drive(
    setup: &Setup,
    change: Change,
    screen: &Arc<Screen>,
    scope: RunScope,
    live: LiveOptions,
) -> Outcome {
    // A run that asks nobody needs no warning in advance.
    let is_asked = !setup.agents.is_empty();
    if is_asked {
        summary::before(setup, &change, screen);
    }
    let begins = is_asked && change.history.base.is_none();
    let watch = live::begin(setup, &change, screen)?;
    std::thread::scope(|threads| {
        if begins && screen.is_for_people() {
            // This takes a while with many files, and nothing depends on it.
            threads.spawn(|| summary::edits(setup, screen));
        }
        driven(setup, change, screen, watch, (scope, live))
    })?;
    Ok(screen.printed()?)
}

fn driven(
    setup: &Setup,
    change: Change,
    screen: &Screen,
    watch: Arc<dyn Watch>,
    (scope, live): (RunScope, LiveOptions),
) -> Outcome {
    let outcome = runtime::block_on(|cancel| async {
        let mut driver = Driver::new(setup, change, watch, cancel);
        let stop = match scope {
            RunScope::Goal(goal) => driver.run(goal).await,
            RunScope::One(step) => driver.one(step).await.map(|()| {
                let history = &driver.change().history;
                match history.state.position {
                    Position::Paused { after, .. } => Stop::Waiting(Waiting::Paused(after)),
                    _ if history.is_over() => Stop::Ended,
                    _ => Stop::Reached(step),
                }
            }),
        };
        screen.clear();
        let closed = match live {
            LiveOptions { keep_session: true, .. } => Ok(()),
            LiveOptions { keep_session: false, .. } => live::end(setup, driver.change(), screen),
        };
        let outcome = match stop {
            Ok(stop) => report(setup, driver.change(), stop, screen, scope),
            Err(error) => Err(failed(driver.change(), error, screen)),
        };
        outcome.and(closed)
    });
    screen.clear();
    outcome
}

fn report(setup: &Setup, change: &Change, stop: Stop, screen: &Screen, scope: RunScope) -> Outcome {
    summary::after(setup, change, stop, screen)?;
    let (id, history) = (&change.id, &change.history);
    let outcome = match (scope, stop) {
        (RunScope::One(step), Stop::Reached(_)) => ensure_passed(id, step, history),
        (RunScope::Goal(_) | RunScope::One(_), _) => ensure_not_rejected(id, stop, history),
    };
    let reason = match stop {
        Stop::Ended => Reason::end_of(history),
        Stop::Reached(_) if outcome.is_err() => Reason::NotPassed,
        Stop::Reached(_) => Reason::Reached,
        Stop::Waiting(Waiting::Exhausted(_)) => Reason::Exhausted,
        Stop::Waiting(Waiting::Blocked(_)) => Reason::Blocked,
        Stop::Waiting(Waiting::Paused(_) | Waiting::Gate(_)) => Reason::Waiting,
    };
    let error = outcome.as_ref().err().map(|failure| failure.message.as_str());
    screen.object(run_result::json(change, reason, error));
    outcome
}

/// Fails for a change that a judge rejected, and for one that has no rounds left.
fn ensure_not_rejected(id: &ChangeId, stop: Stop, history: &History) -> Outcome {
    let (message, help) = match (stop, history.state.position) {
        (Stop::Ended, Position::Rejected(step)) => {
            let step = history.flow.step(step);
            let file = step.answer().unwrap_or_default();
            (
                format!("change `{id}` was rejected by {}", step.name),
                format!(
                    "`agentd show {id}` shows {file}, which says why; `agentd approve {id} --override \"why\"` continues despite it"
                ),
            )
        }
        (Stop::Waiting(waiting @ Waiting::Exhausted(step)), _) => (
            format!(
                "`{}` of `{id}` has used all its rounds: {}",
                history.flow.step(step).name,
                why(history)
            ),
            format!("`agentd show {id}` shows what was found; {}", answers(id, history, waiting)),
        ),
        _ => return Ok(()),
    };
    Err(Failure::new(Kind::NotPassed, message).help(help))
}

/// Returns why a change has not got further.
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
            _ => format!("{} reports that its own work is not done", step.name),
        });
    }
    if own.is_empty() {
        let subject = if history.written.is_some() { Subject::Code } else { Subject::Plan };
        reasons.extend(failed(subject).map(|(_, step)| match subject {
            Subject::Plan => format!("{} found open issues ({})", step.name, file(step)),
            Subject::Code => format!("{} asks for changes ({})", step.name, file(step)),
        }));
        let is_red = history.last_checks == Some(CheckResult::Red);
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

/// Fails for a step that has not reached its goal, or whose pass was undone.
fn ensure_passed(id: &ChangeId, step: StepId, history: &History) -> Outcome {
    if matches!(history.state.position, Position::Blocked(_)) {
        return Ok(());
    }
    let name = &history.flow.step(step).name;
    let is_back = history.state.position == Position::Step(step);
    let passed = history.outcome(step).is_some_and(StepOutcome::is_success);
    let is_void = history.flow.step(step).judges.is_some() && !history.state.passed.contains(step);
    if passed && !is_back && !is_void {
        return Ok(());
    }
    let message = format!("`{name}` of `{id}` did not pass: the change is at {}", history.at());
    Err(Failure::new(Kind::NotPassed, message).help(format!("`agentd run {id}` continues")))
}

/// Shows how a stopped change can be continued, and returns the failure.
fn failed(change: &Change, error: EngineError, screen: &Screen) -> Failure {
    let goes_on = format!("`agentd run {}` continues", change.id);
    let what_then = match &error {
        // Running the same again would fail in the same way.
        EngineError::Schedule { .. } => ", until the plans are right".to_owned(),
        EngineError::RedBaseline { .. } => ", before the first call: choose what to do".to_owned(),
        _ => format!(": {goes_on}"),
    };
    let is_interruption = error.is_interruption();
    let failure = Failure::from(error);
    let reason = if is_interruption { Reason::Interrupted } else { Reason::Failed };
    screen.object(run_result::json(change, reason, Some(&failure.message)));
    if is_interruption {
        return failure.help(format!("nothing is lost: {goes_on}"));
    }
    screen.line("stopped", &format!("at {}{what_then}", change.history.at()), Tone::Notice);
    failure
}
