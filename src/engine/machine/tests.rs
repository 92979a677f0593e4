//! The machine of the workflow, explored whole: every state that any history can reach under small limits.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::diagram::events;
use crate::engine::machine::{Check, Event, Evidence, Limits, Outcome, Stage, State, Step, maker};
use crate::template::{Phase, Verdict};

const LIMITS: Limits = Limits { plan: 2, implement: 2 };

/// Says whether the driver would let an event happen: it begins no phase that has had all its rounds.
fn is_driven(state: &State, event: Event) -> bool {
    match event {
        Event::Started(_) => matches!(state.step(LIMITS), Step::Run(_)),
        _ => true,
    }
}

fn successors(state: State) -> Vec<(Event, State)> {
    let driven = events().into_iter().filter(|event| is_driven(&state, *event));
    driven.filter_map(|event| Some((event, state.after(event).ok()?))).collect()
}

/// Every state that can be reached, with a history that leads to it.
fn reachable() -> BTreeMap<State, Vec<Event>> {
    let mut found = BTreeMap::from([(State::default(), Vec::new())]);
    let mut open = vec![State::default()];
    while let Some(state) = open.pop() {
        for (event, after) in successors(state) {
            if !found.contains_key(&after) {
                let history = found[&state].iter().copied().chain([event]).collect();
                found.insert(after, history);
                open.push(after);
            }
        }
    }
    found
}

/// What a history says of the last plan and the last code, worked out beside the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Judged {
    plan: bool,
    code: bool,
    green: bool,
}

impl Judged {
    fn after(self, event: Event) -> Self {
        let pass = Outcome::Verdict(Verdict::Pass);
        match event {
            Event::Started(Phase::Plan) => Self::default(),
            Event::Started(Phase::Implement) => Self { plan: self.plan, ..Self::default() },
            Event::Finished(Phase::Challenge, outcome) => Self { plan: outcome == pass, ..self },
            Event::Finished(Phase::Review, outcome) => Self { code: outcome == pass, ..self },
            Event::Verified(evidence) => Self { green: evidence == Evidence::Green, ..self },
            _ => self,
        }
    }
}

#[test]
fn nothing_is_archived_without_a_pass_of_challenge_and_review_and_green_evidence() {
    let mut seen = BTreeSet::new();
    let mut open = vec![(State::default(), Judged::default())];
    let mut archived = 0;
    while let Some((state, judged)) = open.pop() {
        if !seen.insert((state, judged)) {
            continue;
        }
        if matches!(
            state.stage,
            Stage::Due(Phase::Archive)
                | Stage::Gate(Phase::Archive)
                | Stage::Apply
                | Stage::Archived
        ) {
            assert_eq!(judged, Judged { plan: true, code: true, green: true }, "{state:?}");
            archived += usize::from(state.stage == Stage::Archived);
        }
        let next = successors(state).into_iter();
        open.extend(next.map(|(event, after)| (after, judged.after(event))));
    }
    assert!(archived > 0);
}

#[test]
fn every_stage_is_reachable_and_none_is_a_trap() {
    let found = reachable();
    let stages: BTreeSet<_> = found.keys().map(|state| state.stage).collect();
    let mut expected: BTreeSet<_> = [
        Stage::Apply,
        Stage::Archived,
        Stage::Rejected,
        Stage::Cancelled,
        Stage::Verify(Check::AfterImplement),
        Stage::Verify(Check::BeforeArchive),
    ]
    .into();
    expected.extend(Phase::ALL.iter().flat_map(|phase| [Stage::Due(*phase), Stage::Gate(*phase)]));
    assert_eq!(stages, expected);

    // Backwards from the archive: every state that is not an end can still get there, and not only by giving up.
    let mut leads: BTreeMap<State, Vec<State>> = BTreeMap::new();
    for state in found.keys() {
        for (_, after) in successors(*state) {
            leads.entry(after).or_default().push(*state);
        }
    }
    let mut good: BTreeSet<State> =
        found.keys().copied().filter(|state| state.stage == Stage::Archived).collect();
    let mut open: Vec<State> = good.iter().copied().collect();
    while let Some(state) = open.pop() {
        for before in leads.get(&state).into_iter().flatten() {
            if good.insert(*before) {
                open.push(*before);
            }
        }
    }
    for (state, history) in &found {
        assert!(good.contains(state) || state.is_over(), "a trap: {state:?}: {history:?}");
        assert!(!state.is_over() || successors(*state).is_empty(), "no end: {state:?}");
    }
}

