//! The machine of the team flow, explored whole: every state that any history can reach under small limits.

mod transitions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::engine::machine::Evidence;
use crate::engine::team::{
    Batch, Lineup, Mode, TeamEvent, TeamLimits, TeamNext, TeamOutcome, TeamStage, TeamState,
    TeamStep, Unit,
};
use crate::models::hash::Hash;
use crate::models::plan::PlanIndex;
use crate::template::Role;

const LIMITS: TeamLimits = TeamLimits { reviews: 2 };

fn plan(number: u32) -> PlanIndex {
    PlanIndex::new(number).expect("the number of a plan")
}

fn done(number: u32) -> TeamEvent {
    TeamEvent::PlanDone(plan(number))
}

fn plans(numbers: &[u32]) -> Vec<PlanIndex> {
    numbers.iter().copied().map(plan).collect()
}

fn unit(number: u32, text: &str) -> Unit {
    Unit { plan: plan(number), hash: Hash::of(text) }
}

fn batch(mode: Mode, plans: &[Unit]) -> Batch {
    Batch { mode, plans: plans.to_vec() }
}

/// A first schedule, and one in which plan 2 is another and plan 3 is new.
fn lineups() -> [Lineup; 2] {
    let first = [
        batch(Mode::Parallel, &[unit(1, "one"), unit(2, "two")]),
        batch(Mode::Serial, &[unit(4, "four")]),
    ];
    let second = [
        batch(Mode::Parallel, &[unit(1, "one"), unit(2, "another")]),
        batch(Mode::Serial, &[unit(3, "three"), unit(4, "four")]),
    ];
    [
        Lineup { groups: first.to_vec(), needs_design: false },
        Lineup { groups: second.to_vec(), needs_design: true },
    ]
}

/// Every event that there is, with these schedules and plans.
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
    events.extend((1..=4).map(done));
    for step in TeamStep::ALL {
        let planned = lineups().map(TeamOutcome::Planned);
        let others = [TeamOutcome::Made, TeamOutcome::Passed, TeamOutcome::Failed];
        let outcomes = planned.into_iter().chain(others);
        events.extend([TeamEvent::Started(step), TeamEvent::Paused(step)]);
        events.extend(outcomes.map(|outcome| TeamEvent::Finished(step, outcome)));
    }
    events
}

/// Says whether the driver would let an event happen: it begins no step when reviews have run out.
fn is_driven(state: &TeamState, event: &TeamEvent) -> bool {
    match event {
        TeamEvent::Started(_) => matches!(state.next(LIMITS), TeamNext::Run(_)),
        _ => true,
    }
}

fn successors(state: &TeamState) -> Vec<(TeamEvent, TeamState)> {
    let driven = events().into_iter().filter(|event| is_driven(state, event));
    driven.filter_map(|event| state.after(&event).ok().map(|after| (event, after))).collect()
}

type Reached = BTreeMap<TeamState, Vec<(TeamEvent, TeamState)>>;

/// Every state that can be reached, with what may follow it; it is explored once.
fn reachable() -> &'static Reached {
    static REACHED: OnceLock<Reached> = OnceLock::new();
    REACHED.get_or_init(explored)
}

fn explored() -> Reached {
    let mut found = Reached::new();
    let mut open = vec![TeamState::new(TeamStep::ProductManager), begun()];
    while let Some(state) = open.pop() {
        if found.contains_key(&state) {
            continue;
        }
        let next = successors(&state);
        open.extend(next.iter().map(|(_, after)| after.clone()));
        found.insert(state, next);
    }
    found
}

fn begun() -> TeamState {
    TeamState::new(TeamStep::Architect)
}

/// The state after a row of events, each of which must be possible.
fn after(state: TeamState, events: impl IntoIterator<Item = TeamEvent>) -> TeamState {
    events.into_iter().fold(state, |state, event| {
        state.after(&event).unwrap_or_else(|impossible| panic!("{impossible}"))
    })
}

