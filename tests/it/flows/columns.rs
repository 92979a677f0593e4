//! One table says everything about a column: whoever knows columns knows them from there.

use agentd::compile::flow::{FlowCode, FlowCompilation, KEYS};
use agentd::flow::{Column, Kind, Step};
use agentd::template::{Command, Role};

use super::compiled;
use crate::support::{files, read};

/// Compiles a flow with one step of a kind, which has one line more.
fn with_line(kind: Kind, line: &str) -> FlowCompilation {
    let kind = if line.starts_with("kind ") { String::new() } else { format!("kind = \"{kind}\"") };
    let text = format!("version = 1\n[steps.one]\n{kind}\n{line}\n");
    compiled("small", &text)
}

/// Returns whether a column is one of a kind of steps. Its value is wrong for any column, and so reported if it is read.
fn is_read(column: &Column, kind: Kind) -> bool {
    let compilation = with_line(kind, &format!("{} = [[]]", column.name));
    let on_its_line = compilation.faults.iter().filter(|fault| {
        let source = compilation.sources.get(fault.place.file);
        source.text[..fault.place.span.start].ends_with(&format!("{} = ", column.name))
            || source.text[..fault.place.span.start].ends_with(&format!("{} = [", column.name))
    });
    on_its_line.count() > 0
}

fn is_misplaced(column: &Column, kind: Kind) -> bool {
    let compilation = with_line(kind, &format!("{} = [[]]", column.name));
    let misplaced = |code: FlowCode| code == FlowCode::MisplacedColumn;
    compilation.faults.iter().any(|fault| misplaced(fault.code))
}

#[test]
fn every_column_is_read_in_steps_of_its_kinds_and_refused_in_all_others() {
    for column in Step::COLUMNS {
        for kind in Kind::ALL {
            let has = column.kinds.contains(kind);
            assert_eq!(is_read(column, *kind), has, "{} in {kind}", column.name);
            assert_eq!(is_misplaced(column, *kind), !has, "{} in {kind}", column.name);
        }
    }
}

#[test]
fn a_column_that_does_not_exist_is_answered_with_all_that_do() {
    let report = with_line(Kind::Agent, "nonsense = 1").report();
    let all: Vec<_> = Step::COLUMNS.iter().map(|column| column.name).collect();
    assert!(report.contains(&format!("expected one of {}", all.join(", "))), "{report}");
    for column in Step::COLUMNS {
        let misspelt = with_line(Kind::Agent, &format!("{}z = 1", column.name)).report();
        assert!(misspelt.contains("there is no key"), "{misspelt}");
    }
}

#[test]
fn every_column_and_key_is_documented_in_a_row_of_its_own() {
    let document = read("docs/flows.md");
    for column in Step::COLUMNS {
        let rows = document.lines().filter(|line| {
            line.starts_with(&format!("| `{}` | ", column.name))
                && line.ends_with(&format!("{} |", column.about))
        });
        assert_eq!(rows.count(), 1, "{}", column.name);
    }
    for key in KEYS {
        let row = format!("| `{}` | {} |", key.name, key.about);
        assert_eq!(document.lines().filter(|line| *line == row).count(), 1, "{}", key.name);
    }
}

/// Adding a column takes a row of the table: whoever reads, writes or shows steps visits the columns.
#[test]
fn the_names_of_columns_stand_in_the_table_alone() {
    let named: Vec<String> =
        Step::COLUMNS.iter().map(|column| format!("{:?}", column.name)).collect();
    // Elsewhere a plain word may be that of something else.
    let compounds: Vec<_> = named.iter().filter(|name| name.contains('_')).cloned().collect();
    assert!(compounds.len() > 2, "{compounds:?}");
    let compiler = files("src/compile/flow", ".rs").into_iter().map(|path| (path, &named));
    let engine = files("src/engine", ".rs").into_iter().map(|path| (path, &compounds));
    // A flow has some keys that are named like columns.
    let is_key = |column: &&Column| KEYS.iter().any(|key| key.name == column.name);
    let own = Step::COLUMNS.iter().filter(|column| !is_key(column));
    let visited =
        own.flat_map(|it| ["\"{}\"", ".{},", ".{}."].map(|form| form.replace("{}", it.name)));
    let visited: Vec<_> = visited.collect();
    let visitors = ["src/compile/codegen/flow.rs", "src/cli/flows/json.rs"];
    let visitors = visitors.into_iter().map(|path| (path.to_owned(), &visited));
    for (path, names) in compiler.chain(engine).chain(visitors) {
        if path.ends_with("/key.rs") {
            continue;
        }
        let text = read(&path);
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            let found = names.iter().find(|name| line.contains(name.as_str()));
            assert_eq!(found, None, "{path}:{}: {line}", number + 1);
        }
    }
}

/// What is asked of a step is a column, and what is asked of a prompt stands in its contract: a flow of a project gets both. The
/// roles that are left carry out plans and look into topics, and a review ends with a marker of that phase.
#[test]
fn the_engine_asks_for_no_prompt_by_its_name() {
    let prompts = ["Prompt::System(", "Prompt::Role(", "Prompt::Command(", "Prompt::Own"];
    let commands = Command::ALL.iter().map(|command| format!("Command::{command:?}"));
    let others = [Role::Coder, Role::CodeResearcher, Role::WebResearcher];
    let roles = Role::ALL.iter().filter(|role| !others.contains(role));
    let roles = roles.map(|role| format!("Role::{role:?}"));
    let named: Vec<String> =
        prompts.into_iter().map(str::to_owned).chain(commands).chain(roles).collect();
    for path in files("src/engine", ".rs").into_iter().chain(files("src/cli/change", ".rs")) {
        let text = read(&path);
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            // The prompts of the team are told apart by whoever makes them.
            let line = line.replace("TeamPrompt::Role(", "");
            let found = named.iter().find(|name| line.contains(name.as_str()));
            assert_eq!(found, None, "{path}:{}: {line}", number + 1);
        }
    }
}
