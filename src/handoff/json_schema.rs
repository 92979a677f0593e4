//! The JSON schema of a shape, as models are shown it.

use serde_json::{Map, Value, json};

use super::shape::{Field, Kind, LARGEST_TEXT, LONGEST_LINE, LONGEST_LIST, Need};

/// Writes the schema of an object with these fields and no others.
pub(crate) fn schema(fields: &'static [Field]) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| {
            let mut schema = of_kind(&field.kind);
            schema["description"] = field.about.into();
            (field.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<_> = fields
        .iter()
        .filter(|field| field.need == Need::Required)
        .map(|field| field.name)
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn of_kind(kind: &Kind) -> Value {
    match kind {
        Kind::Line | Kind::Path => text(LONGEST_LINE),
        Kind::Markdown | Kind::Document => text(LARGEST_TEXT),
        Kind::Word(words) => json!({ "type": "string", "enum": words }),
        Kind::Number { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Topic => json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$" }),
        Kind::PlanFile => json!({ "type": "string", "pattern": "^plan_[1-9][0-9]{0,2}\\.md$" }),
        Kind::List { of, least } => json!({
            "type": "array",
            "items": of_kind(of),
            "minItems": least,
            "maxItems": LONGEST_LIST,
        }),
        Kind::Map(fields) => schema(fields),
    }
}

fn text(most: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": most })
}
