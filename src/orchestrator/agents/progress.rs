//! A few words for people who watch: the tool with its main argument, or how a text begins.

use serde_json::Value;

use super::Progress;
use super::facts::COMMON;

/// How many characters are shown.
const LONGEST: usize = 80;

/// Shows the use of a tool.
pub(super) fn tool(name: &str, arguments: &Value) -> Option<Progress> {
    let main =
        COMMON.main_arguments.iter().find_map(|key| arguments.get(key).and_then(Value::as_str));
    match main {
        Some(argument) => words(&format!("{name} {argument}")),
        None => words(name),
    }
}

/// Shows how a text begins, if there is anything in it.
pub(super) fn words(text: &str) -> Option<Progress> {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some((end, _)) = line.char_indices().nth(LONGEST) {
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    (!line.is_empty()).then_some(Progress { activity: line, output_tokens: None })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tool_is_shown_with_what_it_is_used_for() {
        let activity = |name, arguments| tool(name, &arguments).map(|shown| shown.activity);
        let write = json!({ "content": "x", "file_path": "src/main.rs" });
        assert_eq!(activity("Write", write).as_deref(), Some("Write src/main.rs"));
        assert_eq!(activity("TaskList", json!({})).as_deref(), Some("TaskList"));
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let activity = |text: &str| words(text).map(|shown| shown.activity);
        assert_eq!(activity("  two\n words ").as_deref(), Some("two words"));
        assert_eq!(activity(" \n"), None);
        let shown = activity(&"é".repeat(500)).unwrap_or_default();
        assert_eq!(shown.chars().count(), LONGEST + 1);
        assert!(shown.ends_with('…'));
    }
}
