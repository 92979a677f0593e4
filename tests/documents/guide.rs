//! Holds `docs/guide.md` to the program: its commands are run in order, and what they print is what it shows.

use super::played::prints_what_it_shows;
use super::{read, rows};

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/guide.md");

/// The commands of the guide that are to fail, with their exit codes: what nobody has trusted is not run, what was red
/// before is not taken on unasked, what is red is not archived, and an agent that is not installed cannot be asked.
const FAILING: [(&str, i32); 4] = [
    ("agentd run add-logout \"Add a way to log out\"", 4),
    ("agentd run add-logout \"Add a way to log out\"", 4),
    ("agentd run add-logout --baseline fix", 8),
    ("agentd run add-search --agent gemini", 5),
];

#[test]
fn every_command_of_the_guide_prints_what_the_guide_shows() {
    let document = read(GUIDE);
    assert!(document.contains("export AGENTD_AGENT=offline\n"), "the session has it set");
    prints_what_it_shows(GUIDE, &FAILING);
}

#[test]
fn the_guide_shows_every_command_about_changes() {
    let document = read(GUIDE);
    let shown = |command: &str| {
        document.lines().any(|line| line.starts_with(&format!("$ agentd {command}")))
    };
    for command in [
        "demo", "init", "doctor", "run", "status", "list", "approve", "reject", "log", "show",
        "diff", "merge", "rebase", "discard", "prune", "usage", "cancel", "trust",
    ] {
        assert!(shown(command), "`agentd {command}` is not in the guide");
    }
}

#[test]
fn the_guide_says_what_to_do_after_each_exit_code() {
    let table: Vec<[String; 3]> = rows(&read(GUIDE), "| exit code | what it means | what to do |");
    let codes: Vec<&str> = table.iter().map(|[code, _, _]| code.as_str()).collect();
    let known =
        ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "129, 130, 143"];
    assert_eq!(codes, known);
    assert!(table.iter().all(|[_, meaning, remedy]| !meaning.is_empty() && !remedy.is_empty()));
}