fn taken(step: TeamStep, outcome: TeamOutcome) -> [TeamEvent; 2] {
    [TeamEvent::Started(step), TeamEvent::Finished(step, outcome)]
}

fn planned(lineup: &Lineup) -> TeamState {
    let architect = taken(TeamStep::Architect, TeamOutcome::Made);
    let planner = taken(TeamStep::Planner, TeamOutcome::Planned(lineup.clone()));
    after(begun(), architect.into_iter().chain(planner))
}

fn coded() -> TeamState {
    let state = after(planned(&lineups()[0]), [TeamEvent::Started(TeamStep::Coders)]);
    let done = [2, 1, 4].map(done);
    after(state, done.into_iter().chain([TeamEvent::Finished(TeamStep::Coders, TeamOutcome::Made)]))
}

fn reviewed(state: TeamState, evidence: Evidence, outcome: TeamOutcome) -> TeamState {
    let review = taken(TeamStep::Review, outcome);
    after(state, [TeamEvent::Verified(evidence)].into_iter().chain(review))
}

fn at_gate() -> TeamState {
    let passed = reviewed(coded(), Evidence::Green, TeamOutcome::Passed);
    after(passed, taken(TeamStep::Summary, TeamOutcome::Made))
}

#[test]
fn every_event_is_possible_somewhere_and_what_is_over_stays_over() {
    let found = reachable();
    let possible: BTreeSet<_> =
        found.values().flatten().map(|(event, _)| format!("{event:?}")).collect();
    let sensible = |event: &TeamEvent| match event {
        TeamEvent::Finished(step, outcome) => match step {
            TeamStep::Planner | TeamStep::Change => matches!(outcome, TeamOutcome::Planned(_)),
            TeamStep::Review => matches!(outcome, TeamOutcome::Passed | TeamOutcome::Failed),
            TeamStep::ProductManager
            | TeamStep::Architect
            | TeamStep::Designer
            | TeamStep::Coders
            | TeamStep::Fix
            | TeamStep::Summary => *outcome == TeamOutcome::Made,
        },
        // After the summary the change itself is to be approved.
        TeamEvent::Paused(step) => *step != TeamStep::Summary,
        _ => true,
    };
    for event in events() {
        assert_eq!(possible.contains(&format!("{event:?}")), sensible(&event), "{event:?}");
    }
    assert!(found.len() > 200, "only {} states", found.len());
    for (state, next) in found {
        assert!(!state.is_over() || next.is_empty(), "{state:?}");
    }
}

#[test]
fn no_state_is_a_dead_end() {
    let found = reachable();
    let mut leads: BTreeMap<&TeamState, Vec<&TeamState>> = BTreeMap::new();
    for (state, next) in found {
        for (_, after) in next {
            leads.entry(after).or_default().push(state);
        }
    }
    let archived = found.keys().filter(|state| state.stage == TeamStage::Archived);
    let mut good: BTreeSet<&TeamState> = archived.collect();
    let mut open: Vec<_> = good.iter().copied().collect();
    while let Some(state) = open.pop() {
        for before in leads.get(state).into_iter().flatten() {
            if good.insert(before) {
                open.push(before);
            }
        }
    }
    assert!(!good.is_empty());
    for state in found.keys() {
        assert!(good.contains(state) || state.is_over(), "a trap: {state:?}");
    }
}

#[test]
fn nothing_is_approved_without_a_plan_a_pass_and_green_evidence() {
    for state in reachable().keys() {
        let is_judged =
            matches!(state.stage, TeamStage::Gate | TeamStage::Apply | TeamStage::Archived)
                || state.stage == TeamStage::Due(TeamStep::Summary);
        if is_judged {
            assert!(state.passed && state.evidence == Some(Evidence::Green), "{state:?}");
            assert!(state.lineup.is_some() && state.due_plans().is_none(), "{state:?}");
        }
    }
}

