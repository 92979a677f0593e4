//! What `state.json` says of a change of the team: derived from the journal, for agents and people to read.

use serde_json::{Value, json};

use super::history::TeamHistory;
use super::lineup::Lineup;
use super::step::TeamStep;
use crate::engine::history::History;
use crate::models::change::ChangeId;
use crate::models::word::Word as _;

impl TeamHistory {
    /// Sums the change up.
    pub(in crate::engine) fn summary(&self, id: &ChangeId, history: &History) -> Value {
        let rounds: serde_json::Map<_, _> = TeamStep::ALL
            .into_iter()
            .map(|step| (step.word().to_owned(), self.rounds(step).into()))
            .collect();
        let plans = self.state.lineup.iter().flat_map(Lineup::units);
        let plans: Vec<_> = plans
            .map(|unit| {
                let is_done = self.state.done.get(&unit.plan) == Some(&unit.hash);
                json!({ "plan": unit.plan, "done": is_done })
            })
            .collect();
        let research: Vec<_> = self
            .research
            .iter()
            .map(|(topic, record)| json!({ "topic": topic, "state": record.state.word() }))
            .collect();
        json!({
            "version": 1,
            "flow": history.flow().spelled(),
            "id": id,
            "stage": history.at(),
            "started": history.under_way(),
            "plans": plans,
            "research": research,
            "passed": self.state.passed,
            "rounds": rounds,
            "base": history.base,
            "changed_ms": history.changed_ms,
        })
    }
}
