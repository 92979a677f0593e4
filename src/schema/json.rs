//! The JSON schema of a kind, as editors read it and models are shown it.

use serde_json::{Map, Value, json};

use super::kind::{Field, Kind, LONGEST_LIST, Need};

/// Returns the schema; `add` puts into that of a field what its owner knows of it.
pub(crate) fn json_schema<M>(kind: &Kind<M>, add: &impl Fn(&Field<M>, &mut Value)) -> Value {
    match kind {
        Kind::Of(sort) => (sort.json)(),
        Kind::Word(words) => json!({ "type": "string", "enum": words }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Number { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Kind::List { of, least } => json!({
            "type": "array", "items": json_schema(of, add), "minItems": least, "maxItems": LONGEST_LIST,
        }),
        Kind::Map(fields) => {
            let mut properties = Map::new();
            for field in *fields {
                let mut schema = json_schema(&field.kind, add);
                schema["description"] = field.about.into();
                add(field, &mut schema);
                properties.insert(field.name.to_owned(), schema);
            }
            let mut schema = json!({
                "type": "object", "properties": properties, "additionalProperties": false,
            });
            let required = fields.iter().filter(|field| field.need == Need::Required);
            let required: Vec<_> = required.map(|field| field.name).collect();
            if !required.is_empty() {
                schema["required"] = required.into();
            }
            schema
        }
        Kind::Named(names, of) => json!({
            "type": "object",
            "propertyNames": { "pattern": names.pattern },
            "additionalProperties": json_schema(of, add),
        }),
    }
}
