//! The mutants of a flow: each key, each column of each step and each outcome is taken away, changed, or added where it is absent.

use agentd::flow::{
    ConfiguredLimit, Fact, Guarantee, Kind, MergedFolder, Need, Step, Subject, TaskSource,
    Validator, Workspace,
};
use agentd::template::{Command, Phase, Role};
use toml::{Table, Value};

/// A change of a flow's file: what it does in words, and the file.
pub(super) type Mutant = (String, Table);

/// Lists every mutant of a flow.
pub(super) fn mutants(flow: &Table) -> Vec<Mutant> {
    let steps = flow["steps"].as_table().expect("steps");
    let names: Vec<&str> = steps.keys().map(String::as_str).collect();
    let mut mutants = Vec::new();
    for (key, value) in flow.iter().filter(|(key, _)| *key != "steps") {
        for (what, value) in of_value(key, Some(value), &names) {
            mutants.push((what, with(flow, &[key], value)));
        }
    }
    for (step, columns) in steps {
        for column in Step::COLUMNS {
            let value = columns.get(column.name);
            for (what, value) in of_value(column.name, value, &names) {
                let mutant = with(flow, &["steps", step, column.name], value);
                mutants.push((format!("{step}: {what}"), mutant));
            }
        }
    }
    mutants
}

/// Returns a file with another value at a place, or none there.
fn with(flow: &Table, place: &[&str], value: Option<Value>) -> Table {
    let (mut changed, (last, tables)) = (flow.clone(), place.split_last().expect("a place"));
    let mut table = &mut changed;
    for key in tables {
        table = table.get_mut(*key).and_then(Value::as_table_mut).expect("a table");
    }
    match value {
        Some(value) => table.insert((*last).to_owned(), value),
        None => table.remove(*last),
    };
    changed
}

/// Lists what could stand under a key in place of what stands there, each in words.
fn of_value(key: &str, value: Option<&Value>, names: &[&str]) -> Vec<(String, Option<Value>)> {
    let mut others = sensible(key, names);
    match value {
        Some(Value::Array(items)) => others.extend(of_list(key, items)),
        Some(Value::Table(table)) => others.extend(of_table(key, table, names)),
        Some(_) | None => {}
    }
    others.retain(|other| Some(other) != value);
    let mut seen: Vec<Value> = Vec::new();
    others.retain(|other| {
        !seen.contains(other) && {
            seen.push(other.clone());
            true
        }
    });
    let without = value.map(|_| (format!("without {key}"), None));
    let verb = if value.is_some() { "=" } else { "is added =" };
    let others = others.into_iter().map(|it| (format!("{key} {verb} {it}"), Some(it)));
    without.into_iter().chain(others).collect()
}

/// Lists what could stand under a key of any flow or step.
fn sensible(key: &str, names: &[&str]) -> Vec<Value> {
    let words = |words: &[&str]| words.iter().map(|word| Value::from(*word)).collect::<Vec<_>>();
    let lists = |lists: &[&str]| {
        lists.iter().map(|item| Value::from(vec![Value::from(*item)])).collect::<Vec<_>>()
    };
    let tables = |tables: &[(&str, &str)]| {
        let table = |(key, value): &(&str, &str)| {
            Value::from(Table::from_iter([((*key).to_owned(), Value::from(*value))]))
        };
        tables.iter().map(table).collect::<Vec<_>>()
    };
    match key {
        "version" => vec![Value::from(2)],
        "about" => words(&["other words"]),
        "start" | "reopen" | "reject" | "not_by" => words(names),
        "guarantees" => lists(Guarantee::WORDS),
        "kind" => words(Kind::WORDS),
        "prompt" => prompts().iter().map(|prompt| Value::from(prompt.as_str())).collect(),
        "slot" => words(&["coder", "reviewer", "someone", "no name"]),
        "workspace" => words(Workspace::WORDS),
        "reads" => tables(&[
            ("tasks.md", "why"),
            ("CHECKS.md", "why"),
            ("specs/*.md?", "why"),
            ("NOTES.md", "why"),
            ("NOTES.md?", "why"),
        ]),
        "leaves" => {
            let own = Validator::ALL.iter().filter_map(|validator| validator.files());
            let own: Vec<_> = own.collect();
            let more = ["NOTES.md", "notes/*", "tasks.md:text", "**", "CHECKS.md", "REVIEW.md"];
            [lists(&own), lists(&more)].concat()
        }
        "changes" | "judges" => words(Subject::WORDS),
        "pass_needs" => lists(Need::WORDS),
        "skip_unless" => words(Fact::WORDS),
        "clean" | "research" => vec![Value::from(true), Value::from(false)],
        "rounds" => {
            let of = |step: &&str| {
                let of = ("of".to_owned(), Value::from(*step));
                Value::from(Table::from_iter([of, ("max".to_owned(), Value::from(2))]))
            };
            let limits = words(ConfiguredLimit::WORDS);
            limits.into_iter().chain([Value::from(1)]).chain(names.iter().map(of)).collect()
        }
        "merges" => [words(MergedFolder::WORDS), words(&["out/", "archive"])].concat(),
        "tasks" => [words(TaskSource::WORDS), words(&["plan"])].concat(),
        // Only what stands there is changed.
        "guidance" | "on" => Vec::new(),
        other => panic!("how is `{other}` changed?"),
    }
}

