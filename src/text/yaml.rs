//! YAML with places: what a frontmatter or a plan says, before anyone knows whether it is right.
//!
//! What is read is small and flat, so the limits are tight: no anchors, no deep nesting, one document. Plain words mean
//! what the core schema of YAML 1.2 says: `true` and `false` are booleans, and `yes`, `no`, `on`, `off`, `y` and `n` are
//! text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::options::MergeKeyPolicy;
use serde_saphyr::{Error, Location, Spanned};

use super::node::{Entry, Node, SyntaxError, Value};
use crate::template::Span;

/// How much is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The largest text, in bytes.
    pub(crate) bytes: usize,
    /// The deepest nesting of lists and maps.
    pub(crate) depth: usize,
    /// The most values.
    pub(crate) values: usize,
}

/// What suffices for a frontmatter or a plan.
const SMALL: Limits = Limits { bytes: 128 << 10, depth: 32, values: 10_000 };

/// Parses one small YAML document; an empty one is nothing.
pub(crate) fn parse(text: &str) -> Result<Node, SyntaxError> {
    parse_within(SMALL, text)
}

/// Parses one YAML document; an empty one is nothing.
pub(crate) fn parse_within(limits: Limits, text: &str) -> Result<Node, SyntaxError> {
    if text.len() > limits.bytes {
        let message = format!("the YAML is larger than {} KiB", limits.bytes >> 10);
        return Err(SyntaxError { message, help: None, span: Span::default() });
    }
    let places = Places::of(text);
    match serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options(limits)) {
        Ok(raw) => Ok(places.node(raw)),
        Err(error) => {
            let span = error.location().map_or_else(Span::default, |place| places.span(place));
            let (message, help) = fault(limits, &error);
            Err(SyntaxError { message, help, span })
        }
    }
}

fn options(limits: Limits) -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_aliases: 0,
            max_anchors: 0,
            max_depth: limits.depth,
            flow_nesting_limit: limits.depth,
            max_documents: 1,
            max_nodes: limits.values,
            max_total_scalar_bytes: limits.bytes,
        },
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        with_snippet: false,
    }
}

/// Returns what is wrong in our words where the parser's are about its own settings.
fn fault(limits: Limits, error: &Error) -> (String, Option<&'static str>) {
    const PLAIN: &str = "write every value where it is used";
    const KEYS: &str = "write `key: value`, with a word before the colon";
    let too_deep = || format!("lists and maps are nested more than {} deep", limits.depth);
    let error = error.without_snippet();
    match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            (format!("the key `{}` is repeated", key.escape_debug()), Some("keep one of them"))
        }
        // Keys are all that is read as text here.
        Error::NullIntoString { .. } => ("a key is missing".to_owned(), Some(KEYS)),
        Error::Unexpected { expected: "string scalar", .. } => {
            ("a key is a list or a map, not text".to_owned(), Some(KEYS))
        }
        Error::MergeKeyNotAllowed { .. } => {
            ("merge keys are not supported".to_owned(), Some(PLAIN))
        }
        Error::Budget { breach, .. } => match breach {
            BudgetBreach::Anchors { .. } | BudgetBreach::Aliases { .. } => {
                ("anchors and aliases are not supported".to_owned(), Some(PLAIN))
            }
            BudgetBreach::Documents { .. } => {
                ("a second YAML document starts here".to_owned(), Some("write a single document"))
            }
            BudgetBreach::Depth { .. } => (too_deep(), None),
            BudgetBreach::Nodes { .. } => {
                (format!("there are more than {} values", limits.values), None)
            }
            _ => ("the YAML is too large".to_owned(), None),
        },
        other => {
            let full = other.to_string();
            // The place is shown with the line; the parser's own words for it would be relative to the YAML.
            let message = full.split(" at line ").next().unwrap_or(&full);
            let deep = message == "recursion limit exceeded";
            (if deep { too_deep() } else { message.to_owned() }, None)
        }
    }
}

/// A value as the parser gives it.
enum Raw {
    Scalar(Value),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

/// Turns the parser's places, which count characters, into bytes.
struct Places<'t> {
    text: &'t str,
    /// Where each character begins, unless each is one byte.
    starts: Option<Vec<usize>>,
}

impl<'t> Places<'t> {
    fn of(text: &'t str) -> Self {
        let starts = || text.char_indices().map(|(at, _)| at).collect();
        Self { text, starts: (!text.is_ascii()).then(starts) }
    }

