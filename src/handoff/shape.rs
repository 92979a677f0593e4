//! The shape of a submission as data: which fields it has and what each may hold. The check, the JSON schema that
//! models are shown, and the tables of the documentation are all made of it.

use serde_json::{Map, Value};

use super::fault::Faults;
use super::text;
use crate::models::plan::PlanIndex;

/// The largest text of a field, in bytes.
pub const LARGEST_TEXT: usize = 256 << 10;
/// The longest text of one line, in bytes.
pub const LONGEST_LINE: usize = 4 << 10;
/// The longest list.
pub const LONGEST_LIST: usize = 500;
/// The largest submission as a whole, in bytes.
pub const LARGEST_SUBMISSION: usize = 8 << 20;
/// The highest number of a plan.
pub(super) const HIGHEST_PLAN: u64 = PlanIndex::LARGEST as u64;

/// A field of a submission.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether it must be there.
    pub need: Need,
    /// What it is for, in a few words.
    pub about: &'static str,
}

/// Says whether a field must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It must.
    Required,
    /// It may be left out.
    Optional,
}

/// What a field holds.
#[derive(Debug)]
pub enum Kind {
    /// Text of one line.
    Line,
    /// Markdown that stands below a heading of level 2 in a file of ours.
    Markdown,
    /// Markdown that is a file of its own.
    Document,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number.
    Number {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// True or false.
    Flag,
    /// A path or glob below the project's root.
    Path,
    /// The name of something to find out: lower-case letters, digits and hyphens.
    Topic,
    /// The file of a plan: `plan_N.md`.
    PlanFile,
    /// A list.
    List {
        /// What each item is.
        of: &'static Kind,
        /// How many there are at least.
        least: usize,
    },
    /// Fields of its own.
    Map(&'static [Field]),
}

/// Describes a field that must be there.
pub(crate) const fn required(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, need: Need::Required, about }
}

/// Describes a field that may be left out.
pub(crate) const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, need: Need::Optional, about }
}

impl Kind {
    /// Says in words what is asked for.
    pub fn words(&self) -> String {
        match self {
            Self::Line => "text of one line".to_owned(),
            Self::Markdown | Self::Document => "Markdown".to_owned(),
            Self::Word(words) => {
                let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                format!("one of {}", words.join(", "))
            }
            Self::Number { least, most } if least == most => format!("the number {least}"),
            Self::Number { least, most } => format!("a whole number from {least} to {most}"),
            Self::Flag => "`true` or `false`".to_owned(),
            Self::Path => "a path or glob below the project's root".to_owned(),
            Self::Topic => "a name of 1 to 64 lower-case letters, digits and hyphens".to_owned(),
            Self::PlanFile => "the file of a plan, `plan_N.md`".to_owned(),
            Self::List { of, least: 0 } => format!("a list, each item {}", of.words()),
            Self::List { of, least } => {
                format!("a list of at least {least}, each item {}", of.words())
            }
            Self::Map(fields) => {
                let names: Vec<_> =
                    fields.iter().map(|field| format!("`{}`", field.name)).collect();
                format!("an object with {}", names.join(", "))
            }
        }
    }
}

/// Checks the fields of an object, and collects all that is wrong with them.
pub(crate) fn check(value: &Value, fields: &'static [Field], faults: &mut Faults) {
    check_fields(value, fields, "", faults);
}

fn check_fields(value: &Value, fields: &'static [Field], path: &str, faults: &mut Faults) {
    let Value::Object(map) = value else {
        return faults.add(path, wrong_kind(value, &Kind::Map(fields)));
    };
    for field in fields {
        let path = below(path, field.name);
        match (map.get(field.name), field.need) {
            (Some(Value::Null) | None, Need::Optional) => {}
            (None, Need::Required) => {
                faults.add(path, format!("is missing: {}", field.kind.words()));
            }
            (Some(value), _) => check_value(value, &field.kind, &path, faults),
        }
    }
    for name in unknown(map, fields) {
        let known: Vec<_> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
        let message = format!("is no field here; there are {}", known.join(", "));
        faults.add(below(path, &text::shortened(name)), message);
    }
}

fn unknown<'m>(
    map: &'m Map<String, Value>,
    fields: &'static [Field],
) -> impl Iterator<Item = &'m String> {
    map.keys().filter(|name| fields.iter().all(|field| field.name != name.as_str()))
}

fn check_value(value: &Value, kind: &Kind, path: &str, faults: &mut Faults) {
    match (kind, value) {
        (Kind::Line, Value::String(text)) => text::check_line(text, path, faults),
        (Kind::Markdown, Value::String(text)) => text::check_markdown(text, path, faults),
        (Kind::Document, Value::String(text)) => text::check_document(text, path, faults),
        (Kind::Path, Value::String(text)) => text::check_path(text, path, faults),
        (Kind::Word(words), Value::String(text)) if words.contains(&text.as_str()) => {}
        (Kind::Topic, Value::String(text)) if is_topic(text) => {}
        (Kind::PlanFile, Value::String(text)) if PlanIndex::of_plan_file(text).is_some() => {}
        (Kind::Word(_) | Kind::Topic | Kind::PlanFile, Value::String(text)) => {
            let shown = text::shortened(text);
            faults.add(path, format!("`{shown}` is not {}", kind.words()));
        }
        (Kind::Number { least, most }, Value::Number(number)) => {
            let fits = number.as_u64().is_some_and(|number| (*least..=*most).contains(&number));
            if !fits {
                faults.add(path, format!("{number} is not {}", kind.words()));
            }
        }
        (Kind::Flag, Value::Bool(_)) => {}
        (Kind::List { of, least }, Value::Array(items)) => {
            if items.len() < *least {
                faults.add(path, format!("has {} items: {}", items.len(), kind.words()));
            }
            if items.len() > LONGEST_LIST {
                faults.add(path, format!("has {} items, and {LONGEST_LIST} at most", items.len()));
                return;
            }
            for (index, item) in items.iter().enumerate() {
                check_value(item, of, &format!("{path}[{index}]"), faults);
            }
        }
        (Kind::Map(fields), Value::Object(_)) => check_fields(value, fields, path, faults),
        (_, _) => faults.add(path, wrong_kind(value, kind)),
    }
}

fn wrong_kind(value: &Value, kind: &Kind) -> String {
    let found = match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    format!("is {found}, and must be {}", kind.words())
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Says whether a word can name a topic, and hence a folder.
pub(crate) fn is_topic(word: &str) -> bool {
    word.parse::<crate::models::change::ChangeId>().is_ok()
}
