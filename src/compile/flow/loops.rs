//! Loops that nothing ends. Each loop of steps needs a gate, or a step on it whose rounds are counted by a step on it.

use std::collections::HashSet;

use crate::flow::{Flow, Kind, StepId, StepSet, Target};

/// Finds a shortest loop that agents alone could follow for ever.
pub(super) fn endless(flow: &Flow) -> Option<Vec<StepId>> {
    let counted = flow.numbered().filter_map(|(id, step)| Some((id, step.rounds?.of)));
    let pairs: Vec<(StepId, StepId)> = counted.collect();
    let gates = flow.numbered().filter(|(_, step)| step.kind == Kind::Gate);
    let gates: StepSet = gates.map(|(id, _)| id).collect();
    search(flow, &next_of(flow), &pairs, gates, &mut HashSet::new())
}

/// Looks for a loop without certain steps. A loop that holds both steps of a pair is limited: then one or the other is left out.
fn search(
    flow: &Flow,
    next: &[Vec<StepId>],
    pairs: &[(StepId, StepId)],
    without: StepSet,
    tried: &mut HashSet<StepSet>,
) -> Option<Vec<StepId>> {
    if !tried.insert(without) {
        return None;
    }
    let found = shortest(flow, next, without)?;
    let limited = pairs.iter().find(|(step, of)| found.contains(step) && found.contains(of));
    let Some((step, of)) = limited else { return Some(found) };
    let loops = [step, of].map(|id| search(flow, next, pairs, without.with(*id), tried));
    loops.into_iter().flatten().min_by_key(Vec::len)
}

/// Finds a shortest loop, from its first step on.
fn shortest(flow: &Flow, next: &[Vec<StepId>], without: StepSet) -> Option<Vec<StepId>> {
    let starts = flow.numbered().map(|(id, _)| id).filter(|id| !without.contains(*id));
    starts.filter_map(|start| loop_from(next, start, without)).min_by_key(Vec::len)
}

fn loop_from(next: &[Vec<StepId>], start: StepId, without: StepSet) -> Option<Vec<StepId>> {
    let mut paths = vec![vec![start]];
    let mut seen = without;
    let mut at = 0;
    while let Some(path) = paths.get(at).cloned() {
        at += 1;
        for to in &next[path[path.len() - 1].index()] {
            if *to == start {
                return Some(path);
            }
            if !seen.contains(*to) {
                seen = seen.with(*to);
                paths.push(path.iter().copied().chain([*to]).collect());
            }
        }
    }
    None
}

/// Lists for each step the steps that can come next, past those that can be skipped.
fn next_of(flow: &Flow) -> Vec<Vec<StepId>> {
    let direct = |target: Target| match target {
        Target::Step(id) => Some(id),
        Target::End(_) => None,
    };
    let of_step = |(_, step): (StepId, &crate::flow::Step)| {
        let mut next: Vec<StepId> = Vec::new();
        let mut open: Vec<StepId> =
            step.on.iter().filter_map(|(_, target)| direct(*target)).collect();
        open.reverse();
        while let Some(id) = open.pop() {
            if next.contains(&id) {
                continue;
            }
            next.push(id);
            if flow.step(id).skip_unless.is_some() {
                open.extend(flow.step(id).onward().and_then(direct));
            }
        }
        next
    };
    flow.numbered().map(of_step).collect()
}
