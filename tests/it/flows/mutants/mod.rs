//! Small changes to the flows that are compiled in. Each mutant is refused, or random runs show that it keeps its promises.

use std::collections::BTreeMap;

use agentd::flow::explore::events_at;
use agentd::flow::{
    ConfiguredLimit, Event, Fact, Facts, Flow, Guarantee, Kind, Need, Position, Refusal, State,
    Subject, Validator, Workspace,
};
use toml::{Table, Value};

use super::oracle::{Happened, Truth};
use super::{built_in, compiled, text};

/// A generator of numbers that is the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// Follows random events, and returns how often the change was archived. Whatever is archived must keep the promises.
fn run(flow: &Flow, truth: &Truth, dice: &mut Dice) -> Result<usize, String> {
    let facts = Facts::combinations(&[Fact::ProductManager]);
    let mut state = State::new(flow, facts[dice.roll(2)]);
    let (mut history, mut archived): (Vec<Happened>, usize) = (Vec::new(), 0);
    for _ in 0..80 {
        let events = events_at(flow, &state);
        let is_work = |event: &Event| matches!(event, Event::Started(_) | Event::Finished { .. });
        let is_good = |event: &Event| match event {
            Event::Finished { outcome, .. } => outcome.is_success(),
            event => matches!(event, Event::Started(_) | Event::Approved | Event::Answered),
        };
        // Mostly things go well; else nothing would ever be archived.
        let chosen: Vec<_> = match dice.roll(20) {
            0..=16 => events.iter().copied().filter(is_good).collect(),
            17 => events.iter().copied().filter(is_work).collect(),
            _ => events.clone(),
        };
        let Some(event) = chosen.get(dice.roll(chosen.len().max(1))).copied() else { continue };
        let after = match state.after(flow, event) {
            Ok(after) => after,
            Err(Refusal::NotHere { .. }) => continue,
            // The compiler has shown that an archive which is due lacks nothing.
            Err(Refusal::Lacks(guarantee)) => {
                return Err(format!("{guarantee} is lacking after {history:?}"));
            }
        };
        history.push((state.position, event));
        if after.position == Position::Archived && state.position != Position::Archived {
            archived += 1;
            let broken = truth.broken(flow, &history);
            if !broken.is_empty() {
                return Err(format!("{broken:?} after {history:?}"));
            }
        }
        state = after;
    }
    Ok(archived)
}

fn steps_of(flow: &Table) -> &Table {
    flow["steps"].as_table().expect("steps")
}

fn step_of<'t>(flow: &'t mut Table, step: &str) -> &'t mut Table {
    let steps = flow.get_mut("steps").and_then(Value::as_table_mut).expect("steps");
    steps.get_mut(step).and_then(Value::as_table_mut).expect("a step")
}

/// Lists what else could stand under a key.
fn others(key: &str, value: &Value, names: &[String]) -> Vec<Value> {
    let text = |words: &[&str]| words.iter().map(|word| Value::from(*word)).collect::<Vec<_>>();
    let steps = || names.iter().map(|name| Value::from(name.as_str())).collect::<Vec<_>>();
    let prompts = [
        "system:plan",
        "system:challenge",
        "system:implement",
        "system:review",
        "system:archive",
        "architect",
        "planner",
        "reviewer",
        "commands:review",
        "commands:fix",
        "commands:summary",
        "commands:change",
    ];
    let mut values = match key {
        "kind" => text(Kind::WORDS),
        "prompt" => text(&prompts),
        "workspace" => text(Workspace::WORDS),
        "changes" | "judges" | "until" | "once" => text(Subject::WORDS),
        "skip_unless" => text(Fact::WORDS),
        "start" | "reopen" | "reject" | "not_by" | "to" | "of" => steps(),
        "rounds" | "max" => text(ConfiguredLimit::WORDS),
        "clean" | "research" => vec![Value::from(true), Value::from(false)],
        "guarantees" => fewer(value, Guarantee::WORDS),
        "pass_needs" => fewer(value, Need::WORDS),
        "leaves" => fewer(value, &[]).into_iter().chain(validators(value)).collect(),
        "about" | "version" | "slot" | "merges" | "tasks" => Vec::new(),
        other => panic!("how is `{other}` changed?"),
    };
    values.retain(|other| other != value);
    values
}

/// A list with one item less, and with one more.
fn fewer(value: &Value, words: &[&str]) -> Vec<Value> {
    let items = value.as_array().cloned().unwrap_or_default();
    let less = (0..items.len()).map(|at| {
        let mut items = items.clone();
        items.remove(at);
        Value::from(items)
    });
    let more = words.iter().map(|word| {
        let mut items = items.clone();
        items.push(Value::from(*word));
        Value::from(items)
    });
    less.chain(more).collect()
}

/// Every file with every validator.
fn validators(value: &Value) -> Vec<Value> {
    let items = value.as_array().cloned().unwrap_or_default();
    let with = |item: &Value, word: &str| {
        let path = item.as_str().unwrap_or_default();
        let path = path.split(':').next().unwrap_or_default();
        Value::from(vec![Value::from(format!("{path}:{word}"))])
    };
    items.iter().flat_map(|item| Validator::WORDS.iter().map(|word| with(item, word))).collect()
}

