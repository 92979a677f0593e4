//! Random histories of a flow. Whatever is archived must have what the flow guarantees, and whatever is read must be there.

use agentd::flow::explore::events_at;
use agentd::flow::{Event, Fact, Facts, Flow, Position, Refusal, State};

use super::super::oracle::{Happened, Truth, missing};

/// A generator of numbers that is the same everywhere.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// Follows random events, and returns how often the change was archived.
pub(super) fn run(flow: &Flow, truth: &Truth, dice: &mut Dice) -> Result<usize, String> {
    let facts = Facts::combinations(&[Fact::ProductManager]);
    let mut state = State::new(flow, facts[dice.roll(2)]);
    let (mut history, mut archived): (Vec<Happened>, usize) = (Vec::new(), 0);
    for _ in 0..80 {
        let events = events_at(flow, &state);
        let is_work = |event: &Event| matches!(event, Event::Started(_) | Event::Finished { .. });
        let is_good = |event: &Event| match event {
            Event::Finished { outcome, .. } => outcome.is_success(),
            event => matches!(event, Event::Started(_) | Event::Approved | Event::Answered),
        };
        // Mostly things go well; else nothing would ever be archived.
        let chosen: Vec<_> = match dice.roll(20) {
            0..=16 => events.iter().copied().filter(is_good).collect(),
            17 => events.iter().copied().filter(is_work).collect(),
            _ => events.clone(),
        };
        let Some(event) = chosen.get(dice.roll(chosen.len().max(1))).copied() else { continue };
        let after = match state.after(flow, event) {
            Ok(after) => after,
            Err(Refusal::NotHere { .. }) => continue,
            // The compiler has shown that an archive which is due lacks nothing.
            Err(Refusal::Lacks(guarantee)) => {
                return Err(format!("{guarantee} is lacking after {history:?}"));
            }
        };
        if let Event::Started(step) = event
            && let Some(missing) = missing(flow, &history, step)
        {
            return Err(format!("`{missing}` is not there after {history:?}"));
        }
        history.push((state.position, event));
        if after.position == Position::Archived && state.position != Position::Archived {
            archived += 1;
            let broken = truth.broken(flow, &history);
            if !broken.is_empty() {
                return Err(format!("{broken:?} after {history:?}"));
            }
        }
        state = after;
    }
    Ok(archived)
}
