//! The machine of the workflow, explored whole: every state that any history can reach under small limits.

use std::collections::{BTreeMap, BTreeSet};

use agentd::template::{Phase, Verdict};
use agentd::workflow::diagram::events;
use agentd::workflow::machine::{
    Check, Event, Evidence, Limits, Outcome, Stage, State, Step, maker,
};

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
