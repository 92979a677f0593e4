//! YAML of a submission: read within tight limits as the value that a tool call would bring, with the place of every
//! field, and written so that it reads back the same.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::fault::{Faults, Place};
use super::shape::LARGEST_SUBMISSION;
use crate::template::{LineIndex, Span};
use crate::text::node::{self, Node};
use crate::text::yaml::{self, Limits};

/// A few values for each item of the longest lists, and no deeper than any field is.
const LIMITS: Limits = Limits { bytes: LARGEST_SUBMISSION, depth: 16, values: 20_000 };

/// A document that has been read.
pub(super) struct Document<'t> {
    /// What it says.
    pub(super) value: Value,
    spans: BTreeMap<String, Span>,
    lines: LineIndex<'t>,
}

impl Document<'_> {
    /// Returns the place of a field, or of what it should be in.
    pub(super) fn place(&self, field: &str) -> Option<Place> {
        let mut field = field;
        loop {
            if let Some(span) = self.spans.get(field) {
                return Some(place(&self.lines, *span));
            }
            if field.is_empty() {
                return None;
            }
            field = field.rfind(['.', '[']).map_or("", |at| &field[..at]);
        }
    }
}

/// Reads one document.
pub(super) fn read(text: &str) -> Result<Document<'_>, Faults> {
    let lines = LineIndex::new(text);
    match yaml::parse_within(LIMITS, text) {
        Ok(node) => {
            let mut spans = BTreeMap::new();
            let value = value(node, String::new(), &mut spans);
            Ok(Document { value, spans, lines })
        }
        Err(error) => {
            let mut faults = Faults::default();
            let help = error.help.map(|help| format!(": {help}")).unwrap_or_default();
            faults.add_at(Some(place(&lines, error.span)), error.message + &help);
            Err(faults)
        }
    }
}

/// Writes a value.
pub(super) fn written(value: &impl Serialize) -> Result<String, String> {
    serde_saphyr::to_string(value).map_err(|error| error.to_string())
}

fn place(lines: &LineIndex<'_>, span: Span) -> Place {
    let position = lines.position(span.start);
    Place { line: position.line as u64, column: position.column as u64 }
}

fn value(node: Node, path: String, spans: &mut BTreeMap<String, Span>) -> Value {
    let value = match node.value {
        // YAML has no dates.
        node::Value::Null | node::Value::Date => Value::Null,
        node::Value::Bool(value) => value.into(),
        // What JSON has no number for is refused before it gets here.
        node::Value::Number(digits) => digits.parse().map_or(Value::Null, Value::Number),
        node::Value::Text(text) => text.into(),
        node::Value::List(items) => {
            let item = |(index, item)| value(item, format!("{path}[{index}]"), spans);
            Value::Array(items.into_iter().enumerate().map(item).collect())
        }
        node::Value::Map(entries) => {
            let mut map = Map::new();
            for entry in entries {
                let name = entry.key;
                let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                map.insert(name, value(entry.node, below.clone(), spans));
                // A field is found by its name, not by its value.
                spans.insert(below, entry.span);
            }
            Value::Object(map)
        }
    };
    spans.insert(path, node.span);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_their_paths() {
        let document = read("title: x\ngroups:\n  - group_id: a\n    plans: [1]\n").unwrap();
        let place = |field: &str| document.place(field).unwrap().to_string();
        assert_eq!(place("title"), "1:1");
        assert_eq!(place("groups[0].group_id"), "3:5");
        assert_eq!(
            place("groups[0].mode"),
            "3:5",
            "what is missing is looked for where it should be"
        );
        assert_eq!(place("groups[0].plans[0]"), "4:13");
        assert_eq!(document.value["groups"][0]["plans"][0], 1);
        assert_eq!(read("index: 1.0\n").unwrap().value["index"].as_u64(), None, "no whole number");
        assert!(read("index: .inf\n").is_err(), "no number that JSON knows");
    }

    #[test]
    fn bombs_and_what_is_read_in_two_ways_are_refused_with_a_place() {
        let deep = format!("a: {}", "[".repeat(100_000));
        for text in [
            "a: &x 1\nb: *x\n",
            "a: 1\na: 2\n",
            "a: 1\n---\nb: 2\n",
            "a: [1",
            "base: {a: 1}\nb:\n  <<: {a: 1}\n",
            &deep,
        ] {
            let Err(faults) = read(text) else { panic!("{text:.40}") };
            let fault = faults.iter().next().unwrap();
            assert!(fault.place.is_some(), "{fault}");
            assert!(!fault.message.contains(" at line "), "{fault}");
        }
    }
}
