//! The machine as a picture: every transition between stages, found by asking the machine itself.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::{Check, Event, Evidence, Outcome, Stage, State};
use crate::template::{Phase, Verdict};

/// Draws the machine as a Mermaid state diagram.
pub fn mermaid() -> String {
    let ends = [Stage::Archived, Stage::Rejected, Stage::Cancelled].map(name);
    drawn(&[name(Stage::Due(Phase::Plan))], &transitions(), &ends)
}

/// What leads from one stage to another.
pub(super) type Transitions = BTreeMap<(String, String), BTreeSet<String>>;

/// Draws transitions between beginnings and ends.
pub(super) fn drawn(starts: &[String], transitions: &Transitions, ends: &[String]) -> String {
    let mut text = String::from("stateDiagram-v2\n");
    text.extend(starts.iter().map(|start| format!("    [*] --> {start}\n")));
    for ((from, to), labels) in transitions {
        let labels: Vec<_> = labels.iter().map(String::as_str).collect();
        text.push_str(&format!("    {from} --> {to}: {}\n", labels.join(", ")));
    }
    text.extend(ends.iter().map(|end| format!("    {end} --> [*]\n")));
    text
}

/// Collects what leads from one stage to another, over all states that can be reached.
fn transitions() -> Transitions {
    let mut found = Transitions::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![State::default()];
    while let Some(state) = open.pop() {
        if !seen.insert(without_rounds(state)) {
            continue;
        }
        for event in events() {
            let Ok(after) = state.after(event) else { continue };
            // To be given up is possible everywhere, and would only hide the rest.
            let shown = event != Event::Cancelled && state.stage != after.stage
                || matches!(event, Event::Finished(..));
            if shown {
                let edge = (name(state.stage), name(after.stage));
                found.entry(edge).or_default().insert(label(&state, event));
            }
            open.push(after);
        }
    }
    found
        .entry(("any".to_owned(), name(Stage::Cancelled)))
        .or_default()
        .insert("cancel".to_owned());
    found
}

/// How often something was done changes no transition but that it may be sent back.
fn without_rounds(state: State) -> (Stage, Option<Phase>, Option<Phase>, [bool; 4]) {
    let again = Phase::ALL.iter().any(|phase| state.rounds(*phase) > 0);
    let green = state.evidence == Some(Evidence::Green);
    (
        state.stage,
        state.started,
        state.succeeded,
        [green, state.implemented, again, state.evidence.is_some()],
    )
}

/// Lists every event that there is.
pub fn events() -> Vec<Event> {
    let mut events = vec![
        Event::Verified(Evidence::Green),
        Event::Verified(Evidence::Red),
        Event::Approved,
        Event::SentBack,
        Event::Guided,
        Event::Applied,
        Event::Cancelled,
    ];
    for phase in Phase::ALL.iter().copied() {
        let verdicts = Verdict::ALL.iter().map(|verdict| Outcome::Verdict(*verdict));
        let others = [Outcome::AllDone, Outcome::TasksLeft, Outcome::Files];
        events.extend(verdicts.chain(others).map(|outcome| Event::Finished(phase, outcome)));
        events.extend([Event::Started(phase), Event::Paused(phase)]);
    }
    events
}

fn name(stage: Stage) -> String {
    match stage {
        Stage::Due(phase) => phase.word().to_owned(),
        Stage::Verify(Check::AfterImplement) => "checks".to_owned(),
        Stage::Verify(Check::BeforeArchive) => "last_checks".to_owned(),
        Stage::Gate(phase) => format!("approve_{phase}"),
        Stage::Apply => "apply".to_owned(),
        Stage::Archived => "archived".to_owned(),
        Stage::Rejected => "rejected".to_owned(),
        Stage::Cancelled => "cancelled".to_owned(),
    }
}

fn label(state: &State, event: Event) -> String {
    match event {
        Event::Finished(Phase::Review, Outcome::Verdict(Verdict::Pass)) => match state.evidence {
            Some(Evidence::Green) => "PASS and green".to_owned(),
            Some(Evidence::Red) | None => "PASS but red".to_owned(),
        },
        Event::Finished(_, Outcome::Verdict(verdict)) => verdict.word().to_owned(),
        Event::Finished(_, Outcome::AllDone) => "all tasks COMPLETED".to_owned(),
        Event::Finished(_, Outcome::TasksLeft) => "a task FAILED or absent".to_owned(),
        Event::Finished(_, Outcome::Files) => "files in order".to_owned(),
        Event::Verified(Evidence::Green) => "green".to_owned(),
        Event::Verified(Evidence::Red) => "red".to_owned(),
        Event::Paused(_) => "--pause".to_owned(),
        Event::Approved => "approve".to_owned(),
        Event::SentBack => "reject".to_owned(),
        Event::Guided => "more guidance".to_owned(),
        Event::Applied => "applied".to_owned(),
        Event::Started(_) => "started".to_owned(),
        Event::Cancelled => "cancel".to_owned(),
    }
}
