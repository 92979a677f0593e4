//! JSON values for output: no secrets, and nothing that a terminal would interpret, yet the same value.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::escape_control::escape_json;
use super::redact::redact_in;

/// Returns a path as a JSON string; invalid UTF-8 is replaced. Use it for every path: `json!` panics at an invalid one.
pub(crate) fn path_text(path: &Path) -> String {
    path.display().to_string()
}

/// Returns paths as JSON strings.
pub(crate) fn paths(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path_text(path)).collect()
}

/// Writes a value on one line.
pub(crate) fn line(mut value: Value) -> String {
    redact_in(&mut value);
    escape_json(&value.to_string())
}

/// Writes a value on several lines, for people to read.
pub(crate) fn pretty(mut value: Value) -> String {
    redact_in(&mut value);
    escape_json(&format!("{value:#}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::escape_control::is_hidden;
    use super::*;

    #[test]
    fn a_value_stays_the_same_and_a_terminal_obeys_nothing_of_it() {
        let value = json!({ "a": "\u{1b}[2J\u{9b}1m\u{202e}x\u{7f}é\n", "b": [1] });
        for text in [line(value.clone()), pretty(value.clone())] {
            assert!(!text.chars().any(is_hidden), "{text}");
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
        assert!(!line(value).contains('\n'));
    }
}
