//! The machine of a team as a picture: every transition between stages, found by asking the machine itself.

use std::collections::BTreeSet;

use super::lineup::{Batch, Lineup, Unit};
use super::machine::{TeamEvent, TeamOutcome, TeamStage, TeamState};
use super::step::TeamStep;
use crate::engine::diagram::{Transitions, drawn};
use crate::engine::machine::Evidence;
use crate::models::hash::Hash;
use crate::models::plan::{Mode, PlanIndex};

/// Draws the machine of a team as a Mermaid state diagram.
pub fn mermaid() -> String {
    let starts = [TeamStep::ProductManager, TeamStep::Architect];
    let ends = [TeamStage::Archived, TeamStage::Cancelled].map(name);
    drawn(&starts.map(|step| name(TeamStage::Due(step))), &transitions(&starts), &ends)
}

/// Collects what leads from one stage to another, over all states that can be reached.
fn transitions(starts: &[TeamStep]) -> Transitions {
    let mut found = Transitions::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<_> = starts.iter().map(|step| TeamState::new(*step)).collect();
    let events = events();
    while let Some(state) = open.pop() {
        // How often the work was reviewed changes no transition.
        let state = TeamState { reviews: 0, ..state };
        if !seen.insert(state.clone()) {
            continue;
        }
        for event in &events {
            let Ok(after) = state.after(event) else { continue };
            let shown = !is_possible_nearly_everywhere(event) && state.stage != after.stage
                || matches!(event, TeamEvent::Finished(..));
            if shown {
                let edge = (name(state.stage), name(after.stage));
                found.entry(edge).or_default().insert(label(&state, event).to_owned());
            }
            open.push(after);
        }
    }
    // These would hide the rest.
    for (to, word) in [
        (TeamStage::Cancelled, "cancel"),
        (TeamStage::Due(TeamStep::Change), "reject, once it is planned"),
        (TeamStage::Due(TeamStep::ProductManager), "more guidance, until code is written"),
        (TeamStage::Due(TeamStep::Architect), "more guidance, until code is written"),
    ] {
        found.entry(("any".to_owned(), name(to))).or_default().insert(word.to_owned());
    }
    found
}

const fn is_possible_nearly_everywhere(event: &TeamEvent) -> bool {
    matches!(event, TeamEvent::Cancelled | TeamEvent::SentBack | TeamEvent::Guided)
}

/// Lists every event that there is, with one plan that can be this or that, with and without a design.
fn events() -> Vec<TeamEvent> {
    let mut events = vec![
        TeamEvent::PlanDone(PlanIndex::FIRST),
        TeamEvent::Verified(Evidence::Green),
        TeamEvent::Verified(Evidence::Red),
        TeamEvent::Approved,
        TeamEvent::SentBack,
        TeamEvent::Guided,
        TeamEvent::Applied,
        TeamEvent::Cancelled,
    ];
    let lineup = |text: &str, needs_design| {
        let plans = vec![Unit { plan: PlanIndex::FIRST, hash: Hash::of(text) }];
        let groups = vec![Batch { mode: Mode::Serial, plans }];
        TeamOutcome::Planned(Lineup { groups, needs_design })
    };
    let outcomes = [
        lineup("this", false),
        lineup("that", false),
        lineup("this", true),
        TeamOutcome::Made,
        TeamOutcome::Passed,
        TeamOutcome::Failed,
    ];
    for step in TeamStep::ALL {
        events.extend([TeamEvent::Started(step), TeamEvent::Paused(step)]);
        let finished = outcomes.iter().map(|outcome| TeamEvent::Finished(step, outcome.clone()));
        events.extend(finished);
    }
    events
}

fn name(stage: TeamStage) -> String {
    let word = |step: TeamStep| step.word().replace('-', "_");
    match stage {
        TeamStage::Due(step) => word(step),
        TeamStage::Verify => "checks".to_owned(),
        TeamStage::Pause(step) => format!("approve_{}", word(step)),
        TeamStage::Gate => "approve".to_owned(),
        TeamStage::Apply => "apply".to_owned(),
        TeamStage::Archived => "archived".to_owned(),
        TeamStage::Cancelled => "cancelled".to_owned(),
    }
}

const fn label(state: &TeamState, event: &TeamEvent) -> &'static str {
    match event {
        TeamEvent::Finished(TeamStep::Coders, _) => "every plan done",
        TeamEvent::Finished(_, TeamOutcome::Made) => "made",
        TeamEvent::Finished(_, TeamOutcome::Planned(lineup)) if lineup.needs_design => {
            "planned, with a design"
        }
        TeamEvent::Finished(_, TeamOutcome::Planned(_)) => "planned",
        TeamEvent::Finished(_, TeamOutcome::Passed) => match state.evidence {
            Some(Evidence::Green) => "PASS and green",
            Some(Evidence::Red) | None => "PASS but red",
        },
        TeamEvent::Finished(_, TeamOutcome::Failed) => "FAIL",
        TeamEvent::PlanDone(_) => "a plan done",
        TeamEvent::Verified(Evidence::Green) => "green",
        TeamEvent::Verified(Evidence::Red) => "red",
        TeamEvent::Paused(_) => "--pause",
        TeamEvent::Approved => "approve",
        TeamEvent::SentBack => "reject",
        TeamEvent::Guided => "more guidance",
        TeamEvent::Applied => "applied",
        TeamEvent::Started(_) => "started",
        TeamEvent::Cancelled => "cancel",
    }
}
