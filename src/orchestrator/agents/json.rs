//! Looking into JSON that a CLI printed: what is not there counts as empty.

use serde_json::Value;

/// Reads a line that holds a JSON object; anything else is none.
pub(super) fn object(line: &str) -> Option<Value> {
    serde_json::from_str(line).ok().filter(Value::is_object)
}

/// Gives the text at a pointer.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Gives the number at a pointer; one that could not be added to another is none.
pub(super) fn count(value: &Value, pointer: &str) -> u64 {
    let count = value.pointer(pointer).and_then(Value::as_u64);
    count.filter(|count| *count < 1 << 50).unwrap_or_default()
}

/// Gives the list at a pointer.
pub(super) fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
