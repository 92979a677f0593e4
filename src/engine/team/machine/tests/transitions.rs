//! Every event at every state: where it can happen, what it changes, and that it changes nothing else.

use super::{after, events, lineups, planned, reachable};
use crate::engine::machine::Evidence;
use crate::engine::team::{TeamEvent, TeamOutcome, TeamStage, TeamState, TeamStep};

/// Says whether an event can happen, by what the documentation says of it; how a step may end is left to the table.
fn may_happen(state: &TeamState, event: &TeamEvent) -> bool {
    let is_over = matches!(state.stage, TeamStage::Archived | TeamStage::Cancelled);
    let is_due = |plan| state.due_plans().is_some_and(|(_, due)| due.contains(plan));
    match event {
        TeamEvent::Started(step) => state.stage == TeamStage::Due(*step),
        TeamEvent::PlanDone(plan) => state.started == Some(TeamStep::Coders) && is_due(plan),
        TeamEvent::Finished(step, _) => state.started == Some(*step),
        TeamEvent::Verified(_) => state.stage == TeamStage::Verify,
        TeamEvent::Paused(step) => {
            matches!(state.stage, TeamStage::Due(_)) && state.succeeded == Some(*step)
        }
        TeamEvent::Approved => matches!(state.stage, TeamStage::Gate | TeamStage::Pause(_)),
        TeamEvent::SentBack => state.lineup.is_some() && !is_over,
        TeamEvent::Guided => !state.coded && !is_over,
        TeamEvent::Applied => state.stage == TeamStage::Apply,
        TeamEvent::Cancelled => !is_over,
    }
}

#[test]
fn an_event_happens_where_it_can_and_nowhere_else() {
    for state in reachable().keys() {
        for event in events() {
            let may = may_happen(state, &event);
            match state.after(&event) {
                Ok(_) => assert!(may, "{event:?} at {state:?}"),
                Err(impossible) => {
                    let is_end = matches!(event, TeamEvent::Finished(..));
                    assert!(is_end || !may, "{event:?} at {state:?}");
                    assert_eq!((impossible.stage, impossible.event), (state.stage, event));
                }
            }
        }
    }
}

#[test]
fn what_is_judged_stays_judged_until_it_is_opened_again() {
    let judged = |state: &TeamState| (state.evidence, state.passed, state.coded, state.reviews);
    for (state, next) in reachable() {
        let (evidence, passed, coded, reviews) = judged(state);
        for (event, after) in next {
            let expected = match event {
                TeamEvent::Started(step) if step.writes_code() => (None, false, true, reviews),
                TeamEvent::Verified(now) => (Some(*now), passed, coded, reviews),
                TeamEvent::Finished(TeamStep::Review, outcome) => {
                    let is_green = evidence == Some(Evidence::Green);
                    (evidence, *outcome == TeamOutcome::Passed && is_green, coded, reviews + 1)
                }
                TeamEvent::SentBack | TeamEvent::Guided => (evidence, false, coded, 0),
                _ => (evidence, passed, coded, reviews),
            };
            assert_eq!(judged(after), expected, "{event:?} at {state:?}");
        }
    }
    // No history leads here; whoever writes code still begins with nothing that is judged.
    let judged =
        TeamState { passed: true, evidence: Some(Evidence::Green), ..planned(&lineups()[0]) };
    let begun = after(judged, [TeamEvent::Started(TeamStep::Coders)]);
    assert_eq!((begun.passed, begun.evidence), (false, None));
}

#[test]
fn a_step_is_begun_ends_and_can_be_asked_about_until_something_else_happens() {
    for (state, next) in reachable() {
        for (event, after) in next {
            let (started, succeeded) = match event {
                TeamEvent::Started(step) => (Some(*step), None),
                TeamEvent::PlanDone(_) => (state.started, state.succeeded),
                TeamEvent::Finished(step, _) => (None, Some(*step)),
                TeamEvent::Verified(_) => (None, state.succeeded),
                _ => (None, None),
            };
            let told = (after.started, after.succeeded);
            assert_eq!(told, (started, succeeded), "{event:?} at {state:?}");
            let then = match (event, state.stage) {
                (TeamEvent::Paused(_), TeamStage::Due(step)) => Some(step),
                _ => None,
            };
            assert_eq!(after.then, then, "{event:?} at {state:?}");
            let lineup = match event {
                TeamEvent::Finished(_, TeamOutcome::Planned(lineup)) => Some(lineup),
                TeamEvent::Guided => None,
                _ => state.lineup.as_ref(),
            };
            assert_eq!(after.lineup.as_ref(), lineup, "{event:?} at {state:?}");
            assert_eq!(after.first, state.first, "{event:?} at {state:?}");
        }
    }
}
