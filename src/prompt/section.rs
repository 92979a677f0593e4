//! Data as Markdown: a heading, then a line for each key, nested as the data is.

use serde_json::Value;

/// Renders `data` under a heading made of `name`; data that holds nothing gives nothing.
pub(super) fn render(name: &str, data: &Value) -> String {
    let mut lines = Vec::new();
    match data {
        Value::Object(_) | Value::Array(_) => nested(data, 0, &mut lines),
        Value::Null => {}
        scalar => lines.push(text_of(scalar)),
    }
    if lines.is_empty() {
        return String::new();
    }
    format!("## {}\n\n{}", title(name), lines.join("\n"))
}

fn nested(data: &Value, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let mut line = |label: String, value: &Value| match value {
        Value::Object(_) | Value::Array(_) => {
            lines.push(format!("{indent}- {label}").trim_end().to_owned());
            nested(value, depth + 1, lines);
        }
        scalar => {
            // A value of several lines stays inside its item.
            let text = text_of(scalar).replace('\n', &format!("\n{indent}  "));
            lines.push(format!("{indent}- {label} {text}").trim_end().to_owned());
        }
    };
    match data {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| line(format!("**{key}:**"), value));
        }
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::Object(_) | Value::Array(_) => line(String::new(), item),
                    scalar => line(text_of(scalar), &Value::Null),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn text_of(scalar: &Value) -> String {
    match scalar {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Makes a title of a block's name: `system_metadata` is `System Metadata`.
fn title(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.split(['_', '-', ' '])
        .filter(|part| !part.is_empty())
        .map(word)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn data_becomes_nested_lines_under_a_title() {
        let data = json!({
            "branch": "main",
            "count": 2,
            "empty": null,
            "nested": { "a": true, "list": ["x", { "y": "z" }] },
            "text": "one\ntwo",
        });
        let expected = "## System Metadata\n\n- **branch:** main\n- **count:** 2\n- **empty:**\n- **nested:**\n  \
                        - **a:** true\n  - **list:**\n    - x\n    -\n      - **y:** z\n- **text:** one\n  two";
        assert_eq!(render("system_metadata", &data), expected);
    }

    #[test]
    fn what_holds_nothing_gives_nothing() {
        for data in [json!(null), json!({}), json!([])] {
            assert_eq!(render("task", &data), "");
        }
        assert_eq!(render("task", &json!("Do it")), "## Task\n\nDo it");
    }
}
