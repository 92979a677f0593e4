//! A JSON value as it may be shown: no secrets, and nothing that a terminal would obey, yet the same value.

use std::path::Path;

use serde_json::Value;

use super::secrets::hide_in;
use super::visible::visible_json;

/// Gives a path as a text of JSON, for every path goes in through here: `json!` panics at one that is not UTF-8. What cannot
/// be written of it is replaced.
pub(crate) fn path_text(path: &Path) -> String {
    path.display().to_string()
}

/// Writes a value on one line.
pub(crate) fn written(mut value: Value) -> String {
    hide_in(&mut value);
    visible_json(&value.to_string())
}

/// Writes a value on several lines, for people to read.
pub(crate) fn written_large(mut value: Value) -> String {
    hide_in(&mut value);
    visible_json(&format!("{value:#}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::visible::is_hidden;
    use super::*;

    #[test]
    fn a_value_stays_the_same_and_a_terminal_obeys_nothing_of_it() {
        let value = json!({ "a": "\u{1b}[2J\u{9b}1m\u{202e}x\u{7f}é\n", "b": [1] });
        for text in [written(value.clone()), written_large(value.clone())] {
            assert!(!text.chars().any(is_hidden), "{text}");
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
        assert!(!written(value).contains('\n'));
    }
}