#[test]
fn seed_002_no_code_is_written_before_there_is_a_schedule() {
    for (state, next) in reachable() {
        let starts = |event: &TeamEvent| *event == TeamEvent::Started(TeamStep::Coders);
        if next.iter().any(|(event, _)| starts(event)) {
            assert!(state.lineup.is_some(), "{state:?}");
        }
    }
    let architect = after(begun(), taken(TeamStep::Architect, TeamOutcome::Made));
    assert_eq!(architect.next(LIMITS), TeamNext::Run(TeamStep::Planner));
    assert!(architect.after(&TeamEvent::Started(TeamStep::Coders)).is_err());
}

#[test]
fn plans_are_due_group_by_group_and_those_that_are_done_never_again() {
    let state = planned(&lineups()[0]);
    assert_eq!(state.due_plans(), Some((Mode::Parallel, plans(&[1, 2]))));
    let state = after(state, [TeamEvent::Started(TeamStep::Coders)]);
    assert!(state.after(&done(4)).is_err(), "its group is not due yet");
    let state = after(state, [done(2)]);
    assert!(state.after(&done(2)).is_err(), "it is done");
    assert_eq!(state.due_plans(), Some((Mode::Parallel, plans(&[1]))));
    let unfinished = TeamEvent::Finished(TeamStep::Coders, TeamOutcome::Made);
    assert!(state.after(&unfinished).is_err(), "plans are left");
    let state = after(state, [done(1)]);
    assert_eq!(state.due_plans(), Some((Mode::Serial, plans(&[4]))));
    assert_eq!(coded().stage, TeamStage::Verify);
}

#[test]
fn a_changed_plan_opens_itself_and_what_is_not_done_and_nothing_else() {
    let back = after(at_gate(), [TeamEvent::SentBack]);
    assert_eq!(back.next(LIMITS), TeamNext::Run(TeamStep::Change));
    let [same, other] = lineups();
    let nothing = after(back.clone(), taken(TeamStep::Change, TeamOutcome::Planned(same)));
    assert_eq!(nothing.stage, TeamStage::Verify, "nothing is due, so that what is there is judged");
    let changed = after(back, taken(TeamStep::Change, TeamOutcome::Planned(other)));
    assert_eq!(changed.stage, TeamStage::Due(TeamStep::Designer));
    let changed = after(changed, taken(TeamStep::Designer, TeamOutcome::Made));
    assert_eq!(changed.due_plans(), Some((Mode::Parallel, plans(&[2]))));
    let state = after(changed, [TeamEvent::Started(TeamStep::Coders), done(2)]);
    assert_eq!(state.due_plans(), Some((Mode::Serial, plans(&[3]))));
}

#[test]
fn reviews_run_out_and_a_person_opens_them_again() {
    let mut state = coded();
    for left in [true, false] {
        state = reviewed(state, Evidence::Green, TeamOutcome::Failed);
        if left {
            assert_eq!(state.next(LIMITS), TeamNext::Run(TeamStep::Fix));
            state = after(state, taken(TeamStep::Fix, TeamOutcome::Made));
        }
    }
    assert_eq!(state.next(LIMITS), TeamNext::Exhausted);
    assert_eq!(state.next(TeamLimits { reviews: 3 }), TeamNext::Run(TeamStep::Fix));
    let opened = after(state, [TeamEvent::SentBack]);
    assert_eq!((opened.next(LIMITS), opened.reviews), (TeamNext::Run(TeamStep::Change), 0));
}

