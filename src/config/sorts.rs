//! The sorts of values and of names that only a configuration has, and how they are read.

use serde_json::{Value, json};

use super::schema::Kind;
use crate::models::units;
use crate::schema::{Names, Sort, Wrong};
use crate::template::lexer::is_name;
use crate::text::node::{Entry, Node, Value as Found};
use crate::text::toml;

/// What TOML calls keys with values.
pub(super) const MAP: &str = "a table";

/// Text that says something.
pub(super) const TEXT: Kind = Kind::Of(&Sort {
    noun: "text in quotes",
    example: "\"text\"",
    json: || json!({ "type": "string", "pattern": "\\S" }),
    read: |found| text_that(found, |text| !text.trim().is_empty()),
});

/// Any text, the empty one too.
pub(super) const FREE_TEXT: Kind = Kind::Of(&Sort {
    noun: "text in quotes",
    example: "\"text\"",
    json: || json!({ "type": "string" }),
    read: |found| text_that(found, |_| true),
});

/// The name of an agent.
pub(super) const AGENT_NAME: Kind = Kind::Of(&Sort {
    noun: "the name of an agent",
    example: "\"claude\"",
    json: || json!({ "type": "string", "pattern": AGENTS.pattern }),
    read: |found| text_that(found, is_agent_name),
});

/// The name of a flow.
pub(super) const FLOW_NAME: Kind = Kind::Of(&Sort {
    noun: "the name of a flow",
    example: "\"sdd\", \"team\", \"quick\" or the name of a file in agentd/flows without `.toml`",
    json: || json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9_-]*$" }),
    read: |found| text_that(found, is_name),
});

/// A JSON pointer.
pub(super) const POINTER: Kind = Kind::Of(&Sort {
    noun: "a JSON pointer",
    example: "\"/result/text\"",
    json: || json!({ "type": "string", "pattern": "^/" }),
    read: |found| text_that(found, |text| text.starts_with('/')),
});

/// A number that is not negative.
pub(super) const NUMBER: Kind = Kind::Of(&Sort {
    noun: "a non-negative number",
    example: "2.5",
    json: || json!({ "type": "number", "minimum": 0 }),
    read: |found| {
        let Found::Number(number) = &found.value else { return Err(Wrong::Type) };
        let number = number.parse::<f64>().ok();
        let number = number.filter(|number| number.is_finite() && *number >= 0.0);
        number.map(Value::from).ok_or_else(|| unknown(found))
    },
});

/// A list of texts.
pub(super) const TEXTS: Kind = Kind::Of(&Sort {
    noun: "a list of texts",
    example: "[\"one\", \"two\"]",
    json: || json!({ "type": "array", "items": { "type": "string" } }),
    read: texts,
});

/// A program, alone or in a list with its first arguments.
pub(super) const COMMAND: Kind = Kind::Of(&Sort {
    noun: "a program, or a list of a program and its first arguments",
    example: "\"claude\" or [\"npx\", \"claude\"]",
    json: one_command,
    read: |found| match found.value {
        Found::Text(_) => program(vec![text(found)?].into(), found),
        _ => program(texts(found)?, found),
    },
});

/// A list of commands, each a line for the shell or a list of words.
pub(super) const COMMANDS: Kind = Kind::Of(&Sort {
    noun: "a list of commands, each a text or a list of texts",
    example: "[\"cargo test\", [\"npm\", \"test\"]]",
    json: || json!({ "type": "array", "items": one_command() }),
    read: |found| {
        let command = |item: &Node| match &item.value {
            Found::Text(line) if line.trim().is_empty() => Err(unknown(item)),
            Found::Text(_) => text(item).map(Value::from),
            Found::List(_) => program(texts(item)?, item),
            other => Err(Wrong::Item(other.kind(MAP))),
        };
        list(found)?.iter().map(command).collect()
    },
});

/// A span of time.
pub(super) const DURATION: Kind = Kind::Of(&Sort {
    noun: "a duration",
    example: "\"90s\", \"30m\", \"2h\" or a number of seconds",
    json: || json!({ "anyOf": a_duration() }),
    read: duration,
});

/// A span of time, or `off`.
pub(super) const DURATION_OR_OFF: Kind = Kind::Of(&Sort {
    noun: "a duration or `off`",
    example: "\"90s\", \"30m\", \"2h\" or a number of seconds",
    json: || {
        let mut either = a_duration();
        either.insert(0, json!({ "const": "off" }));
        json!({ "anyOf": either })
    },
    read: |found| match &found.value {
        Found::Text(word) if word == "off" => Ok(word.as_str().into()),
        _ => duration(found),
    },
});

