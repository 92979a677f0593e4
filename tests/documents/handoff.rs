//! Holds `docs/handoff-contracts.md` to the code: its tables are generated, its examples are handed in. The fragments
//! that tell agents of the tools are held to them in the same way.

use std::fs;
use std::path::Path;

use agentd::engine::schedule::{EXECUTION_PLAN, PlanningFiles, documents, unschedulable};
use agentd::handoff::{Desk, Field, Kind, Need, Tool};
use agentd::prompt::confined::ConfinedFolder;
use agentd::template::Role;
use serde_json::{Value, json};

use super::{blessed, planning, read};

const CONTRACTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/handoff-contracts.md");
const FRAGMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/templates/shared");

const HANDOFF: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/handoff");
/// Where faults are found.
const SOURCES: [&str; 16] = [
    "blocked",
    "desk",
    "fallback",
    "preference",
    "set_aside",
    "shape",
    "text",
    "submissions/architecture",
    "submissions/done",
    "submissions/execution_plan",
    "submissions/plan",
    "submissions/pm_done",
    "submissions/research_done",
    "submissions/research_request",
    "submissions/review",
    "submissions/subplan",
];

const ROLES: &str = "| role | tools |";
const FIELDS: &str = "| field | holds | needed | meaning |";

#[test]
fn the_contracts_list_every_role_tool_and_field_as_the_code_has_them() {
    let document = read(CONTRACTS);
    let current = with_tables(&document);
    if !blessed(CONTRACTS, &current) {
        assert_eq!(document, current, "run with AGENTD_BLESS=1");
    }
    let named: Vec<_> =
        current.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')).collect();
    assert_eq!(named, Tool::WORDS);
}

#[test]
fn every_fault_of_a_submission_is_in_the_contracts() {
    let document = read(CONTRACTS);
    let (_, table) = document.split_once("## Faults\n").expect("a section");
    let table = table.split("\n## ").next().unwrap_or_default();
    // Back-ticks would end the code font of the table.
    let sources: String = SOURCES
        .iter()
        .map(|file| read(&format!("{HANDOFF}/{file}.rs")))
        .map(|text| text.split("#[cfg(test)]").next().unwrap_or_default().replace('`', ""))
        .collect::<String>()
        .replace("\\\n             ", "");
    let mut told = 0;
    for call in sources.split("faults.add(").skip(1) {
        let call = call.split(");").next().and_then(|call| call.split("),\n").next());
        let call = call.unwrap_or_default();
        let Some(message) = call.rsplit('"').nth(1).filter(|message| message.contains(' ')) else {
            continue;
        };
        for words in pieces(message) {
            assert!(table.contains(words), "`{words}` of `{message}` is not in the contracts");
        }
        told += 1;
    }
    assert!(told >= 15, "only {told} messages were found");
    for row in table.lines().filter_map(|row| row.strip_prefix("| `")?.split('`').next()) {
        for words in row.split('…') {
            let is_told = sources.contains(words);
            assert!(is_told, "`{words}` of `{row}` is in the contracts, and nobody says it");
        }
    }
}

/// Gives what stands between the holes of a format.
fn pieces(format: &str) -> impl Iterator<Item = &str> {
    format.split('{').map(|piece| piece.split_once('}').map_or(piece, |(_, after)| after).trim())
}

#[test]
fn every_example_of_the_contracts_is_taken() {
    let document = read(CONTRACTS);
    let ground = Ground::new();
    for tool in Tool::ALL.iter().copied() {
        let section = document.split(&format!("### `{tool}`\n")).nth(1).expect("a section");
        let examples = blocks(section.split("\n### ").next().unwrap_or_default(), "json");
        assert_eq!(examples.len(), 1, "{tool}");
        let value =
            serde_json::from_str(examples[0]).unwrap_or_else(|error| panic!("{tool}: {error}"));
        if tool == Tool::SubmitDone {
            ground.write("04_planning/tasks_1.md", "- [x] Write it\n");
        }
        ground.submit(tool, &value);
    }
}

