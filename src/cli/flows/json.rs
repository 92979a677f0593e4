//! A flow as JSON. Each type of value describes itself while the columns of a step are visited.

use serde_json::{Map, Value, json};

use super::list::guarantee_words;
use super::show::{name, rounds, target};
use crate::flow::{
    Column, Flow, Leaves, List, Outcome, Prompt, Reads, Rounds, Step, StepId, Target, Text, Visitor,
};
use crate::template::Word;

/// Describes a flow.
pub(super) fn object(flow: &Flow) -> Value {
    let step_name = |id: StepId| name(flow, id);
    json!({
        "name": flow.name, "about": flow.about, "hash": flow.hash, "start": step_name(flow.start),
        "guarantees": guarantee_words(flow),
        "guidance": flow.guidance.map(|it| json!({ "to": step_name(it.to), "until": it.until.word() })),
        "reject": flow.reject.map(|it| json!({ "to": step_name(it.to), "once": it.once.word() })),
        "reopen": flow.reopen.map(step_name),
        "steps": flow.steps.iter().map(|step| of_step(flow, step)).collect::<Vec<_>>(),
    })
}

fn of_step(flow: &Flow, step: &Step) -> Value {
    let mut object = Object::named(flow, &step.name);
    step.visit(&mut object);
    object.keys.into()
}

/// An object described by columns.
struct Object<'f> {
    flow: &'f Flow,
    /// The name of the step.
    name: &'f str,
    keys: Map<String, Value>,
}

impl<'f> Object<'f> {
    fn named(flow: &'f Flow, name: &'f str) -> Self {
        Self { flow, name, keys: Map::from_iter([("name".to_owned(), name.into())]) }
    }
}

impl<T: Shown> Visitor<T> for Object<'_> {
    fn column(&mut self, column: &'static Column, value: &T) {
        let shown = value.shown(self);
        self.keys.insert(column.name.to_owned(), shown);
    }
}

/// A value that can be shown.
trait Shown {
    /// Shows the value in a step.
    fn shown(&self, step: &Object<'_>) -> Value;
}

impl Shown for Prompt {
    fn shown(&self, _: &Object<'_>) -> Value {
        self.to_string().into()
    }
}

impl Shown for Reads {
    fn shown(&self, _: &Object<'_>) -> Value {
        json!({ "path": self.path, "why": self.why, "optional": self.is_optional })
    }
}

impl Shown for Leaves {
    fn shown(&self, _: &Object<'_>) -> Value {
        json!({ "path": self.path, "validator": self.validator.word() })
    }
}

impl Shown for Rounds {
    fn shown(&self, step: &Object<'_>) -> Value {
        rounds(step.flow, step.name, *self).into()
    }
}

impl Shown for StepId {
    fn shown(&self, step: &Object<'_>) -> Value {
        name(step.flow, *self).into()
    }
}

impl Shown for List<(Outcome, Target)> {
    fn shown(&self, step: &Object<'_>) -> Value {
        let edge = |(outcome, to): &(Outcome, Target)| {
            (outcome.word().to_owned(), target(step.flow, *to).into())
        };
        self.iter().map(edge).collect::<Map<_, _>>().into()
    }
}

impl<W: Word> Shown for W {
    fn shown(&self, _: &Object<'_>) -> Value {
        self.word().into()
    }
}

impl Shown for bool {
    fn shown(&self, _: &Object<'_>) -> Value {
        (*self).into()
    }
}

impl Shown for Text {
    fn shown(&self, _: &Object<'_>) -> Value {
        self.as_ref().into()
    }
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self, step: &Object<'_>) -> Value {
        self.as_ref().map_or(Value::Null, |value| value.shown(step))
    }
}

impl<T: Shown + Clone> Shown for List<T> {
    fn shown(&self, step: &Object<'_>) -> Value {
        self.iter().map(|item| item.shown(step)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::CATALOG;
    use crate::flow::Need;
    use crate::flow::column::probe::Probe;

    #[test]
    fn a_column_that_is_added_to_the_table_is_shown() {
        let flow = CATALOG.flow("quick").unwrap();
        let mut probe = Probe::new("one".to_owned());
        probe.fail_needs = vec![Need::Green, Need::DocFiles].into();
        let mut object = Object::named(flow, &probe.name);
        probe.visit(&mut object);
        let expected = json!({
            "name": "one", "kind": "agent", "fail_needs": ["green", "doc_files"], "on": {},
        });
        assert_eq!(Value::from(object.keys), expected);
    }
}
