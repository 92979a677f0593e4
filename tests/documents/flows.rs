//! Holds `docs/flows.md` to the code: every column and every fault is documented, every report is what the compiler gives, and
//! the files of the tutorial compile.

use std::process::Command;
use std::sync::Mutex;

use agentd::compile::flow::{FlowCode, FlowCompilation, KEYS, Origin, compile_flows};
use agentd::compile::{Sources, contract};
use agentd::flow::{Column, Kind, Outcome, Step};
use agentd::template::{Command as TeamCommand, Phase, TeamPrompt};

use super::played::plays;
use super::session::Session;
use super::{blessed, in_code_font, read, sections, trimmed, with_blocks};

const FLOWS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/flows.md");
const QUICK: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/flows/quick.toml"));

fn compiled(files: &[(&str, &str)]) -> FlowCompilation {
    let mut sources = Sources::new("agentd");
    for (name, text) in files {
        sources.add(&format!("flows/{name}"), text.as_bytes().to_vec());
    }
    compile_flows(sources, Origin::Project(&["sdd", "team", "quick"]))
}

#[test]
fn every_code_of_a_flow_has_one_section_in_the_order_of_the_table() {
    let document = read(FLOWS);
    let documented: Vec<&str> =
        sections(&document).into_iter().filter_map(|(title, _)| in_code_font(title)).collect();
    let known: Vec<&str> = FlowCode::ALL.iter().map(|code| code.slug()).collect();
    assert_eq!(documented, known);
    for (title, body) in sections(&document) {
        let Some(slug) = in_code_font(title) else { continue };
        for part in ["- Meaning: ", "- Fix: "] {
            let count = body.lines().filter(|line| line.starts_with(part)).count();
            assert_eq!(count, 1, "`{slug}` has {count} lines with `{part}`");
        }
        assert_eq!(body.matches("```text\n").count(), 1, "`{slug}` shows one report");
    }
}

#[test]
fn every_table_and_report_on_flows_is_the_one_that_the_code_gives() {
    let _writing = WRITING.lock();
    let document = read(FLOWS);
    let mut current = with_part(&document, "keys", &table_of_keys());
    current = with_part(&current, "columns", &table_of_columns());
    let drawing = shown(&["flows", "show", "sdd", "--mermaid"]);
    current = with_part(&current, "drawing", &format!("```mermaid\n{drawing}```\n"));
    let mut blocks = vec![trimmed(&shown(&["flows", "show", "sdd"]))];
    blocks.extend(FlowCode::ALL.iter().map(|code| report_of(*code)));
    current = with_blocks(&current, &blocks);
    if !blessed(FLOWS, &current) {
        assert_eq!(document, current, "run with AGENTD_BLESS=1");
    }
}

/// Two tests write parts of the document anew.
static WRITING: Mutex<()> = Mutex::new(());

/// Returns the files of the tutorial: the flow, and its template.
fn tutorial(document: &str) -> (String, String) {
    let block = |language: &str| {
        let (_, rest) = document.split_once(&format!("```{language}\n")).expect("a block");
        rest.split_once("```\n").expect("the end of the block").0.to_owned()
    };
    (block("toml"), block("markdown"))
}

#[test]
fn the_tutorial_on_flows_brings_a_change_into_the_archive() {
    let _writing = WRITING.lock();
    let (flow, template) = tutorial(&read(FLOWS));
    let session = Session::begin().with_files(&[
        ("agentd/flows/careful.toml", &flow),
        ("agentd/flows/careful/BASE-security.md", &template),
    ]);
    let untrusted = "agentd run hash-it \"Hash the passwords\" --flow careful --agent offline";
    plays(FLOWS, session, 5, &[(untrusted, 4)]);
    let document = read(FLOWS);
    assert!(document.contains("\nsecurity   PASS (0.1 s)\n"), "its own step is done");
    assert!(
        document.contains("\narchived   /home/ada/shop/agentd/archive/"),
        "the change is archived"
    );
}

