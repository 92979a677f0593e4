//! The flow `team` and the machine that was written by hand, in lock-step, but for the differences that
//! `docs/adr/0015-one-engine-for-every-flow.md` names.

use std::collections::BTreeSet;

use agentd::engine::machine::Evidence;
use agentd::engine::team::{
    Batch, Lineup, Mode, TeamEvent, TeamOutcome, TeamStage, TeamState, TeamStep, Unit,
};
use agentd::flow::{Event, Fact, Facts, Flow, Outcome, Position, State, StepId};
use agentd::models::hash::Hash;
use agentd::models::plan::PlanIndex;

use super::built_in;

fn step(flow: &Flow, name: &str) -> StepId {
    flow.find(name).unwrap_or_else(|| panic!("there is no step `{name}`"))
}

fn unit(number: u32, text: &str) -> Unit {
    Unit { plan: PlanIndex::new(number).expect("a number"), hash: Hash::of(text) }
}

/// One plan; the same and another, with a design; and none at all.
fn lineups() -> [Lineup; 3] {
    let batch = |plans: &[Unit]| Batch { mode: Mode::Serial, plans: plans.to_vec() };
    [
        Lineup { groups: vec![batch(&[unit(1, "one")])], needs_design: false },
        Lineup { groups: vec![batch(&[unit(1, "one"), unit(2, "two")])], needs_design: true },
        Lineup { groups: Vec::new(), needs_design: false },
    ]
}

fn events() -> Vec<TeamEvent> {
    let mut events = vec![
        TeamEvent::Verified(Evidence::Green),
        TeamEvent::Verified(Evidence::Red),
        TeamEvent::Approved,
        TeamEvent::SentBack,
        TeamEvent::Guided,
        TeamEvent::Applied,
        TeamEvent::Cancelled,
    ];
    events.extend((1..=2).filter_map(PlanIndex::new).map(TeamEvent::PlanDone));
    for step in TeamStep::ALL {
        let planned = lineups().map(TeamOutcome::Planned);
        let others = [TeamOutcome::Made, TeamOutcome::Passed, TeamOutcome::Failed];
        events.extend([TeamEvent::Started(step), TeamEvent::Paused(step)]);
        let outcomes = planned.into_iter().chain(others);
        events.extend(outcomes.map(|outcome| TeamEvent::Finished(step, outcome)));
    }
    events
}

/// Says how a step ended in the words of the flow, where it can end like this at all.
fn finished(flow: &Flow, old: &TeamState, at: TeamStep, how: &TeamOutcome) -> Event {
    let facts = match how {
        TeamOutcome::Planned(lineup) => {
            let design = lineup.needs_design.then_some(Fact::NeedsDesign);
            let due = lineup.due(&old.done).map(|_| Fact::PlansDue);
            design.into_iter().chain(due).fold(Facts::default(), Facts::with)
        }
        TeamOutcome::Made | TeamOutcome::Passed | TeamOutcome::Failed => Facts::default(),
    };
    let makes_plans = matches!(at, TeamStep::Planner | TeamStep::Change);
    let outcome = match how {
        TeamOutcome::Made if at == TeamStep::Coders => Outcome::Done,
        TeamOutcome::Made if makes_plans => Outcome::Done,
        TeamOutcome::Made => Outcome::Files,
        TeamOutcome::Planned(_) if makes_plans || at == TeamStep::Coders => Outcome::Files,
        TeamOutcome::Planned(_) => Outcome::Done,
        TeamOutcome::Passed => Outcome::Pass,
        // One word for one thing: a review that failed needs changes.
        TeamOutcome::Failed => Outcome::NeedsChanges,
    };
    // Documents that are missing made the machine's driver say that the review failed.
    let facts = if at == TeamStep::Review { facts.with(Fact::DocFiles) } else { facts };
    Event::Finished { step: step(flow, at.word()), outcome, facts }
}

fn translated(flow: &Flow, old: &TeamState, event: &TeamEvent) -> Vec<Event> {
    let whole = |name: &str, outcome| {
        let step = step(flow, name);
        vec![Event::Started(step), Event::Finished { step, outcome, facts: Facts::default() }]
    };
    match event {
        TeamEvent::Started(at) => vec![Event::Started(step(flow, at.word()))],
        // Plans are done within the step of the lanes.
        TeamEvent::PlanDone(_) => Vec::new(),
        TeamEvent::Finished(at, how) => vec![finished(flow, old, *at, how)],
        TeamEvent::Verified(Evidence::Green) => whole("checks", Outcome::Green),
        TeamEvent::Verified(Evidence::Red) => whole("checks", Outcome::Red),
        TeamEvent::Paused(at) => vec![Event::Paused(step(flow, at.word()))],
        TeamEvent::Approved => vec![Event::Approved],
        TeamEvent::SentBack => vec![Event::Rejected],
        TeamEvent::Guided => vec![Event::Guided],
        TeamEvent::Applied => whole("apply", Outcome::Done),
        TeamEvent::Cancelled => vec![Event::Cancelled],
    }
}

/// The differences that are meant. Each must be met at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    /// The checks run once more, from a clean start, between the review and the summary.
    SecondCheckRun,
    /// A person can reject the work before it is planned: the step is done again.
    RejectBeforePlanning,
    /// A person is asked only about a step that reached its goal, not about a review that failed.
    PauseAfterFailedReview,
}

