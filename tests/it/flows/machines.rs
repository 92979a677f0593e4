//! The flow `sdd` and the machine that was written by hand, in lock-step: whatever happens, both accept it and are in the same
//! place then, or both refuse it.

use std::collections::HashSet;

use agentd::engine::diagram;
use agentd::engine::machine::{self, Check, Evidence, Stage};
use agentd::flow::{Event, Facts, Flow, Outcome, Position, State, StepId};
use agentd::template::{Phase, Verdict};

use super::built_in;

/// How often each phase is done before the search goes no further.
const ROUNDS: u32 = 2;

fn step(flow: &Flow, name: &str) -> StepId {
    flow.find(name).unwrap_or_else(|| panic!("there is no step `{name}`"))
}

fn outcome(outcome: machine::Outcome) -> Outcome {
    match outcome {
        machine::Outcome::Verdict(Verdict::Pass) => Outcome::Pass,
        machine::Outcome::Verdict(Verdict::NeedsRevision) => Outcome::NeedsRevision,
        machine::Outcome::Verdict(Verdict::NeedsChanges) => Outcome::NeedsChanges,
        machine::Outcome::Verdict(Verdict::MajorIssues) => Outcome::MajorIssues,
        machine::Outcome::Verdict(Verdict::Rejected) => Outcome::Rejected,
        machine::Outcome::AllDone => Outcome::AllDone,
        machine::Outcome::TasksLeft => Outcome::TasksLeft,
        machine::Outcome::Files => Outcome::Files,
    }
}

/// Says the same in the words of the flow. The machine knew no beginning of checks and of the archive.
fn translated(flow: &Flow, stage: Stage, event: machine::Event) -> Vec<Event> {
    let at = |phase: Phase| step(flow, phase.word());
    let finished = |step, outcome| Event::Finished { step, outcome, facts: Facts::default() };
    let whole = |id, outcome| vec![Event::Started(id), finished(id, outcome)];
    match event {
        machine::Event::Started(phase) => vec![Event::Started(at(phase))],
        machine::Event::Finished(phase, how) => vec![finished(at(phase), outcome(how))],
        machine::Event::Verified(evidence) => {
            let checks = match stage {
                Stage::Verify(Check::BeforeArchive) => "last-checks",
                _ => "checks",
            };
            let outcome = match evidence {
                Evidence::Green => Outcome::Green,
                Evidence::Red => Outcome::Red,
            };
            whole(step(flow, checks), outcome)
        }
        machine::Event::Paused(phase) => vec![Event::Paused(at(phase))],
        machine::Event::Approved => vec![Event::Approved],
        machine::Event::SentBack => vec![Event::Rejected],
        machine::Event::Guided => vec![Event::Guided],
        machine::Event::Applied => whole(step(flow, "apply"), Outcome::Done),
        machine::Event::Cancelled => vec![Event::Cancelled],
    }
}

/// Says where a change is, in words that both have.
fn place(flow: &Flow, position: Position) -> String {
    let name = |id: StepId| flow.step(id).name.to_string();
    match position {
        Position::Step(id) => name(id),
        Position::Paused { after, .. } => format!("pause after {}", name(after)),
        Position::Blocked(id) => format!("blocked at {}", name(id)),
        Position::Archived => "archived".to_owned(),
        Position::Rejected(_) => "rejected".to_owned(),
        Position::Cancelled => "cancelled".to_owned(),
    }
}

fn place_of_stage(stage: Stage) -> String {
    match stage {
        Stage::Due(phase) => phase.word().to_owned(),
        Stage::Verify(Check::AfterImplement) => "checks".to_owned(),
        Stage::Verify(Check::BeforeArchive) => "last-checks".to_owned(),
        Stage::Gate(phase) => format!("pause after {phase}"),
        Stage::Apply => "apply".to_owned(),
        Stage::Archived => "archived".to_owned(),
        Stage::Rejected => "rejected".to_owned(),
        Stage::Cancelled => "cancelled".to_owned(),
    }
}

/// Holds two states together. The machine takes a judgement back when the work begins, the flow as soon as it is due.
fn assert_same(flow: &Flow, old: &machine::State, new: &State) {
    assert_eq!(place(flow, new.position), place_of_stage(old.stage), "{old:?}\n{new:?}");
    assert_eq!(new.is_started, old.started.is_some(), "{old:?}\n{new:?}");
    let succeeded = old.succeeded.map(|phase| step(flow, phase.word()));
    assert_eq!(new.is_coded, old.implemented, "{old:?}\n{new:?}");
    for phase in Phase::ALL {
        let rounds = new.rounds(step(flow, phase.word()));
        assert_eq!(rounds, old.rounds(*phase), "{phase}\n{old:?}\n{new:?}");
    }
    if old.is_over() {
        return;
    }
    assert_eq!(new.succeeded, succeeded, "{old:?}\n{new:?}");
    let is_plan_open = old.stage == Stage::Due(Phase::Plan);
    let is_code_open = is_plan_open || old.stage == Stage::Due(Phase::Implement);
    let passed = |name| new.passed.contains(step(flow, name));
    assert_eq!(passed("challenge"), old.plan_passed && !is_plan_open, "{old:?}\n{new:?}");
    assert_eq!(passed("review"), old.code_passed && !is_code_open, "{old:?}\n{new:?}");
    let green = new.checks.map(|run| run.is_green);
    let evidence = old.evidence.filter(|_| !is_code_open).map(|it| it == Evidence::Green);
    assert_eq!(green, evidence, "{old:?}\n{new:?}");
}

#[test]
fn the_flow_sdd_does_what_its_machine_did() {
    let flow = built_in("sdd");
    let start = (machine::State::default(), State::new(flow, Facts::default()));
    let (mut seen, mut open) = (HashSet::from([start]), vec![start]);
    let (mut accepted, mut refused) = (0, 0);
    while let Some((old, new)) = open.pop() {
        for event in diagram::events() {
            if matches!(event, machine::Event::Started(phase) if old.rounds(phase) >= ROUNDS) {
                continue;
            }
            let events = translated(flow, old.stage, event);
            let after = events.iter().try_fold(new, |state, event| state.after(flow, *event));
            match (old.after(event), after) {
                (Ok(old), Ok(new)) => {
                    assert_same(flow, &old, &new);
                    accepted += 1;
                    if seen.insert((old, new)) {
                        open.push((old, new));
                    }
                }
                (Err(_), Err(_)) => refused += 1,
                (known, now) => panic!("{event:?} at {old:?}:\n{known:?}\n{now:?}"),
            }
        }
    }
    println!("{} pairs of states, {accepted} events accepted, {refused} refused", seen.len());
    assert!(seen.len() > 100 && accepted > 500 && refused > 1_000);
}
