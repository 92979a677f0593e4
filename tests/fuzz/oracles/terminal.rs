//! The escaper of what is shown: a terminal gets nothing to obey, and people get everything there is to see.

// It is the program's own and no part of the library, so the file itself is tried.
#[path = "../../../src/output/escape_control.rs"]
mod escape_control;

use escape_control::{escape_control, escape_json};
use serde_json::{Value, json};

/// The input is text from anywhere.
pub(crate) fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let shown = escape_control(&text);
    assert!(!shown.chars().any(commands), "{shown:?}");
    assert_eq!(escape_control(&shown), shown, "what is shown is shown as it is");
    let expected: String = text
        .chars()
        .map(|c| if commands(c) { format!("\\u{{{:x}}}", u32::from(c)) } else { c.to_string() })
        .collect();
    assert_eq!(shown, expected);

    let value = json!({ text.as_ref(): [text, { "a": text }] });
    for written in [value.to_string(), format!("{value:#}")] {
        let shown = escape_json(&written);
        assert!(!shown.chars().any(commands), "{shown:?}");
        assert_eq!(shown.lines().count(), written.lines().count());
        assert_eq!(serde_json::from_str::<Value>(&shown).expect("still JSON"), value);
    }
}

/// Says whether a terminal may do something at a character: the controls of C0 and C1 but for tab and line feed, and
/// the marks, embeddings, overrides and isolates of bidirectional text.
fn commands(c: char) -> bool {
    match u32::from(c) {
        0x09 | 0x0a => false,
        0x00..=0x1f
        | 0x7f..=0x9f
        | 0x061c
        | 0x200e
        | 0x200f
        | 0x202a..=0x202e
        | 0x2066..=0x2069 => true,
        _ => false,
    }
}
