//! A tool that a model may call: a name, a description and a JSON Schema of its input.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// The definition of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name: letters, digits, `-` and `_`, at most 64 of them.
    pub name: String,
    /// What it does, for the model to decide when to call it.
    pub description: String,
    /// The JSON Schema of its input, which is an object.
    pub input_schema: Value,
}

/// What is wrong with a tool.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("tool `{tool}`: {reason}")]
pub struct InvalidTool {
    /// The tool's name, as it was given.
    pub tool: String,
    /// What is wrong.
    pub reason: String,
}

impl Tool {
    /// Checks the definition: a usable name, a description, and the schema of an object.
    ///
    /// ```
    /// use agentd::models::tool::Tool;
    /// use serde_json::json;
    ///
    /// let mut tool = Tool {
    ///     name: "read_file".to_owned(),
    ///     description: "Reads a file.".to_owned(),
    ///     input_schema: json!({ "type": "object", "properties": { "path": { "type": "string" } } }),
    /// };
    /// assert!(tool.validate().is_ok());
    /// tool.input_schema = json!({ "type": "string" });
    /// assert_eq!(
    ///     tool.validate().unwrap_err().to_string(),
    ///     "tool `read_file`: `input_schema` must have `\"type\": \"object\"`"
    /// );
    /// ```
    pub fn validate(&self) -> Result<(), InvalidTool> {
        let fail = |reason: String| Err(InvalidTool { tool: self.name.clone(), reason });
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if self.name.is_empty() || self.name.len() > 64 || !self.name.chars().all(is_part) {
            return fail("its name must be 1 to 64 letters, digits, `-` and `_`".to_owned());
        }
        if self.description.trim().is_empty() {
            return fail("it has no description".to_owned());
        }
        let Some(schema) = self.input_schema.as_object() else {
            return fail("`input_schema` must be an object".to_owned());
        };
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return fail("`input_schema` must have `\"type\": \"object\"`".to_owned());
        }
        schema_of_object(schema).or_else(fail)
    }
}

/// Checks that `properties` and `required` of an object's schema fit together.
fn schema_of_object(schema: &Map<String, Value>) -> Result<(), String> {
    let empty = Map::new();
    let properties = match schema.get("properties") {
        None => &empty,
        Some(Value::Object(properties)) => properties,
        Some(_) => return Err("`properties` must be an object".to_owned()),
    };
    if let Some((name, _)) =
        properties.iter().find(|(_, schema)| !schema.is_object() && !schema.is_boolean())
    {
        return Err(format!("the property `{name}` must be a schema"));
    }
    let required = match schema.get("required") {
        None => return Ok(()),
        Some(Value::Array(required)) => required,
        Some(_) => return Err("`required` must be a list".to_owned()),
    };
    for name in required {
        match name.as_str() {
            None => return Err("`required` must be a list of names".to_owned()),
            Some(name) if !properties.contains_key(name) => {
                return Err(format!(
                    "`required` names `{name}`, which is not among the properties"
                ));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, description: &str, schema: Value) -> Result<(), InvalidTool> {
        let (name, description) = (name.to_owned(), description.to_owned());
        Tool { name, description, input_schema: schema }.validate()
    }

    #[test]
    fn a_tool_needs_a_name_a_description_and_the_schema_of_an_object() {
        let object =
            json!({ "type": "object", "properties": { "a": {}, "b": true }, "required": ["a"] });
        assert_eq!(tool("a-b_C9", "x", object.clone()), Ok(()));
        for (name, description, schema, reason) in [
            ("", "x", object.clone(), "its name"),
            ("a b", "x", object.clone(), "its name"),
            (&"a".repeat(65), "x", object.clone(), "its name"),
            ("a", " ", object, "no description"),
            ("a", "x", json!([]), "must be an object"),
            ("a", "x", json!({}), "\"type\": \"object\""),
            ("a", "x", json!({ "type": "object", "properties": [] }), "`properties`"),
            ("a", "x", json!({ "type": "object", "properties": { "p": 1 } }), "the property `p`"),
            ("a", "x", json!({ "type": "object", "required": "p" }), "`required` must be a list"),
            ("a", "x", json!({ "type": "object", "required": [1] }), "a list of names"),
            ("a", "x", json!({ "type": "object", "required": ["p"] }), "not among the properties"),
        ] {
            let error = tool(name, description, schema).unwrap_err();
            assert!(error.reason.contains(reason), "{error}");
        }
    }
}
