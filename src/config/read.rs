//! Reads one TOML value as a value of a kind.

use toml::de::DeValue;

use super::schema::{Kind, is_agent_name};
use super::units;
use super::value::Value;
use crate::models::command::CommandLine;
use crate::template::lexer::is_name;
use crate::template::nearest::nearest;

/// Why a value is not of its kind.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It is of another type.
    Type(&'static str),
    /// It is a list that holds something of another type.
    Item(&'static str),
    /// It is of the right type, but says nothing that is known.
    Value(String),
    /// It holds a NUL character, which no program can be given.
    Nul,
}

/// Reads a value; tables are not read here.
pub(super) fn read(kind: &Kind, found: &DeValue<'_>) -> Result<Value, Wrong> {
    match kind {
        Kind::Text => accepted(text(found)?, |text| !text.trim().is_empty()).map(Value::Text),
        Kind::FreeText => text(found).map(|text| Value::Text(text.to_owned())),
        Kind::Word(words) => accepted(text(found)?, |word| words.contains(&word)).map(Value::Text),
        Kind::AgentName => accepted(text(found)?, is_agent_name).map(Value::Text),
        Kind::FlowName => accepted(text(found)?, is_name).map(Value::Text),
        Kind::Pointer => accepted(text(found)?, |text| text.starts_with('/')).map(Value::Text),
        Kind::Flag => match found {
            DeValue::Boolean(flag) => Ok(Value::Flag(*flag)),
            other => Err(Wrong::Type(other.type_str())),
        },
        Kind::Count(least, most) => {
            let count = whole(found)?.filter(|count| (least..=most).contains(&count));
            count.map(Value::Count).ok_or_else(|| unknown(found))
        }
        Kind::Number => number(found),
        Kind::Texts => texts(found).map(Value::Texts),
        Kind::Command => match found {
            DeValue::String(_) => program(vec![text(found)?.to_owned()], found),
            other => program(texts(other)?, found),
        }
        .map(Value::Texts),
        Kind::Commands => {
            let DeValue::Array(items) = found else { return Err(Wrong::Type(found.type_str())) };
            let commands = items.iter().map(|item| command(item.get_ref()));
            commands.collect::<Result<_, _>>().map(Value::Commands)
        }
        Kind::Duration => {
            let duration = match found {
                DeValue::Integer(_) => whole(found)?.and_then(units::seconds),
                other => units::duration(text(other)?),
            };
            duration.map(Value::Duration).ok_or_else(|| unknown(found))
        }
        Kind::DurationOrOff => match found {
            DeValue::String(word) if word == "off" => Ok(Value::Off),
            other => read(&Kind::Duration, other),
        },
        Kind::Size => {
            let bytes = match found {
                DeValue::Integer(_) => whole(found)?.filter(|bytes| *bytes > 0),
                other => units::size(text(other)?),
            };
            bytes.map(Value::Count).ok_or_else(|| unknown(found))
        }
        Kind::Table(_) => Err(Wrong::Type(found.type_str())),
    }
}

fn text<'a>(found: &'a DeValue<'_>) -> Result<&'a str, Wrong> {
    match found {
        DeValue::String(text) if text.contains('\0') => Err(Wrong::Nul),
        DeValue::String(text) => Ok(text),
        other => Err(Wrong::Type(other.type_str())),
    }
}

fn accepted(text: &str, accepts: impl Fn(&str) -> bool) -> Result<String, Wrong> {
    if accepts(text) { Ok(text.to_owned()) } else { Err(Wrong::Value(text.to_owned())) }
}

fn texts(found: &DeValue<'_>) -> Result<Vec<String>, Wrong> {
    let DeValue::Array(items) = found else { return Err(Wrong::Type(found.type_str())) };
    let item = |item: &DeValue<'_>| match text(item) {
        Ok(text) => Ok(text.to_owned()),
        Err(Wrong::Type(found)) => Err(Wrong::Item(found)),
        Err(wrong @ (Wrong::Item(_) | Wrong::Value(_) | Wrong::Nul)) => Err(wrong),
    };
    items.iter().map(|spanned| item(spanned.get_ref())).collect()
}

/// Takes the words of a command, of which the first is a program.
fn program(words: Vec<String>, found: &DeValue<'_>) -> Result<Vec<String>, Wrong> {
    match words.first() {
        Some(program) if !program.trim().is_empty() => Ok(words),
        Some(_) | None => Err(unknown(found)),
    }
}

/// Reads one of several commands.
fn command(found: &DeValue<'_>) -> Result<CommandLine, Wrong> {
    match found {
        DeValue::String(line) if line.trim().is_empty() => Err(unknown(found)),
        DeValue::String(_) => text(found).map(|line| CommandLine::Shell(line.to_owned())),
        DeValue::Array(_) => program(texts(found)?, found).map(CommandLine::Words),
        other => Err(Wrong::Item(other.type_str())),
    }
}

/// Reads a whole number; one that is negative or too large is `None`.
fn whole(found: &DeValue<'_>) -> Result<Option<u64>, Wrong> {
    match found {
        DeValue::Integer(integer) => {
            Ok(u64::from_str_radix(integer.as_str(), integer.radix()).ok())
        }
        other => Err(Wrong::Type(other.type_str())),
    }
}

fn number(found: &DeValue<'_>) -> Result<Value, Wrong> {
    let number: Option<f64> = match found {
        DeValue::Float(float) => float.as_str().parse().ok(),
        DeValue::Integer(integer) => integer.to_string().parse().ok(),
        other => return Err(Wrong::Type(other.type_str())),
    };
    let number = number.filter(|number| number.is_finite() && *number >= 0.0);
    number.map(Value::Number).ok_or_else(|| unknown(found))
}

fn unknown(found: &DeValue<'_>) -> Wrong {
    Wrong::Value(match found {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(integer) => integer.to_string(),
        DeValue::Float(float) => float.to_string(),
        DeValue::Array(items) if items.is_empty() => "[]".to_owned(),
        other => other.type_str().to_owned(),
    })
}

impl Wrong {
    /// Says what is wrong, after the name of the key.
    pub(super) fn message(&self, kind: &Kind) -> String {
        let noun = kind.noun();
        match self {
            Self::Type(found) => format!("is {}, but must be {noun}", with_article(found)),
            Self::Item(found) => format!("holds {}, but must be {noun}", with_article(found)),
            Self::Value(shown) => format!("is `{}`, but must be {noun}", shown.escape_debug()),
            Self::Nul => "holds a NUL character".to_owned(),
        }
    }

    /// Says what to do about it.
    pub(super) fn help(&self, kind: &Kind) -> String {
        let near = match (self, kind) {
            (Self::Value(shown), Kind::Word(words)) => nearest(shown, words.iter().copied()),
            (Self::Nul, _) => return "remove it: no program can be given one".to_owned(),
            (Self::Type(_) | Self::Item(_) | Self::Value(_), _) => None,
        };
        match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write {}", kind.example()),
        }
    }
}

fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}