/// A number of bytes.
pub(super) const SIZE: Kind = Kind::Of(&Sort {
    noun: "a number of bytes",
    example: "\"450 KB\", \"2 MB\" or a number of bytes",
    json: || {
        json!({ "anyOf": [
            { "type": "string", "pattern": "^[0-9]+ *(B|KB|MB|KiB|MiB)?$" },
            { "type": "integer", "minimum": 1 },
        ] })
    },
    read: |found| {
        let bytes = match &found.value {
            Found::Number(number) => number.parse().ok().filter(|bytes: &u64| *bytes > 0),
            _ => units::size(text(found)?),
        };
        bytes.map(Value::from).ok_or_else(|| unknown(found))
    },
});

/// The names of agents.
pub(super) const AGENTS: Names = Names {
    noun: "an agent",
    help: "a name has 1 to 32 lower-case letters, digits and hyphens, and starts with a letter or digit",
    placeholder: "NAME",
    pattern: "^[a-z0-9][a-z0-9-]{0,31}$",
    allow: is_agent_name,
};

/// The names of variables of the environment.
pub(super) const VARIABLES: Names = Names {
    noun: "a variable",
    help: "the name of a variable is not empty and contains no `=`",
    placeholder: "VARIABLE",
    pattern: "^[^=]+$",
    allow: |name| !name.is_empty() && !name.contains(['=', '\0']),
};

/// The names of models.
pub(super) const MODELS: Names = Names {
    noun: "a model",
    help: "the name of a model is not empty",
    placeholder: "\"MODEL\"",
    pattern: ".",
    allow: |name| !name.is_empty(),
};

fn is_agent_name(name: &str) -> bool {
    const LONGEST: usize = 32;
    let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.bytes().next().is_some_and(word)
        && name.len() <= LONGEST
        && name.bytes().all(|byte| word(byte) || byte == b'-')
}

/// Parses a value that stands on its own.
pub(super) fn parsed(text: &str) -> Option<Node> {
    match <[_; 1]>::try_from(toml::parse(&format!("value = {text}")).ok()?) {
        Ok([Entry { node, .. }]) => Some(node),
        Err(_) => None,
    }
}

fn text(found: &Node) -> Result<&str, Wrong> {
    match &found.value {
        Found::Text(text) if text.contains('\0') => {
            Err(Wrong::Said(vec!["contains a NUL character".to_owned()]))
        }
        Found::Text(text) => Ok(text),
        _ => Err(Wrong::Type),
    }
}

fn text_that(found: &Node, accepts: impl Fn(&str) -> bool) -> Result<Value, Wrong> {
    let text = text(found)?;
    if accepts(text) { Ok(text.into()) } else { Err(Wrong::Value(text.to_owned())) }
}

fn list(found: &Node) -> Result<&[Node], Wrong> {
    if let Found::List(items) = &found.value { Ok(items) } else { Err(Wrong::Type) }
}

fn texts(found: &Node) -> Result<Value, Wrong> {
    let item = |item: &Node| match text(item) {
        Err(Wrong::Type) => Err(Wrong::Item(item.value.kind(MAP))),
        text => text.map(Value::from),
    };
    list(found)?.iter().map(item).collect()
}

/// Takes the words of a command, of which the first is a program.
fn program(words: Value, found: &Node) -> Result<Value, Wrong> {
    let is_named = words[0].as_str().is_some_and(|program| !program.trim().is_empty());
    if is_named { Ok(words) } else { Err(unknown(found)) }
}

fn duration(found: &Node) -> Result<Value, Wrong> {
    let duration = match &found.value {
        Found::Number(number) => number.parse().ok().and_then(units::seconds),
        _ => units::duration(text(found)?),
    };
    duration.map(|duration| units::shown(duration).into()).ok_or_else(|| unknown(found))
}

fn unknown(found: &Node) -> Wrong {
    Wrong::Value(match &found.value {
        Found::Text(text) | Found::Number(text) => text.clone(),
        Found::List(items) if items.is_empty() => "[]".to_owned(),
        other => other.kind(MAP).to_owned(),
    })
}

fn one_command() -> Value {
    json!({ "anyOf": [
        { "type": "string", "pattern": "\\S" },
        { "type": "array", "items": { "type": "string" }, "minItems": 1 },
    ] })
}

fn a_duration() -> Vec<Value> {
    let text = json!({ "type": "string", "pattern": "^([0-9]+[smh])+$" });
    vec![text, json!({ "type": "integer", "minimum": 1 })]
}
