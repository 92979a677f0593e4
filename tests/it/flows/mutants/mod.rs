//! Small changes to the flows that are compiled in. Each mutant is refused, or random runs archive it and show that it keeps its
//! promises. Every day a part of the mutants of the larger flows is tried; `just long flows` tries all.

mod matrix;
mod runs;

use std::collections::BTreeMap;

use agentd::flow::Step;
use toml::Table;

use super::oracle::Truth;
use super::{built_in, compiled, text};
use matrix::{Mutant, mutants};
use runs::{Dice, run};

/// How many histories of each mutant are followed.
const RUNS: usize = 30;

/// How many more are followed until one is archived.
const MORE_RUNS: usize = 3_000;

#[test]
fn a_mutant_of_sdd_is_refused_or_keeps_its_promises() {
    println!("{}", refused_or_safe("sdd", 4));
}

#[test]
fn a_mutant_of_team_is_refused_or_keeps_its_promises() {
    println!("{}", refused_or_safe("team", 8));
}

#[test]
fn a_mutant_of_quick_is_refused_or_keeps_its_promises() {
    println!("{}", refused_or_safe("quick", 1));
}

/// Lists the mutants of a flow: all, or one of so many.
fn chosen(name: &str, one_of: usize) -> Vec<Mutant> {
    let flow: Table = text(name).parse().expect("TOML");
    let all = mutants(&flow);
    let is_all = std::env::var("AGENTD_FLOWS").is_ok_and(|value| value == "all");
    if is_all { all } else { all.into_iter().step_by(one_of).collect() }
}

/// Compiles mutants and follows those that compile; returns the counts.
fn refused_or_safe(name: &str, one_of: usize) -> String {
    let truth = Truth::of(built_in(name));
    let (mut codes, mut safe, mut archived) = (BTreeMap::new(), Vec::new(), 0);
    let mut broken = Vec::new();
    for (mutant, table) in chosen(name, one_of) {
        let text = toml::to_string(&table).expect("it can be written");
        let compilation = compiled(name, &text);
        if let Some(fault) = compilation.faults.first() {
            *codes.entry(fault.code.slug()).or_insert(0) += 1;
            continue;
        }
        assert!(compilation.is_ok(), "{}", compilation.report());
        let (flow, mut dice, mut ends) = (&compilation.flows[0].flow, Dice(1), 0);
        for number in 0..RUNS + MORE_RUNS {
            if number >= RUNS && ends > 0 {
                break;
            }
            match run(flow, &truth, &mut dice) {
                Ok(archived) => ends += archived,
                Err(why) => {
                    broken.push(format!("{mutant}: {why}"));
                    break;
                }
            }
        }
        if ends == 0 {
            broken.push(format!("{mutant}: it is never archived"));
        }
        archived += ends;
        safe.push(mutant);
    }
    assert!(broken.is_empty(), "{name}:\n{}", broken.join("\n"));
    let refused: usize = codes.values().sum();
    assert!(refused > safe.len(), "{name}");
    let (count, safe) = (safe.len(), safe.join("; "));
    format!(
        "{name}: {refused} refused, {count} safe, {archived} archived; {codes:?}\n  safe: {safe}"
    )
}

/// The matrix has every column at every step, whether or not the step has it.
#[test]
fn every_column_is_changed_or_added_at_every_step() {
    for name in ["sdd", "team", "quick"] {
        let flow: Table = text(name).parse().expect("TOML");
        let all = mutants(&flow);
        for (step, columns) in flow["steps"].as_table().expect("steps") {
            for column in Step::COLUMNS {
                let verb = if columns.get(column.name).is_some() { "=" } else { "is added =" };
                let begin = format!("{step}: {} {verb} ", column.name);
                let is_there = |(what, _): &Mutant| what.starts_with(&begin);
                assert!(all.iter().any(is_there), "{name}: {begin}");
            }
        }
    }
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