#[test]
fn the_files_of_the_tutorial_on_flows_compile() {
    let document = read(FLOWS);
    let (flow, template) = tutorial(&document);
    let compilation = compiled(&[
        ("careful.toml", flow.as_str()),
        ("careful/BASE-security.md", template.as_str()),
    ]);
    assert!(compilation.is_ok(), "{}", compilation.report());
    assert_eq!(compilation.flows[0].flow.name, "careful");
    // The edge that the tutorial breaks.
    let broken = flow.replace("PASS = \"last-checks\"", "PASS = \"archive\"");
    assert_ne!(broken, flow);
    let report = compiled(&[
        ("careful.toml", broken.as_str()),
        ("careful/BASE-security.md", template.as_str()),
    ])
    .report();
    let path = "implement ALL_DONE -> checks GREEN -> security PASS -> archive";
    assert!(report.contains(path), "{report}");
    assert!(document.contains(path), "the tutorial shows {path}");
}

/// Runs the binary, and returns what it prints.
fn shown(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_agentd"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn every_prompt_ends_as_the_document_says() {
    let document = read(FLOWS);
    let row = |prompt: &str, ends: &[Outcome]| {
        let ends: Vec<_> = ends.iter().map(|outcome| format!("`{outcome}`")).collect();
        format!("| `{prompt}` | {} |\n", ends.join(", "))
    };
    for phase in Phase::ALL {
        let ends = &contract::of_phase(*phase).ends;
        if *ends != [Outcome::Files] {
            let row = row(&format!("system:{phase}"), ends);
            assert!(document.contains(&row), "{row}");
        }
    }
    let judges = TeamPrompt::all().filter(|prompt| contract::of_prompt(*prompt).ends.len() > 1);
    assert_eq!(judges.collect::<Vec<_>>(), [TeamPrompt::Command(TeamCommand::Review)]);
    let ends = &contract::of_prompt(TeamPrompt::Command(TeamCommand::Review)).ends;
    assert!(document.contains(&row("commands:review", ends)));
}

fn table_of_keys() -> String {
    let rows = KEYS.iter().map(|key| format!("| `{}` | {} |\n", key.name, key.about));
    "| key | what it says |\n|---|---|\n".to_owned() + &rows.collect::<String>()
}

fn table_of_columns() -> String {
    let kinds = |kinds: &[Kind]| match kinds.len() {
        5 => "every".to_owned(),
        _ => kinds.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(", "),
    };
    let row = |column: &Column| {
        format!("| `{}` | {} | {} |\n", column.name, kinds(column.kinds), column.about)
    };
    let head = "| column | kinds | what it says |\n|---|---|---|\n".to_owned();
    head + &Step::COLUMNS.iter().map(row).collect::<String>()
}

/// Puts a part between its two comments.
fn with_part(document: &str, name: &str, part: &str) -> String {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let (before, rest) = document.split_once(&open).unwrap_or_else(|| panic!("there is no {open}"));
    let (_, after) = rest.split_once(&close).unwrap_or_else(|| panic!("there is no {close}"));
    format!("{before}{open}{part}{close}{after}")
}

fn report_of(code: FlowCode) -> String {
    let (name, text) = broken(code);
    let compilation = compiled(&[(name, text.as_str())]);
    let report = compilation.report();
    let codes: Vec<_> = compilation.faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, [code], "the flow for `{}` gives:\n{report}", code.slug());
    assert!(compilation.template_faults.is_empty(), "{report}");
    // The last line counts; with one fault it says nothing.
    trimmed(report.split_once("\n\n").map_or("", |(fault, _count)| fault))
}