fn prompts() -> Vec<String> {
    let phases = Phase::ALL.iter().map(|phase| format!("system:{phase}"));
    let roles = Role::ALL.iter().map(ToString::to_string);
    let commands = Command::ALL.iter().map(|command| format!("commands:{command}"));
    phases.chain(roles).chain(commands).chain(["own".to_owned()]).collect()
}

/// Lists lists with one item less, one more, and with each file under each validator.
fn of_list(key: &str, items: &[Value]) -> Vec<Value> {
    let less = (0..items.len()).map(|at| [&items[..at], &items[at + 1..]].concat());
    let words = match key {
        "guarantees" => Guarantee::WORDS,
        "pass_needs" => Need::WORDS,
        "leaves" => &["NOTES.md"],
        other => panic!("what is added to `{other}`?"),
    };
    let more = words.iter().map(|word| [items, &[Value::from(*word)]].concat());
    let mut lists: Vec<Vec<Value>> = less.chain(more).collect();
    if key == "leaves" {
        for at in 0..items.len() {
            let path = items[at].as_str().and_then(|it| it.split(':').next()).unwrap_or_default();
            lists.extend(Validator::WORDS.iter().map(|validator| {
                let mut items = items.to_vec();
                items[at] = Value::from(format!("{path}:{validator}"));
                items
            }));
        }
    }
    lists.into_iter().map(Value::from).collect()
}

/// Lists tables with another value under one of their keys, or without it; a file that is read may be missing, or may not.
fn of_table(key: &str, table: &Table, names: &[&str]) -> Vec<Value> {
    let mut tables = Vec::new();
    for (inner, value) in table {
        let mut without = table.clone();
        without.remove(inner);
        tables.push(without.clone());
        let others: Vec<Value> = match (key, inner.as_str()) {
            ("reads", path) => {
                let other =
                    path.strip_suffix('?').map_or_else(|| format!("{path}?"), str::to_owned);
                without.insert(other, value.clone());
                tables.push(without);
                Vec::new()
            }
            ("on", _) => {
                let targets = names.iter().chain(&["archived", "rejected"]);
                targets.map(|target| Value::from(*target)).collect()
            }
            (_, "to" | "of") => names.iter().map(|name| Value::from(*name)).collect(),
            (_, "until" | "once") => Subject::WORDS.iter().map(|word| Value::from(*word)).collect(),
            (_, "max") => ConfiguredLimit::WORDS.iter().map(|word| Value::from(*word)).collect(),
            (key, other) => panic!("how is `{key}.{other}` changed?"),
        };
        tables.extend(others.into_iter().map(|other| {
            let mut changed = table.clone();
            changed.insert(inner.clone(), other);
            changed
        }));
    }
    tables.into_iter().map(Value::from).collect()
}