#[test]
fn without_a_person_every_run_ends() {
    let mut longest = 0;
    let mut open = vec![(State::default(), 0)];
    while let Some((state, length)) = open.pop() {
        longest = longest.max(length);
        assert!(length < 40, "rounds are not limited: {state:?}");
        let machine = |event: &Event| {
            matches!(event, Event::Finished(..) | Event::Verified(_) | Event::Applied)
        };
        let started = match state.step(LIMITS) {
            Step::Run(phase) => state.after(Event::Started(phase)).expect("a phase that is due"),
            Step::Verify(_) | Step::Apply => state,
            Step::Wait(_) | Step::Exhausted(_) | Step::End => continue,
        };
        let next = events().into_iter().filter(machine);
        open.extend(next.filter_map(|event| Some((started.after(event).ok()?, length + 1))));
    }
    assert!(longest > 8, "{longest}");
}

#[test]
fn rounds_run_out_and_a_person_opens_them_again() {
    let mut state = State::default();
    for _ in 0..2 {
        assert_eq!(state.step(LIMITS), Step::Run(Phase::Plan));
        state = state.after(Event::Started(Phase::Plan)).expect("due");
        let revise = Outcome::Verdict(Verdict::NeedsRevision);
        state = state.after(Event::Finished(Phase::Plan, revise)).expect("started");
    }
    assert_eq!(state.step(LIMITS), Step::Exhausted(Phase::Plan));
    let opened = state.after(Event::SentBack).expect("a person may");
    assert_eq!(opened.step(LIMITS), Step::Run(Phase::Plan));
    let guided = state.after(Event::Guided).expect("a person may");
    assert_eq!(guided.step(LIMITS), Step::Run(Phase::Plan));
}

#[test]
fn guidance_after_code_was_written_is_impossible() {
    for (state, history) in reachable() {
        let coded = history.contains(&Event::Started(Phase::Implement));
        if coded {
            assert!(state.after(Event::Guided).is_err(), "{state:?}");
        }
    }
}

#[test]
fn what_a_person_rejects_goes_back_to_whoever_made_it() {
    for phase in Phase::ALL.iter().copied() {
        let gate = reachable().into_keys().find(|state| state.stage == Stage::Gate(phase));
        let gate = gate.expect("every phase has a gate");
        assert_eq!(gate.step(LIMITS), Step::Wait(phase));
        let back = gate.after(Event::SentBack).expect("a gate can be refused");
        assert_eq!(back.stage, Stage::Due(maker(phase)));
        let on = gate.after(Event::Approved).expect("a gate can be passed");
        assert_ne!(on.stage, back.stage);
    }
}

/// Says whether an event can happen, by what the documentation says of it; how a phase may end is left to the table.
fn may_happen(state: &State, event: Event) -> bool {
    let is_over = matches!(state.stage, Stage::Archived | Stage::Rejected | Stage::Cancelled);
    match event {
        Event::Started(phase) => state.stage == Stage::Due(phase),
        Event::Finished(phase, _) => state.started == Some(phase),
        Event::Verified(_) => matches!(state.stage, Stage::Verify(_)),
        Event::Paused(phase) => {
            state.succeeded == Some(phase)
                && state.started.is_none()
                && !matches!(state.stage, Stage::Verify(_) | Stage::Gate(_))
                && !is_over
        }
        Event::Approved => matches!(state.stage, Stage::Gate(_)),
        Event::SentBack => match state.stage {
            Stage::Gate(_) | Stage::Apply => true,
            Stage::Due(phase) => state.rounds(phase) > 0,
            _ => false,
        },
        Event::Guided => !state.implemented && !is_over,
        Event::Applied => state.stage == Stage::Apply,
        Event::Cancelled => !is_over,
    }
}