#[test]
fn a_pause_between_two_steps_holds_until_a_person_approves_and_comes_but_once() {
    let made = after(begun(), taken(TeamStep::Architect, TeamOutcome::Made));
    let paused = after(made.clone(), [TeamEvent::Paused(TeamStep::Architect)]);
    assert_eq!(paused.stage, TeamStage::Pause(TeamStep::Architect));
    assert_eq!(paused.next(LIMITS), TeamNext::Wait);
    assert!(paused.after(&TeamEvent::Started(TeamStep::Planner)).is_err());
    assert!(made.after(&TeamEvent::Paused(TeamStep::Planner)).is_err(), "it is not done");
    let approved = after(paused, [TeamEvent::Approved]);
    assert_eq!(approved.next(LIMITS), TeamNext::Run(TeamStep::Planner));
    assert!(approved.after(&TeamEvent::Paused(TeamStep::Architect)).is_err());
    // The checks belong to the step before them.
    assert!(coded().after(&TeamEvent::Paused(TeamStep::Coders)).is_err());
    let checked = after(coded(), [TeamEvent::Verified(Evidence::Green)]);
    let paused = after(checked, [TeamEvent::Paused(TeamStep::Coders)]);
    let sent_back = after(paused, [TeamEvent::SentBack]);
    assert_eq!(sent_back.next(LIMITS), TeamNext::Run(TeamStep::Change));
}

#[test]
fn a_pass_on_red_checks_is_none() {
    let red = reviewed(coded(), Evidence::Red, TeamOutcome::Passed);
    assert_eq!((red.stage, red.passed), (TeamStage::Due(TeamStep::Fix), false));
}

#[test]
fn without_a_person_every_run_ends() {
    let mut longest = 0;
    let mut open = vec![(TeamState::new(TeamStep::ProductManager), 0)];
    let mut seen = BTreeSet::new();
    while let Some((state, length)) = open.pop() {
        if !seen.insert((state.clone(), length)) {
            continue;
        }
        longest = longest.max(length);
        assert!(length < 40, "reviews are not limited: {state:?}");
        let started = match state.next(LIMITS) {
            TeamNext::Run(step) if state.started.is_none() => {
                after(state, [TeamEvent::Started(step)])
            }
            TeamNext::Run(_) | TeamNext::Verify | TeamNext::Apply => state,
            TeamNext::Wait | TeamNext::Exhausted | TeamNext::End => continue,
        };
        let machine = |event: &TeamEvent| {
            matches!(
                event,
                TeamEvent::Finished(..)
                    | TeamEvent::PlanDone(_)
                    | TeamEvent::Verified(_)
                    | TeamEvent::Applied
            )
        };
        let next = events().into_iter().filter(machine);
        open.extend(next.filter_map(|event| Some((started.after(&event).ok()?, length + 1))));
    }
    assert!(longest > 10, "{longest}");
}

#[test]
fn guidance_after_code_was_written_is_impossible_and_asking_for_changes_needs_a_plan() {
    for state in reachable().keys() {
        let guided = state.after(&TeamEvent::Guided);
        assert_eq!(guided.is_ok(), !state.coded && !state.is_over(), "{state:?}");
        let back = state.after(&TeamEvent::SentBack);
        assert_eq!(back.is_ok(), state.lineup.is_some() && !state.is_over(), "{state:?}");
    }
}

#[test]
fn each_step_is_taken_by_its_role() {
    let roles = TeamStep::ALL.map(TeamStep::role);
    let expected = [
        Role::ProductManager,
        Role::Architect,
        Role::Planner,
        Role::Designer,
        Role::Coder,
        Role::Reviewer,
        Role::Coder,
        Role::Reviewer,
        Role::Planner,
    ];
    assert_eq!(roles, expected);
    assert!(TeamStep::ALL.into_iter().all(|step| TeamStep::from_word(step.word()) == Some(step)));
}

#[test]
fn what_is_open_is_every_plan_that_is_not_done_as_it_is() {
    let open = |state: &TeamState| state.open_units().map(|unit| unit.plan).collect::<Vec<_>>();
    assert_eq!(open(&begun()), [], "nothing is planned");
    let state = after(planned(&lineups()[0]), [TeamEvent::Started(TeamStep::Coders)]);
    assert_eq!(open(&state), plans(&[1, 2, 4]));
    let state = after(state, [done(2)]);
    assert_eq!(open(&state), plans(&[1, 4]), "of the same group one is done");
    let planned_anew = TeamState { lineup: Some(lineups()[1].clone()), ..state };
    assert_eq!(open(&planned_anew), plans(&[1, 2, 3, 4]), "plan 2 is another now");
}