/// Lists every mutant with a name.
fn mutants(flow: &Table) -> Vec<(String, Table)> {
    let names: Vec<String> = steps_of(flow).keys().cloned().collect();
    let mut mutants = Vec::new();
    let mut add = |name: String, change: &dyn Fn(&mut Table)| {
        let mut mutant = flow.clone();
        change(&mut mutant);
        mutants.push((name, mutant));
    };
    for (key, value) in flow.iter().filter(|(key, _)| *key != "steps") {
        add(format!("without {key}"), &|flow| drop(flow.remove(key)));
        let within = value.as_table().cloned().unwrap_or_default();
        for (inner, value) in &within {
            for other in others(inner, value, &names) {
                add(format!("{key}.{inner} = {other}"), &|flow| {
                    let table = flow.get_mut(key).and_then(Value::as_table_mut).expect("a table");
                    table.insert(inner.clone(), other.clone());
                });
            }
        }
        for other in if within.is_empty() { others(key, value, &names) } else { Vec::new() } {
            add(format!("{key} = {other}"), &|flow| drop(flow.insert(key.clone(), other.clone())));
        }
    }
    for step in &names {
        let columns = steps_of(flow)[step].as_table().expect("a step").clone();
        for (column, value) in &columns {
            add(format!("{step} without {column}"), &|flow| {
                drop(step_of(flow, step).remove(column));
            });
            match (column.as_str(), value) {
                ("on", Value::Table(on)) => {
                    for (outcome, target) in on {
                        let edge = |flow: &mut Table, target: Option<&str>| {
                            let on = step_of(flow, step)
                                .get_mut("on")
                                .and_then(Value::as_table_mut)
                                .expect("on");
                            match target {
                                Some(target) => on.insert(outcome.clone(), Value::from(target)),
                                None => on.remove(outcome),
                            };
                        };
                        add(format!("{step} without {outcome}"), &|flow| edge(flow, None));
                        let targets =
                            names.iter().map(String::as_str).chain(["archived", "rejected"]);
                        for other in targets.filter(|name| Some(*name) != target.as_str()) {
                            add(format!("{step} {outcome} = {other}"), &|flow| {
                                edge(flow, Some(other));
                            });
                        }
                    }
                }
                ("reads", Value::Table(reads)) => {
                    for path in reads.keys() {
                        add(format!("{step} does not read {path}"), &|flow| {
                            let reads =
                                step_of(flow, step).get_mut("reads").and_then(Value::as_table_mut);
                            reads.expect("reads").remove(path);
                        });
                    }
                }
                ("rounds", Value::Table(rounds)) => {
                    for (key, value) in rounds {
                        for other in others(key, value, &names) {
                            add(format!("{step} rounds.{key} = {other}"), &|flow| {
                                let rounds = step_of(flow, step)
                                    .get_mut("rounds")
                                    .and_then(Value::as_table_mut);
                                rounds.expect("rounds").insert(key.clone(), other.clone());
                            });
                        }
                    }
                }
                _ => {
                    for other in others(column, value, &names) {
                        add(format!("{step} {column} = {other}"), &|flow| {
                            step_of(flow, step).insert(column.clone(), other.clone());
                        });
                    }
                }
            }
        }
    }
    mutants
}

#[test]
fn a_mutant_of_sdd_is_refused_or_keeps_its_promises() {
    println!("{}", refused_or_safe("sdd"));
}

#[test]
fn a_mutant_of_team_is_refused_or_keeps_its_promises() {
    println!("{}", refused_or_safe("team"));
}

#[test]
fn a_mutant_of_quick_is_refused_or_keeps_its_promises() {
    println!("{}", refused_or_safe("quick"));
}

/// Compiles every mutant and follows those that compile; returns the counts.
fn refused_or_safe(name: &str) -> String {
    let flow: Table = text(name).parse().expect("TOML");
    let truth = Truth::of(built_in(name));
    let (mut codes, mut safe, mut archived) = (BTreeMap::new(), Vec::new(), 0);
    for (mutant, table) in mutants(&flow) {
        let text = toml::to_string(&table).expect("it can be written");
        let compilation = compiled(name, &text);
        if let Some(fault) = compilation.faults.first() {
            *codes.entry(fault.code.slug()).or_insert(0) += 1;
            continue;
        }
        assert!(compilation.is_ok(), "{}", compilation.report());
        let flow = &compilation.flows[0].flow;
        let mut dice = Dice(1);
        for _ in 0..30 {
            archived += run(flow, &truth, &mut dice)
                .unwrap_or_else(|broken| panic!("{name}: {mutant}: {broken}"));
        }
        safe.push(mutant);
    }
    let refused: usize = codes.values().sum();
    assert!(refused > safe.len(), "{name}");
    assert!(archived > safe.len(), "{name}: too few runs get to the archive");
    let (count, safe) = (safe.len(), safe.join("; "));
    format!(
        "{name}: {refused} refused, {count} safe, {archived} archived; {codes:?}\n  safe: {safe}"
    )
}

/// The runs that the mutants are held to, on the flows themselves and more of them.
#[test]
fn whatever_a_flow_archives_has_what_it_guarantees() {
    for name in ["sdd", "team", "quick"] {
        let (flow, mut dice) = (built_in(name), Dice(7));
        let truth = Truth::of(flow);
        let archived: usize = (0..3_000)
            .map(|_| {
                run(flow, &truth, &mut dice).unwrap_or_else(|broken| panic!("{name}: {broken}"))
            })
            .sum();
        println!("{name}: {archived} archived");
        assert!(archived > 200, "{name}: {archived}");
    }
}
