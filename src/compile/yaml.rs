//! YAML with places: what a frontmatter says, before anyone knows whether it is right.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};

use crate::template::Span;

/// A value and its place in the YAML.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) span: Span,
}

/// A YAML value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// Kept as text, since nothing here is calculated with.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key of a map with its place, and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) span: Span,
    pub(crate) node: Node,
}

/// Why a text is not YAML, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) span: Span,
}

impl Value {
    /// Names the kind of a value in a message.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}

/// Parses one YAML document; an empty one is nothing.
pub(crate) fn parse(text: &str) -> Result<Node, SyntaxError> {
    match serde_saphyr::from_str::<Spanned<Raw>>(text) {
        Ok(raw) => Ok(node(raw, text)),
        Err(error) => {
            let full = error.without_snippet().to_string();
            // The place is shown with the line; the parser's own words for it would be relative to the YAML.
            let message = full.split(" at line ").next().unwrap_or(&full).to_owned();
            let span = error.location().map_or_else(Span::default, |place| span(place, text));
            Err(SyntaxError { message, span })
        }
    }
}

/// A value as the parser gives it.
enum Raw {
    Scalar(Value),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

fn node(raw: Spanned<Raw>, text: &str) -> Node {
    let place = span(raw.referenced, text);
    let value = match raw.value {
        Raw::Scalar(value) => value,
        Raw::List(items) => Value::List(items.into_iter().map(|item| node(item, text)).collect()),
        Raw::Map(entries) => {
            let entry = |(key, value): (Spanned<String>, Spanned<Raw>)| Entry {
                span: span(key.referenced, text),
                key: key.value,
                node: node(value, text),
            };
            Value::Map(entries.into_iter().map(entry).collect())
        }
    };
    Node { value, span: place }
}

/// Turns the parser's place, which counts characters, into bytes.
fn span(place: Location, text: &str) -> Span {
    let byte =
        |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    let characters = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let (offset, length) = (characters(place.span().offset()), characters(place.span().len()));
    Span::new(byte(offset), byte(offset.saturating_add(length)))
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
        Ok(Raw::Scalar(Value::Number(value.to_string())))
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
    fn what_is_no_yaml_is_an_error_with_a_place() {
        let error = parse("a: 1\na: 2\n").unwrap_err();
        assert_eq!(error.span, Span::new(5, 6));
        assert!(!error.message.contains(" at line "), "{}", error.message);
        assert!(parse("name: [").is_err());
        assert_eq!(parse("").unwrap().value, Value::Null);
    }
}
