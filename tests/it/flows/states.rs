//! The states of the flows that are compiled in: how many there are, and that none is overlooked.

use std::collections::HashMap;

use agentd::catalog::CATALOG;
use agentd::flow::explore::events_at;
use agentd::flow::{
    Event, Explored, Fact, Facts, Flow, Outcome, Position, State, StepId, Subject, explore,
};

use super::{built_in, compiled, text};

fn explored(flow: &Flow) -> Explored {
    explore(flow).unwrap_or_else(|| panic!("{} has too many states", flow.name))
}

#[test]
fn the_catalog_holds_what_the_compiler_makes_of_the_files() {
    let names: Vec<_> = CATALOG.flows.iter().map(|flow| flow.name.as_ref()).collect();
    assert_eq!(names, ["quick", "sdd", "team"]);
    for flow in CATALOG.flows {
        let compilation = compiled(&flow.name, &text(&flow.name));
        assert!(compilation.is_ok(), "{}", compilation.report());
        assert_eq!(compilation.flows[0].flow, **flow);
    }
}

/// The build explores every flow each time; these are few enough for that.
#[test]
fn the_states_of_each_flow_are_counted() {
    let counts: HashMap<_, _> = CATALOG
        .flows
        .iter()
        .map(|flow| {
            let Explored { states, moves, .. } = explored(flow);
            println!("{}: {} states, {} transitions", flow.name, states.len(), moves.len());
            (flow.name.as_ref(), states.len())
        })
        .collect();
    assert!(counts["quick"] < 100, "{counts:?}");
    assert!(counts["sdd"] < 1_000, "{counts:?}");
    assert!(counts["team"] < 6_000, "{counts:?}");
}

#[test]
fn every_flow_reaches_all_its_steps_is_never_stuck_and_lacks_nothing() {
    for flow in CATALOG.flows {
        let explored = explored(flow);
        assert!(flow.numbered().all(|(id, _)| explored.reaches(id)), "{}", flow.name);
        assert_eq!(explored.stuck(), [0; 0], "{}", flow.name);
        assert_eq!(explored.lacking, [], "{}", flow.name);
        assert!(explored.states.iter().any(|state| state.position == Position::Archived));
    }
}

/// Every event that there could be, whether or not it makes sense anywhere.
fn alphabet(flow: &Flow) -> Vec<Event> {
    let facts = Facts::combinations(Fact::ALL);
    let mut events = vec![
        Event::Answered,
        Event::Approved,
        Event::Overridden,
        Event::Rejected,
        Event::Guided,
        Event::Reopened,
        Event::Cancelled,
    ];
    for step in (0..flow.steps.len()).map(StepId::new) {
        events.extend([Event::Started(step), Event::Blocked(step), Event::Paused(step)]);
        for outcome in Outcome::ALL.iter().copied() {
            events.extend(facts.iter().map(|facts| Event::Finished {
                step,
                outcome,
                facts: *facts,
            }));
        }
    }
    for subject in Subject::ALL.iter().copied() {
        events.extend(facts.iter().map(|facts| Event::Edited { subject, facts: *facts }));
    }
    events
}

/// The exploration tries only events that can happen where a change is, with the facts that its flow depends on. Any other
/// event must be refused, or lead where one of those leads.
#[test]
fn no_event_that_a_state_accepts_is_overlooked() {
    let explored_position =
        |state: &State| (state.position, state.is_started, state.passed, state.checks);
    for flow in CATALOG.flows {
        let (events, mut accepted) = (alphabet(flow), 0);
        for state in explored(flow).states {
            let tried: Vec<_> = events_at(flow, &state)
                .into_iter()
                .filter_map(|event| state.after(flow, event).ok())
                .collect();
            for event in &events {
                let Ok(after) = state.after(flow, *event) else { continue };
                let is_known =
                    tried.iter().any(|known| explored_position(known) == explored_position(&after));
                assert!(is_known, "{}: {event:?} at {state:?}", flow.name);
                accepted += 1;
            }
        }
        assert!(accepted > 1_000);
    }
}

#[test]
fn seed_002_no_code_is_written_before_there_is_a_schedule() {
    let flow = built_in("team");
    let coders = flow.find("coders").expect("a step");
    let explored = explored(flow);
    let mut starts = 0;
    for (from, event, _) in &explored.moves {
        if *event == Event::Started(coders) {
            let state = &explored.states[*from];
            assert!(state.is_planned && state.facts.holds(Fact::PlansDue), "{state:?}");
            starts += 1;
        }
    }
    assert!(starts > 0);
}
