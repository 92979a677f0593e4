//! Holds `docs/workflow.md` to the code: its diagram and its tables are generated, its journal is read.

use std::collections::{BTreeMap, BTreeSet};

use agentd::catalog::CATALOG;
use agentd::engine::entry::{Entry, Record};
use agentd::engine::supplies::{Supply, supplied};
use agentd::flow::{Event, Flow, Position, State, explore};
use agentd::{Phase, Variable};

use super::{blessed, read};

const WORKFLOW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/workflow.md");

#[test]
fn the_tables_of_the_workflow_are_those_of_the_code() {
    let document = read(WORKFLOW);
    let current = [("people", people()), ("prompts", prompts())]
        .into_iter()
        .fold(document.clone(), |text, (name, part)| with_part(&text, name, &part));
    if !blessed(WORKFLOW, &current) {
        assert_eq!(document, current, "run with AGENTD_BLESS=1");
    }
}

#[test]
fn every_entry_of_a_journal_has_an_example_that_reads_back_as_it_is_written() {
    let document = read(WORKFLOW);
    let (_, block) = document.split_once("```json\n").expect("there is a block");
    let (block, _) = block.split_once("```").expect("the block is closed");
    let mut shown = BTreeSet::new();
    for line in block.lines() {
        let record: Record =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}\n{line}"));
        assert_eq!(serde_json::to_string(&record).expect("it can be written"), line);
        shown.insert(number(&record.entry));
    }
    assert_eq!(shown, (0..23).collect(), "an entry has no example");
}

/// Numbers the entries: one that is new has no number, and is missed by the compiler.
const fn number(entry: &Entry) -> u32 {
    match entry {
        Entry::Created { .. } => 0,
        Entry::Started(_) => 1,
        Entry::Finished(_) => 2,
        Entry::Failed { .. } => 3,
        Entry::Blocked { .. } => 4,
        Entry::Answered { .. } => 5,
        Entry::Lane(_) => 6,
        Entry::PlanDone(_) => 7,
        Entry::Research(_) => 8,
        Entry::Paused { .. } => 9,
        Entry::Approved { .. } => 10,
        Entry::Overridden { .. } => 11,
        Entry::Rejected { .. } => 12,
        Entry::Guided { .. } => 13,
        Entry::Applying { .. } => 14,
        Entry::Cancelled { .. } => 15,
        Entry::Documents { .. } => 16,
        Entry::Edited(_) => 17,
        Entry::Baseline(_) => 18,
        Entry::BaselineChosen { .. } => 19,
        Entry::Rebased { .. } => 20,
        Entry::Called(_) => 21,
        Entry::Adopted { .. } => 22,
    }
}

/// Puts a part between its two comments.
fn with_part(document: &str, name: &str, part: &str) -> String {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let (before, rest) = document.split_once(&open).unwrap_or_else(|| panic!("there is no {open}"));
    let (_, after) = rest.split_once(&close).unwrap_or_else(|| panic!("there is no {close}"));
    format!("{before}{open}{part}{close}{after}")
}

/// What a person can do, with the heading of its column.
const SAYS: [(&str, Event); 5] = [
    ("approve", Event::Approved),
    ("approve --override", Event::Overridden),
    ("reject", Event::Rejected),
    ("other text", Event::Guided),
    ("cancel", Event::Cancelled),
];

/// Shows what a person can do wherever a change of the flow `sdd` can be, over all its states.
fn people() -> String {
    let flow = CATALOG.flow("sdd").expect("a flow");
    let explored = explore(flow).expect("its states");
    let mut can: BTreeMap<(u8, Position), [BTreeSet<bool>; SAYS.len()]> = BTreeMap::new();
    for state in &explored.states {
        let row = can.entry((rank(state.position), state.position)).or_default();
        for (cell, (_, say)) in row.iter_mut().zip(SAYS) {
            cell.insert(is_taken(flow, state, say));
        }
    }
    let cell = |known: &BTreeSet<bool>| match (known.contains(&true), known.contains(&false)) {
        (true, false) => "yes",
        (true, true) => "at times",
        (false, _) => "",
    };
    let heads: Vec<_> = SAYS.iter().map(|(head, _)| *head).collect();
    let mut table =
        format!("| a change is at | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(SAYS.len()));
    for ((_, position), row) in can {
        let row = row.each_ref().map(cell).join(" | ");
        table.push_str(&format!("| {} | {row} |\n", words(flow, position)));
    }
    table
}

/// Words are an answer where an agent asked, and guidance elsewhere.
fn is_taken(flow: &Flow, state: &State, say: Event) -> bool {
    let is_answer = say == Event::Guided && matches!(state.position, Position::Blocked(_));
    let say = if is_answer { Event::Answered } else { say };
    state.after(flow, say).is_ok()
}

/// Orders the positions: steps, gates, questions, ends.
const fn rank(position: Position) -> u8 {
    match position {
        Position::Step(_) => 0,
        Position::Paused { .. } => 1,
        Position::Blocked(_) => 2,
        Position::Archived | Position::Rejected(_) | Position::Cancelled => 3,
    }
}

fn words(flow: &Flow, position: Position) -> String {
    match position {
        Position::Step(id) => flow.step(id).name.to_string(),
        Position::Paused { after, .. } => format!("your approval of {}", flow.step(after).name),
        Position::Blocked(id) => format!("a question of {}", flow.step(id).name),
        Position::Archived => "the end: archived".to_owned(),
        Position::Rejected(_) => "the end: rejected".to_owned(),
        Position::Cancelled => "the end: cancelled".to_owned(),
    }
}

/// Says what goes into the prompt of each phase.
fn prompts() -> String {
    let mut table =
        "| phase | in the system prompt | in the context, in order |\n|---|---|---|\n".to_owned();
    for phase in Phase::ALL.iter().copied() {
        let variables: Vec<_> = Variable::ALL
            .iter()
            .copied()
            .filter(|it| is_used(phase, *it))
            .map(|it| format!("`{it}`"))
            .collect();
        let step = CATALOG.step(phase);
        let files = step.reads.iter().map(|file| {
            let need = if file.is_optional { " (if there)" } else { "" };
            format!("`{}`{need}: {}", file.path, file.why)
        });
        let supplies = supplied(step).iter().map(|supply| {
            let name = match supply {
                Supply::Specs => "`agentd/specs/*.md`",
                Supply::Diff => "`changes.diff`",
                Supply::Thoughts => "`<thought>`",
            };
            format!("{name} (if there): {}", supply.why())
        });
        let context: Vec<_> = files.chain(supplies).collect();
        table.push_str(&format!(
            "| {phase} | {} | {} |\n",
            variables.join(", "),
            context.join("<br>")
        ));
    }
    table
}

/// Says whether a template of the phase asks for a variable.
fn is_used(phase: Phase, variable: Variable) -> bool {
    let hole = format!("{{{{{variable}}}}}");
    agentd::Agent::ALL
        .iter()
        .any(|agent| agentd::catalog::CATALOG.system(*agent, phase).text.contains(&hole))
}
