//! The schema as editors read it, made from our own.

use serde_json::{Value, json};

use super::schema::Key;
use super::sections::ROOT;
use crate::schema;

/// Returns the JSON schema of the configuration file.
pub fn json_schema() -> Value {
    let mut schema = schema::json_schema(&ROOT, &|key: &Key, schema| {
        let value = |toml: &str| serde_json::to_value(toml.parse::<toml::Value>().ok()?).ok();
        if let Some(default) = key.more.default.and_then(value) {
            schema["default"] = default;
        }
        if let Some(example) = key.more.example.and_then(value) {
            schema["examples"] = json!([example]);
        }
    });
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("agentd/config.toml");
    schema
}