#[test]
fn an_event_happens_where_it_can_and_nowhere_else() {
    let mut ends = BTreeSet::new();
    for (state, history) in reachable() {
        for event in events() {
            let happens = state.after(event);
            let Err(impossible) = happens else {
                assert!(may_happen(&state, event), "{event:?} after {history:?}");
                ends.extend(matches!(event, Event::Finished(..)).then_some(event));
                continue;
            };
            assert_eq!((impossible.stage, impossible.event), (state.stage, event));
            let is_end = matches!(event, Event::Finished(..));
            assert!(is_end || !may_happen(&state, event), "{event:?} after {history:?}");
        }
    }
    // Plan and challenge have two and three verdicts, an implementation two ends, a review three verdicts.
    assert_eq!(ends.len(), 2 + 3 + 2 + 3 + 1, "{ends:?}");
}

#[test]
fn what_is_judged_stays_judged_until_it_is_opened_again() {
    let judged = |state: &State| (state.plan_passed, state.code_passed, state.evidence);
    let pass = Outcome::Verdict(Verdict::Pass);
    for state in reachable().into_keys() {
        let (plan, code, evidence) = judged(&state);
        for (event, after) in successors(state) {
            let expected = match (event, after.stage) {
                (Event::Started(Phase::Plan) | Event::Guided, _)
                | (Event::SentBack, Stage::Due(Phase::Plan)) => (false, false, None),
                (Event::Started(Phase::Implement), _)
                | (Event::SentBack, Stage::Due(Phase::Implement)) => (plan, false, None),
                (Event::Finished(Phase::Challenge, outcome), _) => {
                    (outcome == pass, code, evidence)
                }
                (Event::Finished(Phase::Review, outcome), _) => {
                    (plan, outcome == pass && evidence == Some(Evidence::Green), evidence)
                }
                (Event::Verified(now), _) => (plan, code && now == Evidence::Green, Some(now)),
                _ => (plan, code, evidence),
            };
            assert_eq!(judged(&after), expected, "{event:?} at {state:?}");
            let implements = event == Event::Started(Phase::Implement);
            assert_eq!(
                after.implemented,
                state.implemented || implements,
                "{event:?} at {state:?}"
            );
        }
    }
}

#[test]
fn a_phase_is_begun_ends_and_can_be_asked_about_until_something_else_happens() {
    for state in reachable().into_keys() {
        for (event, after) in successors(state) {
            let is_next = |phase| after.stage != Stage::Due(maker(phase)) && !after.is_over();
            let (started, succeeded) = match event {
                Event::Started(phase) => (Some(phase), None),
                Event::Finished(phase, _) => (None, is_next(phase).then_some(phase)),
                Event::Verified(_) if after.stage == Stage::Due(Phase::Implement) => (None, None),
                Event::Verified(_) | Event::Paused(_) | Event::Applied | Event::Cancelled => {
                    (None, state.succeeded)
                }
                Event::Approved | Event::SentBack | Event::Guided => (None, None),
            };
            let told = (after.started, after.succeeded);
            assert_eq!(told, (started, succeeded), "{event:?} at {state:?}");
        }
    }
}

#[test]
fn rounds_are_counted_phase_by_phase_until_a_person_has_a_say() {
    for state in reachable().into_keys() {
        for (event, after) in successors(state) {
            for phase in Phase::ALL.iter().copied() {
                let ended = matches!(event, Event::Finished(ended, _) if ended == phase);
                let expected = match event {
                    Event::SentBack | Event::Guided => 0,
                    _ => state.rounds(phase) + u32::from(ended),
                };
                assert_eq!(after.rounds(phase), expected, "{phase:?} by {event:?} at {state:?}");
            }
        }
    }
}
