//! YAML of a submission: read within tight limits as the value that a tool call would bring, with the place of every
//! field, and written so that it reads back the same.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::options::MergeKeyPolicy;
use serde_saphyr::{Location, Spanned};

use super::fault::{Faults, Place};
use super::shape::LARGEST_SUBMISSION;

/// The deepest nesting of lists and maps.
const DEEPEST: usize = 16;

/// The most values: a few for each of the longest lists.
const MOST_VALUES: usize = 20_000;

/// A document that has been read.
pub(super) struct Document {
    /// What it says.
    pub(super) value: Value,
    places: BTreeMap<String, Place>,
}

impl Document {
    /// Gives the place of a field, or of what it should be in.
    pub(super) fn place(&self, field: &str) -> Option<Place> {
        let mut field = field;
        loop {
            if let Some(place) = self.places.get(field) {
                return Some(*place);
            }
            field = field.rfind(['.', '[']).map_or("", |at| &field[..at]);
            if field.is_empty() {
                return self.places.get("").copied();
            }
        }
    }
}

/// Reads one document.
pub(super) fn read(text: &str) -> Result<Document, Faults> {
    let mut faults = Faults::default();
    if text.len() > LARGEST_SUBMISSION {
        faults.add(
            "",
            format!("the file has {} bytes, and {LARGEST_SUBMISSION} at most", text.len()),
        );
        return Err(faults);
    }
    match serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options()) {
        Ok(raw) => {
            let mut places = BTreeMap::new();
            let value = value(raw, String::new(), &mut places);
            Ok(Document { value, places })
        }
        Err(error) => {
            let full = error.without_snippet().to_string();
            // The place stands before the message; the parser's own words for it would repeat it.
            let message = full.split(" at line ").next().unwrap_or(&full);
            faults.add_at(
                error.location().map(place),
                format!("this is not YAML as it is read here: {message}"),
            );
            Err(faults)
        }
    }
}

/// Writes a value.
pub(super) fn written(value: &impl Serialize) -> Result<String, String> {
    serde_saphyr::to_string(value).map_err(|error| error.to_string())
}

fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_aliases: 0,
            max_anchors: 0,
            max_depth: DEEPEST,
            flow_nesting_limit: DEEPEST,
            max_documents: 1,
            max_nodes: MOST_VALUES,
            max_total_scalar_bytes: LARGEST_SUBMISSION,
        },
        merge_keys: MergeKeyPolicy::Error,
        with_snippet: false,
    }
}

fn place(location: Location) -> Place {
    Place { line: location.line(), column: location.column() }
}

/// A value as the parser gives it.
enum Raw {
    Scalar(Value),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

fn value(raw: Spanned<Raw>, path: String, places: &mut BTreeMap<String, Place>) -> Value {
    let here = place(raw.referenced);
    let value = match raw.value {
        Raw::Scalar(value) => value,
        Raw::List(items) => {
            let item = |(index, item)| value(item, format!("{path}[{index}]"), places);
            Value::Array(items.into_iter().enumerate().map(item).collect())
        }
        Raw::Map(entries) => {
            let mut map = Map::new();
            for (key, raw) in entries {
                let at = place(key.referenced);
                let name = key.value;
                let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                map.insert(name, value(raw, below.clone(), places));
                // A field is found by its name, not by its value.
                places.insert(below, at);
            }
            Value::Object(map)
        }
    };
    places.insert(path, here);
    value
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Scalar(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Scalar(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Scalar(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Scalar(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Scalar(Number::from_f64(value).map_or(Value::Null, Value::Number)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Scalar(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Raw::Map(map))
    }
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
