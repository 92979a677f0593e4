//! The schema as editors read it, made from our own.

use serde_json::{Map, Value, json};

use super::schema::{Key, Kind, Names, Shape};
use super::sections::ROOT;

/// Gives the JSON schema of the configuration file.
pub fn json_schema() -> Value {
    let mut schema = shape(&ROOT);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("agentd/config.toml");
    schema
}

fn shape(shape: &Shape) -> Value {
    match shape {
        Shape::Keys(keys) => {
            let properties: Map<_, _> =
                keys.iter().map(|known| (known.name.to_owned(), key(known))).collect();
            json!({ "type": "object", "properties": properties, "additionalProperties": false })
        }
        Shape::Named(names, below) => json!({
            "type": "object",
            "propertyNames": { "pattern": pattern(*names) },
            "additionalProperties": kind(below),
        }),
    }
}

fn key(key: &Key) -> Value {
    let mut schema = kind(&key.kind);
    schema["description"] = json!(key.about);
    let default = key.default.and_then(|toml| toml.parse::<toml::Value>().ok());
    if let Some(default) = default.and_then(|value| serde_json::to_value(value).ok()) {
        schema["default"] = default;
    }
    schema
}

fn kind(kind: &Kind) -> Value {
    match kind {
        Kind::Text => json!({ "type": "string", "pattern": "\\S" }),
        Kind::FreeText => json!({ "type": "string" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::AgentName => json!({ "type": "string", "pattern": pattern(Names::Agent) }),
        Kind::FlowName => json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9_-]*$" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Count(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Number => json!({ "type": "number", "minimum": 0 }),
        Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Command => json!({ "anyOf": [
            { "type": "string", "pattern": "\\S" },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        ] }),
        Kind::Commands => json!({ "type": "array", "items": { "anyOf": [
            { "type": "string", "pattern": "\\S" },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        ] } }),
        Kind::Duration => json!({ "anyOf": [
            { "type": "string", "pattern": "^([0-9]+[smh])+$" },
            { "type": "integer", "minimum": 1 },
        ] }),
        Kind::DurationOrOff => json!({ "anyOf": [
            { "const": "off" },
            { "type": "string", "pattern": "^([0-9]+[smh])+$" },
            { "type": "integer", "minimum": 1 },
        ] }),
        Kind::Size => json!({ "anyOf": [
            { "type": "string", "pattern": "^[0-9]+ *(B|KB|MB|KiB|MiB)?$" },
            { "type": "integer", "minimum": 1 },
        ] }),
        Kind::Pointer => json!({ "type": "string", "pattern": "^/" }),
        Kind::Table(below) => shape(below),
    }
}

const fn pattern(names: Names) -> &'static str {
    match names {
        Names::Agent => "^[a-z0-9][a-z0-9-]{0,31}$",
        Names::Variable => "^[^=]+$",
        Names::Model => ".",
    }
}
