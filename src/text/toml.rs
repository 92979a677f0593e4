//! TOML with places, its entries in the order of the file.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::node::{Entry, Node, SyntaxError, Value};
use crate::template::Span;

/// Parses a document; all its slips of syntax are reported.
pub(crate) fn parse(text: &str) -> Result<Vec<Entry>, Vec<SyntaxError>> {
    let (document, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(entries(document.get_ref()));
    }
    let fault = |error: &toml::de::Error| SyntaxError {
        message: format!("this is not TOML: {}", error.message().trim_end_matches('.')),
        help: Some("see https://toml.io for how tables, lists and text are written"),
        span: error.span().map_or(Span::new(text.len(), text.len()), span),
    };
    Err(errors.iter().map(fault).collect())
}

fn entries(table: &DeTable<'_>) -> Vec<Entry> {
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        Entry { key: name.to_string(), span: span(key.span()), node: node(value) }
    };
    let mut entries: Vec<_> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.span);
    entries
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let span = span(value.span());
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => Value::Number(match number.radix() {
            10 => number.as_str().to_owned(),
            radix => i64::from_str_radix(number.as_str(), radix).unwrap_or(i64::MAX).to_string(),
        }),
        DeValue::Float(number) => Value::Number(number.as_str().to_owned()),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(items) => Value::List(items.iter().map(node).collect()),
        DeValue::Table(table) => Value::Map(entries(table)),
    };
    Node { value, span }
}

fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}
