//! `state.json`: where a change is and what holds of it, derived from the journal for people and agents to read.

use serde_json::{Map, Value, json};

use super::check_report::CheckResult;
use super::history::History;
use super::plan_order::{PlanOrder, PlanVersion};
use super::research::TopicRecord;
use crate::flow::{Guarantee, Step};
use crate::models::change::ChangeId;

/// Sums the change up for `state.json`.
pub(super) fn summary(id: &ChangeId, history: &History) -> Value {
    let rounds = |(id, step): (_, &Step)| (step.name.to_string(), history.rounds(id).into());
    let rounds: Map<_, _> = history.flow.numbered().map(rounds).collect();
    let plans = history.schedule.iter().flat_map(PlanOrder::units);
    let plan =
        |plan: &PlanVersion| json!({ "plan": plan.plan, "done": plan.is_done(&history.done) });
    let topic = |(topic, record): (&String, &TopicRecord)| json!({ "topic": topic, "state": record.state.word() });
    json!({
        "version": 2,
        "id": id,
        "flow": history.flow.name,
        "stage": history.token(),
        "at": history.at(),
        "started": history.under_way(),
        "guarantees": history.guarantees(),
        "checks": history.last_checks.as_ref().map(ToString::to_string),
        "plans": plans.map(plan).collect::<Vec<_>>(),
        "research": history.research.iter().map(topic).collect::<Vec<_>>(),
        "rounds": rounds,
        "base": history.base,
        "changed_ms": history.changed_ms,
    })
}

impl History {
    /// Returns what holds of the change as it is now, of what its flow guarantees. Where checks are not plainly green, `checked` says
    /// what they show instead, and what a person overrode is `overridden`.
    pub fn guarantees(&self) -> Map<String, Value> {
        let value = |guarantee: &Guarantee| {
            let holds = self.state.holds(&self.flow, *guarantee);
            let shown = match (guarantee, &self.last_checks) {
                (Guarantee::Checked, Some(result)) if holds && *result != CheckResult::Green => {
                    result.to_string().into()
                }
                _ if self.state.holds_by_override(&self.flow, *guarantee) => "overridden".into(),
                _ => holds.into(),
            };
            (guarantee.word().to_owned(), shown)
        };
        self.flow.guarantees.iter().map(value).collect()
    }
}