/// Names the difference for which one accepts what the other refuses.
fn difference(old: &TeamState, event: &TeamEvent, is_old: bool) -> Option<Difference> {
    match event {
        TeamEvent::SentBack if !is_old && old.lineup.is_none() => {
            Some(Difference::RejectBeforePlanning)
        }
        TeamEvent::Paused(TeamStep::Review)
            if is_old && old.stage == TeamStage::Due(TeamStep::Fix) =>
        {
            Some(Difference::PauseAfterFailedReview)
        }
        _ => None,
    }
}

fn place(flow: &Flow, position: Position) -> String {
    let name = |id: StepId| flow.step(id).name.to_string();
    match position {
        Position::Step(id) => name(id),
        Position::Paused { after, then } => format!("{} then {}", name(after), name(then)),
        Position::Blocked(id) => format!("blocked at {}", name(id)),
        Position::Archived => "archived".to_owned(),
        Position::Rejected(_) => "rejected".to_owned(),
        Position::Cancelled => "cancelled".to_owned(),
    }
}

fn place_of_stage(state: &TeamState) -> String {
    match state.stage {
        TeamStage::Due(step) => step.word().to_owned(),
        TeamStage::Verify => "checks".to_owned(),
        TeamStage::Pause(step) => {
            format!("{step} then {}", state.then.map_or("", TeamStep::word))
        }
        TeamStage::Gate => "approve".to_owned(),
        TeamStage::Apply => "apply".to_owned(),
        TeamStage::Archived => "archived".to_owned(),
        TeamStage::Cancelled => "cancelled".to_owned(),
    }
}

fn assert_same(flow: &Flow, old: &TeamState, new: &State) {
    assert_eq!(place(flow, new.position), place_of_stage(old), "{old:?}\n{new:?}");
    assert_eq!(new.is_started, old.started.is_some(), "{old:?}\n{new:?}");
    assert_eq!(new.is_coded, old.coded, "{old:?}\n{new:?}");
    assert_eq!(new.is_planned, old.lineup.is_some(), "{old:?}\n{new:?}");
    assert_eq!(new.rounds(step(flow, "review")), old.reviews, "{old:?}\n{new:?}");
    let is_judged =
        matches!(old.stage, TeamStage::Due(TeamStep::Summary) | TeamStage::Gate | TeamStage::Apply);
    if is_judged {
        assert!(old.passed && new.passed.contains(step(flow, "review")), "{old:?}\n{new:?}");
        assert_eq!(old.evidence, Some(Evidence::Green), "{old:?}\n{new:?}");
    }
}

#[test]
fn the_flow_team_does_what_its_machine_did_but_for_the_differences_that_are_meant() {
    let flow = built_in("team");
    let last_checks = step(flow, "last-checks");
    let with_manager = Facts::default().with(Fact::ProductManager);
    let mut open = vec![
        (TeamState::new(TeamStep::ProductManager), State::new(flow, with_manager)),
        (TeamState::new(TeamStep::Architect), State::new(flow, Facts::default())),
    ];
    let mut seen: BTreeSet<(TeamState, State)> = open.iter().cloned().collect();
    let mut met = BTreeSet::new();
    let (mut accepted, mut refused) = (0, 0);
    while let Some((old, new)) = open.pop() {
        for event in events() {
            let is_too_far = matches!(event, TeamEvent::Started(TeamStep::Fix) if old.reviews >= 2);
            // Lanes end when every plan is done: the flow is not told of each.
            let is_within_lanes =
                matches!(&event, TeamEvent::Finished(TeamStep::Coders, TeamOutcome::Made))
                    && old.due_plans().is_some();
            if is_too_far || is_within_lanes {
                continue;
            }
            let events = translated(flow, &old, &event);
            let mut after = events.iter().try_fold(new, |state, event| state.after(flow, *event));
            if let Ok(state) = &mut after
                && state.position == Position::Step(last_checks)
            {
                met.insert(Difference::SecondCheckRun);
                let red = Event::Finished {
                    step: last_checks,
                    outcome: Outcome::Red,
                    facts: Facts::default(),
                };
                let green = Event::Finished {
                    step: last_checks,
                    outcome: Outcome::Green,
                    facts: Facts::default(),
                };
                let begun = state.after(flow, Event::Started(last_checks)).expect("it begins");
                let fixed = begun.after(flow, red).expect("it can be red");
                assert_eq!(fixed.position, Position::Step(step(flow, "fix")));
                *state = begun.after(flow, green).expect("it can be green");
            }
            let old_after = match (&event, old.after(&event)) {
                // A plan that is not due is no event of the flow.
                (TeamEvent::PlanDone(_), Err(_)) => continue,
                (_, old_after) => old_after,
            };
            match (old_after, after) {
                (Ok(old), Ok(new)) => {
                    assert_same(flow, &old, &new);
                    accepted += 1;
                    if seen.insert((old.clone(), new)) {
                        open.push((old, new));
                    }
                }
                (Err(_), Err(_)) => refused += 1,
                (known, now) => {
                    let difference = difference(&old, &event, known.is_ok());
                    let difference = difference.unwrap_or_else(|| {
                        panic!("{event:?} at {old:?} and {new:?}:\n{known:?}\n{now:?}")
                    });
                    met.insert(difference);
                }
            }
        }
    }
    println!("{} pairs of states, {accepted} events accepted, {refused} refused", seen.len());
    assert!(seen.len() > 300 && accepted > 2_000 && refused > 10_000);
    let all = [
        Difference::SecondCheckRun,
        Difference::RejectBeforePlanning,
        Difference::PauseAfterFailedReview,
    ];
    assert_eq!(met.into_iter().collect::<Vec<_>>(), all);
}
