//! Every state that a change of a flow can reach, whatever agents answer and people decide, with the shortest way to each.

use std::collections::HashMap;

use super::facts::Facts;
use super::state::{Event, Position, Refusal, State};
use super::steps::StepId;
use super::table::{Flow, Step};
use super::vocab::{Fact, Guarantee, Kind, Need, Outcome, Subject};

/// The states of a flow, in the order of their distance from the start.
#[derive(Debug)]
pub struct Explored {
    /// The states.
    pub states: Vec<State>,
    /// From which state each was first reached, and by which event; those that a change begins in have none.
    origins: Vec<Option<(usize, Event)>>,
    /// Every transition: from, by, to.
    pub moves: Vec<(usize, Event, usize)>,
    /// The states in which an archive is due that lacks a guarantee.
    pub lacking: Vec<(usize, Guarantee)>,
}

/// Visits every state of a flow. Rounds are told apart only as none and some: transitions depend on no more.
pub fn explore(flow: &Flow) -> Explored {
    let mut explored = Explored {
        states: Vec::new(),
        origins: Vec::new(),
        moves: Vec::new(),
        lacking: Vec::new(),
    };
    let mut known = HashMap::new();
    let configured: Vec<_> = used(flow, &[Fact::ProductManager]);
    for facts in Facts::combinations(&configured) {
        explored.visit(State::new(flow, facts), None, &mut known);
    }
    let events = events(flow);
    let mut next = 0;
    while next < explored.states.len() {
        let state = explored.states[next];
        for event in &events {
            match state.after(flow, *event) {
                Ok(after) => {
                    let to =
                        explored.visit(after.with_few_rounds(), Some((next, *event)), &mut known);
                    explored.moves.push((next, *event, to));
                }
                Err(Refusal::Lacks(guarantee)) => explored.lacking.push((next, guarantee)),
                Err(Refusal::NotHere { .. }) => {}
            }
        }
        next += 1;
    }
    explored
}

impl Explored {
    fn visit(
        &mut self,
        state: State,
        origin: Option<(usize, Event)>,
        known: &mut HashMap<State, usize>,
    ) -> usize {
        *known.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.origins.push(origin);
            self.states.len() - 1
        })
    }

    /// Returns the events of a shortest way to a state.
    pub fn path(&self, state: usize) -> Vec<Event> {
        let mut events = Vec::new();
        let mut at = state;
        while let Some((from, event)) = self.origins[at] {
            events.push(event);
            at = from;
        }
        events.reverse();
        events
    }

    /// Returns whether any state is at a step.
    pub fn reaches(&self, step: StepId) -> bool {
        self.states.iter().any(|state| state.position == Position::Step(step))
    }

    /// Returns the first state from which no archive can be reached although nobody gives up: agents may answer and people
    /// may decide what they like.
    pub fn first_stuck(&self) -> Option<usize> {
        let mut is_good: Vec<_> =
            self.states.iter().map(|state| state.position == Position::Archived).collect();
        let mut to: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (from, event, after) in &self.moves {
            if is_onward(*event) {
                to[*after].push(*from);
            }
        }
        let mut open: Vec<_> = (0..is_good.len()).filter(|state| is_good[*state]).collect();
        while let Some(state) = open.pop() {
            for from in &to[state] {
                if !is_good[*from] {
                    is_good[*from] = true;
                    open.push(*from);
                }
            }
        }
        let is_stuck = |state: &usize| !is_good[*state] && !self.states[*state].is_over();
        (0..is_good.len()).find(is_stuck)
    }
}

/// Returns whether an event brings a change on: a person's change of mind does not.
fn is_onward(event: Event) -> bool {
    match event {
        Event::Started(_) | Event::Finished { .. } | Event::Answered | Event::Approved => true,
        Event::Blocked(_)
        | Event::Paused(_)
        | Event::Overridden
        | Event::Rejected
        | Event::Guided
        | Event::Edited { .. }
        | Event::Reopened
        | Event::Cancelled => false,
    }
}

/// Lists every event that could happen in a flow.
fn events(flow: &Flow) -> Vec<Event> {
    let mut events = vec![
        Event::Answered,
        Event::Approved,
        Event::Overridden,
        Event::Rejected,
        Event::Guided,
        Event::Reopened,
        Event::Cancelled,
    ];
    for (id, step) in flow.numbered() {
        if step.kind == Kind::Gate {
            continue;
        }
        events.extend([Event::Started(id), Event::Blocked(id), Event::Paused(id)]);
        for (outcome, _) in step.on.iter() {
            let known = facts_of(flow, step, *outcome).into_iter();
            events.extend(known.map(|facts| Event::Finished {
                step: id,
                outcome: *outcome,
                facts,
            }));
        }
    }
    let schedules = Facts::combinations(&used(flow, &[Fact::NeedsDesign, Fact::PlansDue]));
    for subject in Subject::ALL {
        events.extend(
            schedules.iter().map(|facts| Event::Edited { subject: *subject, facts: *facts }),
        );
    }
    events
}

/// Lists what may be known after a step, as far as the flow depends on it.
fn facts_of(flow: &Flow, step: &Step, outcome: Outcome) -> Vec<Facts> {
    let mut open = Vec::new();
    if outcome.is_success() && step.makes_schedule() {
        open.extend(used(flow, &[Fact::NeedsDesign, Fact::PlansDue]));
    }
    if step.pass_needs.contains(&Need::DocFiles) {
        open.push(Fact::DocFiles);
    }
    Facts::combinations(&open)
}

/// Keeps the facts that a step of the flow depends on.
fn used(flow: &Flow, facts: &[Fact]) -> Vec<Fact> {
    let is_used = |fact: &Fact| flow.steps.iter().any(|step| step.skip_unless == Some(*fact));
    facts.iter().copied().filter(is_used).collect()
}
