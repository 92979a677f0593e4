//! A few words for people who watch: the tool with its main argument, or how a text begins.

use serde_json::Value;

use super::Progress;

/// How many characters are shown.
const LONGEST: usize = 80;

/// The arguments that say best what a tool is used for, the most telling first.
const MAIN: [&str; 12] = [
    "command",
    "cmd",
    "file_path",
    "path",
    "absolute_path",
    "dir_path",
    "pattern",
    "query",
    "url",
    "description",
    "prompt",
    "name",
];

/// Shows the use of a tool.
pub(super) fn tool(name: &str, arguments: &Value) -> Progress {
    let main = MAIN.iter().find_map(|key| arguments.get(key).and_then(Value::as_str));
    match main {
        Some(argument) => words(&format!("{name} {argument}")),
        None => words(name),
    }
}

/// Shows how a text begins.
pub(super) fn words(text: &str) -> Progress {
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
    Progress { activity: line, output_tokens: None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tool_is_shown_with_what_it_is_used_for() {
        let shown = tool("Write", &json!({ "content": "x", "file_path": "src/main.rs" }));
        assert_eq!(shown.activity, "Write src/main.rs");
        assert_eq!(tool("TaskList", &json!({})).activity, "TaskList");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(words("  two\n words ").activity, "two words");
        let shown = words(&"é".repeat(500)).activity;
        assert_eq!(shown.chars().count(), LONGEST + 1);
        assert!(shown.ends_with('…'));
    }
}
