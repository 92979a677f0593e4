//! Holds `docs/workflow.md` to the code: its diagram and its tables are generated, its journal is read.

use std::collections::{BTreeMap, BTreeSet};

use agentd::engine::change::words;
use agentd::engine::diagram::mermaid;
use agentd::engine::entry::{Entry, Record};
use agentd::engine::machine::{Event, Evidence, Outcome, Stage, State};
use agentd::engine::supplies::{Supply, supplied};
use agentd::engine::team::diagram as team;
use agentd::models::word::Word as _;
use agentd::orchestrator::prompts::artifacts::{Need, wanted};
use agentd::{Phase, Variable, Verdict};

use super::{blessed, read};

const WORKFLOW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/workflow.md");

#[test]
fn the_diagram_and_the_tables_of_the_workflow_are_those_of_the_code() {
    let document = read(WORKFLOW);
    let current = [
        ("diagram", format!("```mermaid\n{}```\n", mermaid())),
        ("diagram of a team", format!("```mermaid\n{}```\n", team::mermaid())),
        ("outcomes", outcomes()),
        ("people", people()),
        ("prompts", prompts()),
    ]
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
    assert_eq!(shown, (0..19).collect(), "an entry has no example");
}

/// Numbers the entries: one that is new has no number, and is missed by the compiler.
const fn number(entry: &Entry) -> u32 {
    match entry {
        Entry::Created { .. } => 0,
        Entry::Started(_) => 1,
        Entry::Finished(_) => 2,
        Entry::Failed { .. } => 3,
        Entry::Verified { .. } => 4,
        Entry::Paused { .. } => 5,
        Entry::Approved { .. } => 6,
        Entry::SentBack { .. } => 7,
        Entry::Guided { .. } => 8,
        Entry::Applying { .. } => 9,
        Entry::Applied => 10,
        Entry::Cancelled { .. } => 11,
        Entry::StepStarted(_) => 12,
        Entry::Lane(_) => 13,
        Entry::PlanDone(_) => 14,
        Entry::StepFinished(_) => 15,
        Entry::StepFailed { .. } => 16,
        Entry::Research(_) => 17,
        Entry::StepPaused { .. } => 18,
    }
}

/// Puts a part between its two comments.
fn with_part(document: &str, name: &str, part: &str) -> String {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let (before, rest) = document.split_once(&open).unwrap_or_else(|| panic!("there is no {open}"));
    let (_, after) = rest.split_once(&close).unwrap_or_else(|| panic!("there is no {close}"));
    format!("{before}{open}{part}{close}{after}")
}

/// Everything that a phase can come to.
fn all_outcomes() -> impl Iterator<Item = Outcome> {
    let verdicts = Verdict::ALL.iter().copied().map(Outcome::Verdict);
    verdicts.chain([Outcome::AllDone, Outcome::TasksLeft, Outcome::Files])
}

/// Says what follows on each outcome of each phase, as the machine has it.
fn outcomes() -> String {
    let pass = Outcome::Verdict(Verdict::Pass);
    let mut state = State::default();
    let mut table = "| phase | outcome | next |\n|---|---|---|\n".to_owned();
    let after = |state: State, event| state.after(event).expect("the way to the archive");
    for phase in Phase::ALL.iter().copied() {
        let started = after(state, Event::Started(phase));
        for outcome in all_outcomes() {
            if let Ok(next) = started.after(Event::Finished(phase, outcome)) {
                table.push_str(&format!(
                    "| {phase} | {} | {} |\n",
                    outcome.spelled(),
                    words(next.stage)
                ));
            }
        }
        state = match phase {
            Phase::Plan | Phase::Challenge => after(started, Event::Finished(phase, pass)),
            Phase::Implement => {
                let done = after(started, Event::Finished(phase, Outcome::AllDone));
                let red = after(
                    after(done, Event::Verified(Evidence::Red)),
                    Event::Started(Phase::Review),
                );
                let next = after(red, Event::Finished(Phase::Review, pass));
                table.push_str(&format!("| review, checks red | PASS | {} |\n", words(next.stage)));
                after(done, Event::Verified(Evidence::Green))
            }
            Phase::Review => {
                let done = after(started, Event::Finished(phase, pass));
                let red = after(done, Event::Verified(Evidence::Red));
                table.push_str(&format!(
                    "| {} | red | {} |\n",
                    words(done.stage),
                    words(red.stage)
                ));
                after(done, Event::Verified(Evidence::Green))
            }
            Phase::Archive => after(started, Event::Finished(phase, Outcome::Files)),
        };
    }
    assert_eq!(after(state, Event::Applied).stage, Stage::Archived);
    table
}

/// Says what a person can do at each stage, over all states that can be reached.
fn people() -> String {
    let says = [Event::Approved, Event::SentBack, Event::Guided, Event::Cancelled];
    let mut can: BTreeMap<Stage, [BTreeSet<bool>; 4]> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![State::default()];
    while let Some(state) = open.pop() {
        // How often something was done matters only in that it was.
        let done: Vec<_> = Phase::ALL.iter().map(|phase| state.rounds(*phase) > 0).collect();
        let known = format!(
            "{:?}",
            (state.stage, state.started, state.succeeded, state.plan_passed, state.code_passed)
        );
        if !seen.insert((known, state.evidence, state.implemented, done)) {
            continue;
        }
        let row = can.entry(state.stage).or_default();
        for (cell, say) in row.iter_mut().zip(says) {
            cell.insert(state.after(say).is_ok());
        }
        open.extend(events().filter_map(|event| state.after(event).ok()));
    }
    let cell = |known: &BTreeSet<bool>| match (known.contains(&true), known.contains(&false)) {
        (true, false) => "yes",
        (true, true) => "at times",
        (false, _) => "",
    };
    let mut table =
        "| a change is at | approve | reject | other text | cancel |\n|---|---|---|---|---|\n"
            .to_owned();
    for (stage, row) in can {
        let row = row.each_ref().map(cell).join(" | ");
        table.push_str(&format!("| {} | {row} |\n", words(stage)));
    }
    table
}

fn events() -> impl Iterator<Item = Event> {
    let of_phases = Phase::ALL.iter().copied().flat_map(|phase| {
        let finished = all_outcomes().map(move |outcome| Event::Finished(phase, outcome));
        finished.chain([Event::Started(phase), Event::Paused(phase)])
    });
    of_phases.chain([
        Event::Verified(Evidence::Green),
        Event::Verified(Evidence::Red),
        Event::Approved,
        Event::SentBack,
        Event::Guided,
        Event::Applied,
        Event::Cancelled,
    ])
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
        let files = wanted(phase).iter().map(|file| {
            let need = match file.need {
                Need::Required => "",
                Need::IfThere => " (if there)",
            };
            format!("`{}`{need}: {}", file.path, file.why)
        });
        let supplies = supplied(phase).iter().map(|supply| {
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