/// Breaks one thing in a flow, so that exactly this code is reported.
fn broken(code: FlowCode) -> (&'static str, String) {
    let changed = |old: &str, new: &str| {
        assert!(QUICK.contains(old), "`{old}`");
        QUICK.replacen(old, new, 1)
    };
    let with = |text: &str| format!("{QUICK}\n{text}");
    let text = match code {
        FlowCode::FlowName => return ("quick.toml", QUICK.to_owned()),
        FlowCode::Syntax => changed("start = \"implement\"", "start = implement"),
        FlowCode::Version => changed("version = 1", "version = 2"),
        FlowCode::UnknownKey => changed("reopen = ", "reopn = "),
        FlowCode::MisplacedColumn => {
            changed("kind = \"checks\"\n", "kind = \"checks\"\nrounds = 3\n")
        }
        FlowCode::MissingKey => {
            changed("about = \"implement and review a small change without a plan\"\n", "")
        }
        FlowCode::WrongValue => {
            changed("[\"reviewed\", \"checked\"]", "[\"reviewd\", \"checked\"]")
        }
        FlowCode::UnknownStep => changed("reopen = \"implement\"", "reopen = \"implment\""),
        FlowCode::StepName => with("[steps.archived]\nkind = \"gate\"\n"),
        FlowCode::TooManySteps => {
            let step = |number: u32| {
                format!(
                    "[steps.gate-{number}]\nkind = \"gate\"\non = {{ APPROVE = \"archive\", REJECT = \"implement\" }}\n"
                )
            };
            with(&(1..=28).map(step).collect::<String>())
        }
        FlowCode::UnknownOutcome => {
            changed("RED = \"review\"", "RED = \"review\", PASS = \"review\"")
        }
        FlowCode::MissingOutcome => changed(", MAJOR_ISSUES = \"implement\"", ""),
        FlowCode::WrongEnd => changed("GREEN = \"archive\"", "GREEN = \"archived\""),
        FlowCode::Skip => changed(
            "tasks = \"request\"\n",
            "tasks = \"request\"\nskip_unless = \"schedule:plans_due\"\n",
        ),
        FlowCode::Judge => {
            changed("judges = \"code\"\n", "judges = \"code\"\nworkspace = \"write\"\n")
        }
        FlowCode::PassNeeds => {
            changed("tasks = \"request\"\n", "tasks = \"request\"\npass_needs = [\"green\"]\n")
        }
        FlowCode::UndeclaredChange => changed("changes = \"code\"\n", ""),
        FlowCode::MisplacedFile => {
            changed("[\"IMPLEMENTATION.md\"]", "[\"REPORT.md:implementation\"]")
        }
        FlowCode::OwnTemplate => changed("prompt = \"system:review\"", "prompt = \"own\""),
        FlowCode::Unreachable => with(
            "[steps.lost]\nkind = \"gate\"\non = { APPROVE = \"archive\", REJECT = \"implement\" }\n",
        ),
        FlowCode::DeadEnd => {
            let flow = changed("MAJOR_ISSUES = \"implement\"", "MAJOR_ISSUES = \"talk\"");
            format!(
                "{flow}\n[steps.talk]\nkind = \"gate\"\non = {{ APPROVE = \"talk\", REJECT = \"talk\" }}\n"
            )
        }
        FlowCode::EndlessLoop => changed("rounds = \"limits.implement_rounds\"\n", ""),
        FlowCode::FileNotLeft => changed("TASKS_LEFT = \"implement\"", "TASKS_LEFT = \"review\""),
        FlowCode::NotGuaranteed => {
            changed("NEEDS_CHANGES = \"implement\"", "NEEDS_CHANGES = \"last-checks\"")
        }
        FlowCode::TooManyStates => crowded(),
    };
    ("small.toml", text)
}

/// A flow in which it matters which of many steps were done.
fn crowded() -> String {
    const LAST: u32 = 27;
    let name =
        |number: u32| if number > LAST { "archive".to_owned() } else { format!("look-{number}") };
    let step = |number: u32| {
        let [pass, changes, issues] = [1, 2, 3].map(|more| name(number + more));
        format!(
            "[steps.look-{number}]\nprompt = \"system:review\"\nreject = \"look-{number}\"\n\
             on = {{ PASS = \"{pass}\", NEEDS_CHANGES = \"{changes}\", MAJOR_ISSUES = \"{issues}\" }}\n\n"
        )
    };
    let steps: String = (1..=LAST).map(step).collect();
    format!(
        "version = 1\nabout = \"look at a change very often\"\nstart = \"look-1\"\nguarantees = []\n\n{steps}\
         [steps.archive]\nkind = \"archive\"\non = {{ DONE = \"archived\" }}\n"
    )
}
