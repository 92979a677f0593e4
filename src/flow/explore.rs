//! Every state that a change of a flow can reach, whatever agents answer and people decide, with the shortest way to each.

use std::collections::HashMap;

use super::column::Step;
use super::event::{Event, Position, Refusal};
use super::facts::Facts;
use super::state::State;
use super::steps::StepId;
use super::table::Flow;
use super::vocab::{Fact, Guarantee, Kind, Need, Outcome, Subject};

/// No flow of a reasonable size has more states; one that has is refused rather than explored for minutes.
pub const MOST_STATES: usize = 20_000;

/// The states of a flow, in the order of their distance from the start.
#[derive(Debug)]
pub struct Explored {
    /// The states.
    pub states: Vec<State>,
    /// How many of them a change can begin in: these come first.
    starts: usize,
    /// Every transition: from, by, to; in the order of `from`.
    pub moves: Vec<(usize, Event, usize)>,
    /// The states in which an archive is due that lacks a guarantee.
    pub lacking: Vec<(usize, Guarantee)>,
}

/// A way through a flow: the state in which the change begins, and what happens then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The state in which the change begins.
    pub start: usize,
    /// What happens.
    pub events: Vec<Event>,
    /// The state that this leads to.
    pub end: usize,
}

/// Visits every state of a flow, or returns `None` where there are more than [`MOST_STATES`]. Rounds are told apart only as
/// none and some: transitions depend on no more.
pub fn explore(flow: &Flow) -> Option<Explored> {
    let mut explored =
        Explored { states: Vec::new(), starts: 0, moves: Vec::new(), lacking: Vec::new() };
    let mut known = HashMap::new();
    let configured: Vec<_> = used(flow, &[Fact::ProductManager]);
    for facts in Facts::combinations(&configured) {
        explored.visit(State::new(flow, facts), &mut known);
    }
    explored.starts = explored.states.len();
    let mut next = 0;
    while next < explored.states.len() {
        let state = explored.states[next];
        for event in events_at(flow, &state) {
            match state.after(flow, event) {
                Ok(after) => {
                    let to = explored.visit(after.with_few_rounds(flow), &mut known);
                    explored.moves.push((next, event, to));
                }
                Err(Refusal::Lacks(guarantee)) => explored.lacking.push((next, guarantee)),
                Err(Refusal::NotHere { .. }) => {}
            }
        }
        next += 1;
        if explored.states.len() > MOST_STATES {
            return None;
        }
    }
    Some(explored)
}

impl Explored {
    fn visit(&mut self, state: State, known: &mut HashMap<State, usize>) -> usize {
        *known.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.states.len() - 1
        })
    }

    /// Finds a shortest path to a state that is `wanted`, by moves that are `allowed` alone.
    pub fn path(
        &self,
        wanted: impl Fn(usize) -> bool,
        allowed: impl Fn(Event) -> bool,
    ) -> Option<Path> {
        let mut origins: Vec<Option<usize>> = vec![None; self.states.len()];
        let mut is_seen = vec![false; self.states.len()];
        let mut queue: Vec<usize> = (0..self.starts).collect();
        is_seen[..self.starts].fill(true);
        let mut next = 0;
        while let Some(state) = queue.get(next).copied() {
            next += 1;
            if wanted(state) {
                return Some(self.path_back(state, &origins));
            }
            let first = self.moves.partition_point(|(from, ..)| *from < state);
            let own = self.moves[first..].iter().take_while(|(from, ..)| *from == state);
            for (number, (_, event, to)) in own.enumerate() {
                if !is_seen[*to] && allowed(*event) {
                    is_seen[*to] = true;
                    origins[*to] = Some(first + number);
                    queue.push(*to);
                }
            }
        }
        None
    }

    fn path_back(&self, end: usize, origins: &[Option<usize>]) -> Path {
        let (mut events, mut start) = (Vec::new(), end);
        while let Some(by) = origins[start] {
            let (from, event, _) = self.moves[by];
            events.push(event);
            start = from;
        }
        events.reverse();
        Path { start, events, end }
    }

    /// Returns whether any state is at a step.
    pub fn reaches(&self, step: StepId) -> bool {
        self.states.iter().any(|state| state.position == Position::Step(step))
    }

    /// Lists the states from which no archive can be reached although nobody gives up: agents may answer and people may
    /// decide what they like. An archive that lacks a guarantee is another fault, and counts as one here.
    pub fn stuck(&self) -> Vec<usize> {
        let mut is_good: Vec<_> =
            self.states.iter().map(|state| state.position == Position::Archived).collect();
        self.lacking.iter().for_each(|(state, _)| is_good[*state] = true);
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
        (0..is_good.len()).filter(is_stuck).collect()
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

/// Lists the events that may happen in a state: what agents do comes first, so that of two shortest paths the one with fewer
/// people is found. Every event that a state accepts is among them.
pub fn events_at(flow: &Flow, state: &State) -> Vec<Event> {
    let mut events = Vec::new();
    if let Position::Step(id) = state.position
        && flow.step(id).kind != Kind::Gate
    {
        let step = flow.step(id);
        events.push(Event::Started(id));
        for (outcome, _) in step.on.iter() {
            let known = facts_of(flow, step, *outcome).into_iter();
            let outcome = *outcome;
            events.extend(known.map(|facts| Event::Finished { step: id, outcome, facts }));
        }
        events.push(Event::Blocked(id));
    }
    events.extend(state.succeeded.map(Event::Paused));
    events.extend([
        Event::Approved,
        Event::Answered,
        Event::Rejected,
        Event::Guided,
        Event::Overridden,
        Event::Reopened,
    ]);
    let schedules = Facts::combinations(&used(flow, &[Fact::NeedsDesign, Fact::PlansDue]));
    for subject in Subject::ALL {
        let edited =
            schedules.iter().map(|facts| Event::Edited { subject: *subject, facts: *facts });
        events.extend(edited);
    }
    events.push(Event::Cancelled);
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