    fn node(&self, raw: Spanned<Raw>) -> Node {
        let span = self.span(raw.referenced);
        let value = match raw.value {
            Raw::Scalar(Value::Bool(value)) => self.boolean(value, span),
            Raw::Scalar(value) => value,
            Raw::List(items) => {
                Value::List(items.into_iter().map(|item| self.node(item)).collect())
            }
            Raw::Map(entries) => {
                let entry = |(key, value): (Spanned<String>, Spanned<Raw>)| Entry {
                    span: self.span(key.referenced),
                    key: key.value,
                    node: self.node(value),
                };
                Value::Map(entries.into_iter().map(entry).collect())
            }
        };
        Node { value, span }
    }

    /// Returns a boolean as it is written. The parser takes any case for one; the core schema knows three.
    fn boolean(&self, value: bool, span: Span) -> Value {
        let written = self.text.get(span.start..span.end).unwrap_or_default();
        let is_odd = ["true", "false"].iter().any(|word| written.eq_ignore_ascii_case(word))
            && !["true", "True", "TRUE", "false", "False", "FALSE"].contains(&written);
        if is_odd { Value::Text(written.to_owned()) } else { Value::Bool(value) }
    }

    fn span(&self, place: Location) -> Span {
        let characters = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let (offset, length) = (characters(place.span().offset()), characters(place.span().len()));
        Span::new(self.byte(offset), self.byte(offset.saturating_add(length)))
    }

    fn byte(&self, character: usize) -> usize {
        match &self.starts {
            Some(starts) => starts.get(character).copied().unwrap_or(self.text.len()),
            None => character.min(self.text.len()),
        }
    }
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
        Ok(Raw::Scalar(Value::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Scalar(Value::Number(value.to_string())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Scalar(Value::Number(value.to_string())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        // `1.0` must not become `1`, which is another number to those who count.
        Ok(Raw::Scalar(Value::Number(format!("{value:?}"))))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Scalar(Value::Text(value.to_owned())))
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
    fn values_keep_their_places_in_bytes() {
        let text = "é: x\nlist: [1, yes]\n";
        let Value::Map(entries) = parse(text).unwrap().value else { panic!("no map") };
        assert_eq!(entries[0].span.of(text), "é");
        assert_eq!(entries[0].node.span.of(text), "x");
        assert_eq!(entries[1].key, "list");
        let Value::List(items) = &entries[1].node.value else { panic!("no list") };
        assert_eq!(items[0].value, Value::Number("1".to_owned()));
        assert_eq!(items[0].span.of(text), "1");
    }

    #[test]
    fn only_the_words_of_yaml_1_2_are_booleans() {
        let value = |word: &str| {
            let Value::Map(mut entries) = parse(&format!("é: {word}\n")).unwrap().value else {
                panic!("no map")
            };
            entries.remove(0).node.value
        };
        for word in ["true", "True", "TRUE"] {
            assert_eq!(value(word), Value::Bool(true), "{word}");
        }
        for word in ["false", "False", "FALSE"] {
            assert_eq!(value(word), Value::Bool(false), "{word}");
        }
        for word in ["y", "n", "Y", "N", "yes", "no", "Yes", "NO", "on", "off", "On", "OFF", "tRUE"]
        {
            assert_eq!(value(word), Value::Text(word.to_owned()), "{word}");
        }
        assert_eq!(value("'true'"), Value::Text("true".to_owned()));
    }

    #[test]
    fn what_is_no_yaml_is_an_error_with_a_place() {
        let error = parse("a: 1\na: 2\n").unwrap_err();
        assert_eq!(error.span, Span::new(5, 6));
        assert!(!error.message.contains(" at line "), "{}", error.message);
        assert!(parse("name: [").is_err());
        assert_eq!(parse("").unwrap().value, Value::Null);
    }

    #[test]
    fn what_is_too_much_is_an_error_with_a_place() {
        let deep = "[".repeat(100_000);
        let block: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        let many = "- 1\n".repeat(12_000);
        let large = format!("a: {}\n", "x".repeat(SMALL.bytes));
        let cases: [(&str, &str, usize); 9] = [
            ("a: &x [1]\nb: *x\n", "anchors and aliases are not supported", 6),
            ("a: 1\n<<: {c: 1}\n", "merge keys are not supported", 5),
            ("a: 1\n---\nb: 2\n", "a second YAML document starts here", 5),
            ("a: 1\n---\n", "a second YAML document starts here", 5),
            ("é: 1\né: 2\n", "the key `é` is repeated", 6),
            (&deep, "lists and maps are nested more than 32 deep", 32),
            (&block, "lists and maps are nested more than 32 deep", 624),
            (&many, "there are more than 10000 values", 39_998),
            (&large, "the YAML is larger than 128 KiB", 0),
        ];
        for (text, message, at) in cases {
            let error = parse(text).unwrap_err();
            assert_eq!((error.message.as_str(), error.span.start), (message, at));
        }
    }
}
