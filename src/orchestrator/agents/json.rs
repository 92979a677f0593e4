//! Looking into JSON that a CLI printed: what is not there counts as empty.

use std::borrow::Cow;

use serde_json::Value;

/// Reads a line that holds a JSON object; anything else is none.
pub(super) fn object(line: &str) -> Option<Value> {
    serde_json::from_str(line).ok().filter(Value::is_object)
}

/// Returns the text at a pointer.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Returns what is at a pointer as text, if there is anything: several texts of a list are joined.
pub(super) fn shown<'v>(value: &'v Value, pointer: &str) -> Option<Cow<'v, str>> {
    match value.pointer(pointer)? {
        Value::Null => None,
        Value::String(text) => Some(text.into()),
        Value::Array(all) if all.is_empty() => None,
        Value::Array(all) if all.iter().all(Value::is_string) => {
            let all: Vec<_> = all.iter().filter_map(Value::as_str).collect();
            Some(all.join("; ").into())
        }
        other => Some(other.to_string().into()),
    }
}

/// Fills in a text that has pointers in braces; `*` in one stands for every item of a list.
pub(super) fn filled(text: &str, value: &Value) -> String {
    let mut out = String::new();
    for piece in text.split_inclusive(['{', '}']) {
        match piece.strip_suffix('}') {
            Some(pointer) => out.push_str(&every(value, pointer)),
            None => out.push_str(piece.trim_end_matches('{')),
        }
    }
    out
}

fn every(value: &Value, pointer: &str) -> String {
    let Some((list, rest)) = pointer.split_once("/*") else {
        return shown(value, pointer).unwrap_or_default().into_owned();
    };
    items(value, list).map(|item| every(item, rest)).collect::<Vec<_>>().join(" ")
}

/// Returns the number at a pointer; one that could not be added to another is none.
pub(super) fn count(value: &Value, pointer: &str) -> u64 {
    let count = value.pointer(pointer).and_then(Value::as_u64);
    count.filter(|count| *count < 1 << 50).unwrap_or_default()
}

/// Lists what is in the list or object at a pointer.
pub(super) fn items<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> {
    let found = value.pointer(pointer);
    let list = found.and_then(Value::as_array).into_iter().flatten();
    let object = found.and_then(Value::as_object).into_iter().flat_map(serde_json::Map::values);
    list.chain(object)
}
