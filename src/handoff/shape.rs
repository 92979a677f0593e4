//! The shape of a submission as data: which fields it has and what each may hold. The check, the JSON schema that
//! models are shown, and the tables of the documentation are all made of it.

use serde_json::{Value, json};

use super::fault::Faults;
use super::text;
use crate::models::plan::PlanIndex;
use crate::schema::{self, Check, Path, Problem, Sort, Wrong, named};
pub use crate::schema::{Field, Kind, LONGEST_LIST, Need};
use crate::template::Span;
use crate::text::excerpt::excerpt;
use crate::text::node::{Entry, Node, Value as Found};

/// The largest text of a field, in bytes.
pub const LARGEST_TEXT: usize = 256 << 10;
/// The longest text of one line, in bytes.
pub const LONGEST_LINE: usize = 4 << 10;
/// The largest submission as a whole, in bytes.
pub const LARGEST_SUBMISSION: usize = 8 << 20;
/// The highest number of a plan.
pub(super) const HIGHEST_PLAN: u64 = PlanIndex::LARGEST as u64;

/// Text of one line.
pub(super) const LINE: Kind = Kind::Of(&Sort {
    noun: "text on one line",
    example: "",
    json: || of_length(LONGEST_LINE),
    read: |found| read(found, text::check_line),
});

/// Markdown that stands below a heading of level 2 in a file of ours.
pub(super) const MARKDOWN: Kind = Kind::Of(&Sort {
    noun: "Markdown",
    example: "",
    json: || of_length(LARGEST_TEXT),
    read: |found| read(found, text::check_markdown),
});

/// Markdown that is a file of its own.
pub(super) const DOCUMENT: Kind = Kind::Of(&Sort {
    noun: "Markdown",
    example: "",
    json: || of_length(LARGEST_TEXT),
    read: |found| read(found, text::check_document),
});

/// A path or glob below the project's root.
pub(super) const PATH: Kind = Kind::Of(&Sort {
    noun: "a path or glob below the project's root",
    example: "",
    json: || of_length(LONGEST_LINE),
    read: |found| read(found, text::check_path),
});

/// The name of something to find out: lower-case letters, digits and hyphens.
pub(super) const TOPIC: Kind = Kind::Of(&Sort {
    noun: "a name of 1 to 64 lower-case letters, digits and hyphens",
    example: "",
    json: || json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$" }),
    read: |found| name(found, is_topic),
});

/// The file of a plan: `plan_N.md`.
pub(super) const PLAN_FILE: Kind = Kind::Of(&Sort {
    noun: "the file of a plan, `plan_N.md`",
    example: "",
    json: || json!({ "type": "string", "pattern": "^plan_[1-9][0-9]{0,2}\\.md$" }),
    read: |found| name(found, |file| PlanIndex::of_plan_file(file).is_some()),
});

/// Describes a field that must be there.
pub(crate) const fn required(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, need: Need::Required, about, more: () }
}

/// Describes a field that may be left out.
pub(crate) const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, need: Need::Optional, about, more: () }
}

/// Describes a list of at least so many.
pub(super) const fn list(least: usize, of: &'static Kind) -> Kind {
    Kind::List { of, least }
}

/// Returns the JSON schema of an object with these fields and no others.
pub(super) fn json_schema(fields: &'static [Field]) -> Value {
    schema::json_schema(&Kind::Map(fields), &|_, _| {})
}

/// Checks the fields of an object, and collects all that is wrong with them.
pub(crate) fn check(value: &Value, fields: &'static [Field], faults: &mut Faults) {
    let mut report = |path: &Path, _, problem: Problem<'_, ()>| match problem {
        Problem::Missing(field) => {
            faults.add(path.to_string(), format!("is missing: {}", field.kind.words()));
        }
        Problem::Unknown(map) => {
            let field = path.parent().unwrap_or_default().join(&excerpt(path.last()));
            let message = format!("is not a field here; the fields are {}", named(map.fields()));
            faults.add(field.to_string(), message);
        }
        Problem::Wrong(found, kind, wrong) => {
            let words = kind.words();
            let mut add = |message| faults.add(path.to_string(), message);
            match wrong {
                Wrong::Type => {
                    let found = found.value.kind("an object");
                    add(format!("is {found}, and must be {words}"));
                }
                Wrong::Item(found) => add(format!("contains {found}, and must be {words}")),
                Wrong::Value(number) if matches!(found.value, Found::Number(_)) => {
                    add(format!("{number} is not {words}"));
                }
                Wrong::Value(shown) => add(format!("`{}` is not {words}", excerpt(&shown))),
                Wrong::TooFew(items) => add(format!("has {items} items: {words}")),
                Wrong::TooMany(items) => {
                    add(format!("has {items} items, and {LONGEST_LIST} at most"));
                }
                Wrong::Said(reasons) => reasons.into_iter().for_each(add),
            }
        }
    };
    Check::new(&mut report).value(&Path::default(), &node(value), &Kind::Map(fields));
}

fn of_length(most: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": most })
}

fn read(found: &Node, check: fn(&str, &mut Vec<String>)) -> Result<Value, Wrong> {
    let Found::Text(text) = &found.value else { return Err(Wrong::Type) };
    let mut wrong = Vec::new();
    check(text, &mut wrong);
    if wrong.is_empty() { Ok(Value::Null) } else { Err(Wrong::Said(wrong)) }
}

fn name(found: &Node, is_name: fn(&str) -> bool) -> Result<Value, Wrong> {
    match &found.value {
        Found::Text(text) if is_name(text) => Ok(Value::Null),
        Found::Text(text) => Err(Wrong::Value(text.clone())),
        _ => Err(Wrong::Type),
    }
}

/// Takes a value that came with a call, so that its parts have no places.
fn node(value: &Value) -> Node {
    let span = Span::default();
    let entry = |(key, value)| Entry { key: String::clone(key), span, node: node(value) };
    let value = match value {
        Value::Null => Found::Null,
        Value::Bool(flag) => Found::Bool(*flag),
        Value::Number(number) => Found::Number(number.to_string()),
        Value::String(text) => Found::Text(text.clone()),
        Value::Array(items) => Found::List(items.iter().map(node).collect()),
        Value::Object(map) => Found::Map(map.iter().map(entry).collect()),
    };
    Node { value, span }
}

/// Returns whether a word can name a topic, and hence a folder.
pub(crate) fn is_topic(word: &str) -> bool {
    word.parse::<crate::models::change::ChangeId>().is_ok()
}