#[test]
fn every_example_of_a_role_that_is_blocked_is_taken() {
    let document = read(CONTRACTS);
    let section = document.split("## Blocked\n").nth(1).expect("a section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let (calls, files) = (blocks(section, "json"), blocks(section, "yaml"));
    assert_eq!((calls.len(), files.len()), (1, 1));
    let ground = Ground::new();
    let value = serde_json::from_str(calls[0]).expect("JSON");
    for tool in Tool::ALL.iter().copied().filter(|tool| tool.word().starts_with("submit_")) {
        ground.submit(tool, &value);
    }
    let yaml: Value = serde_saphyr::from_str(files[0]).expect("YAML");
    assert_eq!(yaml["status"], value["status"]);
    ground.submit(Tool::SubmitArchitecture, &yaml);
}

#[test]
fn seed_002_the_fragments_tell_of_every_parameter_and_their_examples_are_taken() {
    let mut seen = 0;
    for (fragment, tools) in [
        ("handoff-contract-architecture.md", &[Tool::SubmitArchitecture][..]),
        (
            "handoff-contract-plan.md",
            &[Tool::SubmitSubplan, Tool::SubmitExecutionPlan, Tool::SubmitPlan],
        ),
        ("handoff-contract-review.md", &[Tool::SubmitReview]),
    ] {
        let text = read(&format!("{FRAGMENTS}/{fragment}"));
        for tool in tools {
            assert!(text.contains(&format!("`{tool}`")), "{fragment} does not name {tool}");
            for name in names(tool.fields()) {
                let is_named = text.contains(&format!("`{name}`"))
                    || text.contains(&format!("{{{name},"))
                    || text.contains(&format!(" {name},"))
                    || text.contains(&format!("{name}}}"))
                    || text.contains(&format!("{{ {name}: "))
                    || text.contains(&format!(" {name}: "));
                assert!(is_named, "{fragment} does not tell of `{name}` of {tool}");
            }
        }
        seen += calls(fragment, &text, tools) + files(fragment, &text, tools);
    }
    assert!(seen >= 10, "only {seen} examples were found");
}

/// Hands in the calls that a fragment shows.
fn calls(fragment: &str, text: &str, tools: &[Tool]) -> usize {
    let mut seen = 0;
    for block in blocks(text, "json") {
        for call in serde_json::Deserializer::from_str(block).into_iter::<Value>() {
            let call = call.unwrap_or_else(|error| panic!("{fragment}: {error}\n{block}"));
            let tool = call["name"].as_str().and_then(Tool::from_word).expect("a tool");
            assert!(tools.contains(&tool), "{fragment}: {tool}");
            Ground::new().submit(tool, &call["arguments"]);
            seen += 1;
        }
    }
    seen
}

/// Takes the files that a fragment shows, each of which names its path in its first line.
fn files(fragment: &str, text: &str, tools: &[Tool]) -> usize {
    let blocks = blocks(text, "yaml");
    assert!(blocks.len() >= tools.len(), "{fragment}");
    for block in &blocks {
        let path = block.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a path");
        if let Some(name) = path.strip_prefix("04_planning/").filter(|name| *name == EXECUTION_PLAN)
        {
            let files = PlanningFiles::new("agentd/changes/add-login").with(name, *block);
            documents(&files).unwrap_or_else(|faults| panic!("{fragment}: {path}\n{faults}"));
            continue;
        }
        let ground = Ground::new();
        ground.write(path, block);
        let role = owner(tools[0]);
        let taken = ground.with_desk(role, |desk| agentd::handoff::read_fallback(desk, 1));
        let taken = taken.into_iter().find(|taken| taken.path == path);
        let outcome =
            taken.unwrap_or_else(|| panic!("{fragment}: `{path}` is no file of a submission"));
        if let Err(error) = outcome.outcome {
            panic!("{fragment}: {path}\n{error}");
        }
    }
    blocks.len()
}

/// A change in which all is there that a submission may need.
struct Ground(tempfile::TempDir);

impl Ground {
    fn new() -> Self {
        let ground = Self(tempfile::tempdir().expect("a folder"));
        for path in [
            "01_product_management/analysis.md",
            "03_research/code-auth/summary.md",
            "05_design/design.md",
            "08_completion/summary.md",
        ] {
            ground.write(path, "text");
        }
        ground.write("04_planning/plan_1.md", &planning::plan("One", &["src/"], "none"));
        ground.write("04_planning/tasks_1.md", "- [ ] Write it\n");
        let plan = json!({
            "version": 1,
            "groups": [{ "group_id": "all", "mode": "serial", "plans": [{ "file": "plan_1.md", "name": "One" }] }],
            "needs_design": false,
            "needs_docs": false,
            "doc_files": [],
            "review_strategy": { "severity": "low", "focus": [] },
        });
        ground.submit(Tool::SubmitExecutionPlan, &plan);
        ground
    }

    fn change(&self) -> std::path::PathBuf {
        self.0.path().join("agentd/changes/add-login")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.change().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("made");
        fs::write(path, text).expect("written");
    }

    fn with_desk<T>(&self, role: Role, action: impl FnOnce(&Desk<'_>) -> T) -> T {
        let folder = ConfinedFolder::open(&self.change()).expect("it opens");
        let change = "add-login".parse().expect("an id");
        let (schedule, change) = (unschedulable, &change);
        action(&Desk { folder: &folder, role, plan: None, schedule, change })
    }

    fn submit(&self, tool: Tool, value: &Value) {
        let outcome = self.with_desk(owner(tool), |desk| desk.submit(tool, value, 1));
        outcome.unwrap_or_else(|error| panic!("{tool}:\n{error}"));
    }
}

/// Gives a role that has a tool.
fn owner(tool: Tool) -> Role {
    if tool == Tool::SubmitDone {
        return Role::Coder;
    }
    *Role::ALL.iter().find(|role| Tool::of(**role).contains(&tool)).expect("an owner")
}

fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let open = format!("```{language}\n");
    let rest = text.split(&open).skip(1);
    rest.map(|rest| rest.split_once("```").expect("the block is closed").0).collect()
}

/// Lists the names of fields, and of those within them.
fn names(fields: &'static [Field]) -> Vec<&'static str> {
    let within = |kind: &'static Kind| match kind {
        Kind::Map(fields) | Kind::List { of: Kind::Map(fields), .. } => names(fields),
        _ => Vec::new(),
    };
    fields.iter().flat_map(|field| [vec![field.name], within(&field.kind)].concat()).collect()
}

/// Puts the tables in place of those of the document.
fn with_tables(document: &str) -> String {
    let mut out = String::new();
    let mut tool = None;
    let mut lines = document.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(&format!("{line}\n"));
        if let Some(name) = line.strip_prefix("### `").and_then(|rest| rest.strip_suffix('`')) {
            tool = Tool::from_word(name);
        }
        if ![ROLES, FIELDS].contains(&line) {
            continue;
        }
        while lines.next_if(|line| line.starts_with('|')).is_some() {}
        if line == ROLES {
            out.push_str("|---|---|\n");
            for role in Role::ALL {
                let tools: Vec<_> =
                    Tool::of(*role).iter().map(|tool| format!("`{tool}`")).collect();
                out.push_str(&format!("| {role} | {} |\n", tools.join(", ")));
            }
        } else {
            out.push_str("|---|---|---|---|\n");
            rows_of(tool.expect("a tool before the table").fields(), "", &mut out);
        }
    }
    out
}

fn rows_of(fields: &'static [Field], within: &str, out: &mut String) {
    for field in fields {
        let path = format!("{within}{}", field.name);
        let need = match field.need {
            Need::Required => "yes",
            Need::Optional => "no",
        };
        let (holds, below) = match &field.kind {
            Kind::Map(fields) => ("an object".to_owned(), Some((format!("{path}."), *fields))),
            Kind::List { of: Kind::Map(fields), least } => {
                let least =
                    if *least == 0 { String::new() } else { format!(" of at least {least}") };
                (format!("a list{least} of objects"), Some((format!("{path}[]."), *fields)))
            }
            kind => (kind.words(), None),
        };
        out.push_str(&format!("| `{path}` | {holds} | {need} | {} |\n", field.about));
        if let Some((path, fields)) = below {
            rows_of(fields, &path, out);
        }
    }
}
