//! `state.json`: where a change is and what holds of it, derived from the journal for people and agents to read.

use serde_json::{Value, json};

use super::history::History;
use super::plan_order::{PlanOrder, PlanVersion};
use super::research::TopicRecord;
use crate::flow::{Guarantee, Step};
use crate::models::change::ChangeId;

/// Sums the change up for `state.json`.
pub(super) fn summary(id: &ChangeId, history: &History) -> Value {
    let rounds = |(id, step): (_, &Step)| (step.name.to_string(), history.rounds(id).into());
    let rounds: serde_json::Map<_, _> = history.flow.numbered().map(rounds).collect();
    let holds = |guarantee: &Guarantee| {
        (guarantee.word().to_owned(), history.state.holds(&history.flow, *guarantee).into())
    };
    let guarantees: serde_json::Map<_, _> = history.flow.guarantees.iter().map(holds).collect();
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
        "guarantees": guarantees,
        "plans": plans.map(plan).collect::<Vec<_>>(),
        "research": history.research.iter().map(topic).collect::<Vec<_>>(),
        "rounds": rounds,
        "base": history.base,
        "changed_ms": history.changed_ms,
    })
}
