//! The files of a change: good ones pass, and each rule, broken once, gives exactly its fault at its line.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use agentd::Phase;
use agentd::catalog::CATALOG;
use agentd::engine::expected::{ChangeFiles, FilesError, ask_for_files, check, title};
use agentd::models::agent::Delivers;
use agentd::prompt::blocks::{
    CHANGELOG, IMPLEMENTATION as REPORT_SECTIONS, PROPOSAL as PROPOSAL_SECTIONS,
    SPEC as SPEC_SECTIONS, Section, skeleton,
};
use agentd::prompt::confined::ConfinedFolder;
use agentd::template::IncludeFault;

use crate::language::assert_linear;

pub(crate) const PROPOSAL: &str = "\
# Proposal: Sign in with a password

## Problem

Everybody sees every order.

## Goals

- Nobody sees the orders of another (measured by the scenario of R1).

## Non-goals

None; (Title) is a word like others here.

## BEHAVIOUR

Before: a list of all orders. After: a form, then a list of one's own.

## Affected parts

`src/login.rs` (new), `src/orders.rs`.

## Risks

| risk | answer |
|---|---|
| guessing | a delay |

## Assumptions and open questions

```text
none
```
";

pub(crate) const SPEC: &str = "\
# Login

## Overview

Signing in, before anything else.

## Requirements

### R1: Only one's own orders

The list holds the orders of whoever is signed in.

### R2: Wrong passwords

A wrong password changes nothing.

## Scenarios

### Scenario: Own orders (R1)

- **WHEN** Ada signs in
- **THEN** she sees her orders

### scenario: A wrong password (R1, R2)

- **WHEN** Ada mistypes her password
- **THEN** she sees the form again

## Interfaces

```text
sign_in(name, password) -> Session
```

## Data

A session is:

```json
{
  \"type\": \"object\",
  \"required\": [\"name\"]
}
```

## Diagram

```mermaid
stateDiagram-v2
  [*] --> Out
  Out --> In: sign_in
```

## Errors

A wrong password is told in a sentence.
";

pub(crate) const TASKS: &str = "\
# Tasks

## 1. Login

- [ ] 1.1 Check the password
  depends: none
  requirements: R1, R2
- [ ] 1.2 Show the form
  depends: 1.1
  requirements: R2
";

pub(crate) const REPORT: &str = "\
# Implementation: Sign in with a password

## Summary

It works.

## Tasks

### 1.1 Check the password

- status: COMPLETED
- files: src/login.rs

### 1.2 Show the form

- **Status:** failed, see the notes
- notes: no form library

## Checks

`cargo test`: green.
";

pub(crate) const ENTRY: &str = "\
### Added

- Signing in with a password

### security

* Orders are no longer visible to all
";

pub(crate) fn good() -> ChangeFiles {
    ChangeFiles::default()
        .with("proposal.md", PROPOSAL)
        .with("specs/login.md", SPEC)
        .with("tasks.md", TASKS)
        .with("IMPLEMENTATION.md", REPORT)
        .with("archive/changelog.md", ENTRY)
        .with("archive/specs/login.md", SPEC)
}

fn said(phase: Phase, files: &ChangeFiles) -> Vec<String> {
    let faults = check(CATALOG.step(phase), files);
    for fault in &faults {
        assert!(!fault.help.is_empty(), "{fault}");
    }
    faults.iter().map(ToString::to_string).collect()
}

/// Checks a good change in which one file is another.
fn with(phase: Phase, path: &str, text: &str) -> Vec<String> {
    said(phase, &good().with(path, text))
}

/// Checks a good change in which one piece of a file is another, which must be there.
fn broken(phase: Phase, path: &str, from: &str, to: &str) -> Vec<String> {
    let files = good();
    let text = files.get(path).expect("a file");
    assert_eq!(text.matches(from).count(), 1, "{path} holds {from:?} once");
    with(phase, path, &text.replace(from, to))
}

/// Gives the line of a text that this is.
fn line(text: &str, wanted: &str) -> usize {
    text.lines().position(|line| line == wanted).expect("the line") + 1
}

#[test]
fn good_files_pass_in_every_phase() {
    for phase in Phase::ALL {
        assert_eq!(said(*phase, &good()), [""; 0], "{phase}");
    }
    let windows =
        ["proposal.md", "specs/login.md", "tasks.md", "archive/changelog.md", "IMPLEMENTATION.md"]
            .iter()
            .fold(good(), |files, path| {
                let text = files.get(path).expect("a file").replace('\n', "\r\n");
                files.with(path, text)
            });
    for phase in Phase::ALL {
        assert_eq!(said(*phase, &windows), [""; 0], "{phase}, other ends of lines");
    }
}

#[test]
fn a_file_that_is_missing_or_empty_is_named() {
    let without = |phase, path| said(phase, &good().without(path));
    assert_eq!(without(Phase::Plan, "proposal.md"), ["proposal.md: the file is missing"]);
    assert_eq!(without(Phase::Plan, "specs/login.md"), ["specs/: there is no spec"]);
    assert_eq!(without(Phase::Plan, "tasks.md"), ["tasks.md: the file is missing"]);
    assert_eq!(
        without(Phase::Implement, "IMPLEMENTATION.md"),
        ["IMPLEMENTATION.md: the file is missing"]
    );
    assert_eq!(without(Phase::Implement, "tasks.md"), ["tasks.md: the file is missing"]);
    assert_eq!(
        without(Phase::Archive, "archive/changelog.md"),
        ["archive/changelog.md: the file is missing"]
    );
    assert_eq!(
        without(Phase::Archive, "archive/specs/login.md"),
        ["archive/specs/login.md: the file is missing"]
    );
    assert_eq!(
        said(
            Phase::Archive,
            &good().with("archive/specs/Log in.md", SPEC).with("archive/specs/orders.md", "\n")
        ),
        [
            "archive/specs/Log in.md: `Log in` is not the name of a spec",
            "archive/specs/orders.md: the file is empty"
        ]
    );
    assert_eq!(with(Phase::Plan, "proposal.md", " \n"), ["proposal.md: the file is empty"]);
    assert_eq!(said(Phase::Challenge, &ChangeFiles::default()), [""; 0]);
    assert_eq!(said(Phase::Review, &ChangeFiles::default()), [""; 0]);
}

/// Takes each section away, empties it and doubles it.
fn assert_sections(phase: Phase, path: &str, sections: &[Section]) {
    let files = good();
    let text = files.get(path).expect("a file");
    for Section { title, asks } in sections {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let is_it =
            |line: &&str| line.trim().to_lowercase() == format!("## {title}").to_lowercase();
        let start = lines.iter().position(is_it).expect("the section");
        let length = lines[start + 1..].iter().position(|line| line.starts_with("## "));
        let end = length.map_or(lines.len(), |length| start + 1 + length);
        let section = lines[start..end].concat();
        let put = |piece: &str| {
            with(phase, path, &[&lines[..start].concat(), piece, &lines[end..].concat()].concat())
        };

        assert_eq!(put(""), [format!("{path}: section `{title}` is missing")]);
        let lower = section.replacen("## ", "### ", 1);
        assert!(
            put(&lower).contains(&format!("{path}: section `{title}` is missing")),
            "of level 3: {title}"
        );
        let nothing =
            [format!("{path}:{}: section `{title}` contains no text of its own", start + 1)];
        let placeholder = format!("## {title}\n\n({asks})\n\n");
        let comment = format!("## {title}\n\n<!-- {asks}\n\nto be written -->\n\n");
        for empty in [
            &format!("## {title}\n\n"),
            &placeholder,
            &comment,
            &format!("## {title}\n\n### Later\n\n---\n\n```\n```\n\n"),
        ] {
            assert_eq!(put(empty), nothing, "{empty}");
        }
        let again = format!("{section}\n## {title}\n\nMore.\n\n");
        let expected = format!(
            "{path}:{}: section `{title}` is repeated; the first is on line {}",
            start + 1 + section.lines().count() + 1,
            start + 1
        );
        assert_eq!(put(&again), [expected]);
    }
}

#[test]
fn each_section_must_be_there_once_with_text_of_its_own() {
    assert_sections(Phase::Plan, "proposal.md", &PROPOSAL_SECTIONS);
    assert_sections(Phase::Plan, "specs/login.md", &SPEC_SECTIONS);
    assert_sections(Phase::Archive, "archive/specs/login.md", &SPEC_SECTIONS);
    assert_sections(Phase::Implement, "IMPLEMENTATION.md", &REPORT_SECTIONS);
}

#[test]
fn requirements_have_ids_titles_and_text() {
    let spec = |from: &str, to: &str| broken(Phase::Plan, "specs/login.md", from, to);
    let r1 = line(SPEC, "### R1: Only one's own orders");
    let r2 = line(SPEC, "### R2: Wrong passwords");
    assert_eq!(
        spec("### R2: Wrong passwords", "### R1: Wrong passwords"),
        [
            format!("specs/login.md:{r2}: the id `R1` is already used on line {r1}"),
            format!(
                "specs/login.md:{}: `scenario: A wrong password (R1, R2)` names `R2`, which is not a requirement",
                r2 + 11
            ),
        ]
    );
    assert_eq!(
        spec("### R2: Wrong passwords", "### R2: (Title)"),
        [format!("specs/login.md:{r2}: requirement `R2` has no title")]
    );
    assert_eq!(
        spec(
            "A wrong password changes nothing.",
            "(What must hold, in a form that a test could disprove)"
        ),
        [format!("specs/login.md:{r2}: requirement `R2` has no text")]
    );
    for heading in
        ["Wrong passwords", "Wrong: passwords", "R: Wrong", "R2 Wrong passwords", "2: Wrong"]
    {
        let found = spec(
            "A wrong password changes nothing.",
            &format!("It changes nothing.\n\n### {heading}\n\nNothing.\n"),
        );
        assert_eq!(found, [format!("specs/login.md:{}: `{heading}` is not a requirement", r2 + 4)]);
    }
    let without = SPEC.replace("### R", "#### R");
    let found = with(Phase::Plan, "specs/login.md", &without);
    assert_eq!(
        found[0],
        format!("specs/login.md:{}: there is no requirement", line(SPEC, "## Requirements"))
    );
}

#[test]
fn scenarios_and_requirements_name_each_other() {
    let spec = |from: &str, to: &str| broken(Phase::Plan, "specs/login.md", from, to);
    let own = line(SPEC, "### Scenario: Own orders (R1)");
    let wrong = line(SPEC, "### scenario: A wrong password (R1, R2)");
    assert_eq!(
        spec("(R1, R2)", "(R1)"),
        [format!(
            "specs/login.md:{}: requirement `R2` has no scenario",
            line(SPEC, "### R2: Wrong passwords")
        )]
    );
    assert_eq!(
        spec("(R1, R2)", "(R1, R2, R3)"),
        [format!(
            "specs/login.md:{wrong}: `scenario: A wrong password (R1, R2, R3)` names `R3`, which is not a requirement"
        )]
    );
    for heading in [
        "Scenario: Own orders",
        "Scenario: Own orders (all)",
        "Own orders (R1)",
        "Scenario: Own ()",
    ] {
        assert_eq!(
            spec("Scenario: Own orders (R1)", heading),
            [format!(
                "specs/login.md:{own}: `{heading}` is not a scenario that names a requirement"
            )]
        );
    }
    assert_eq!(
        spec("Own orders (R1)", "(Title) (R1)"),
        [format!("specs/login.md:{own}: `Scenario: (Title) (R1)` has no title")]
    );
    assert_eq!(
        spec(
            "- **WHEN** Ada signs in\n- **THEN** she sees her orders",
            "- **WHEN** (what happens)\n- **THEN** (what can be observed)"
        ),
        [format!("specs/login.md:{own}: `Scenario: Own orders (R1)` has no text")]
    );
    let without =
        SPEC.replace("### Scenario", "#### Scenario").replace("### scenario", "#### scenario");
    assert_eq!(
        with(Phase::Plan, "specs/login.md", &without),
        [format!("specs/login.md:{}: there is no scenario", line(SPEC, "## Scenarios"))]
    );
}

#[test]
fn data_and_diagrams_can_be_read() {
    let spec = |from: &str, to: &str| broken(Phase::Plan, "specs/login.md", from, to);
    let json = line(SPEC, "```json");
    let found = spec("[\"name\"]", "[\"name\"");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with(&format!("specs/login.md:{json}: the JSON cannot be read: ")),
        "{found:?}"
    );
    assert_eq!(
        spec("{\n  \"type\": \"object\",\n  \"required\": [\"name\"]\n}", "[]"),
        [format!("specs/login.md:{json}: the JSON is not a schema: it is not an object")]
    );
    assert_eq!(spec("```json", "```text"), [""; 0], "another language is not looked at");
    assert_eq!(spec("A session is:\n\n```json", "```json"), [""; 0]);

    let diagram = line(SPEC, "## Diagram");
    assert_eq!(
        spec("```mermaid", "```text"),
        [format!("specs/login.md:{diagram}: there is no Mermaid diagram")]
    );
    assert_eq!(
        spec("```mermaid", "There are but two states.\n\n```text"),
        [""; 0],
        "a reason is enough"
    );
}

#[test]
fn what_is_never_closed_is_said_and_hides_nothing_else() {
    assert_eq!(
        broken(Phase::Plan, "specs/login.md", "## Errors\n", "```sh\n\n## Errors\n"),
        [format!("specs/login.md:{}: the code block is never closed", line(SPEC, "## Errors"))]
    );
    let found = broken(Phase::Plan, "proposal.md", "## Risks", "<!-- later\n\n## Risks");
    assert!(
        found.contains(&format!(
            "proposal.md:{}: the comment is never closed",
            line(PROPOSAL, "## Risks")
        )),
        "{found:?}"
    );
}

#[test]
fn tasks_can_be_read_and_name_requirements() {
    let tasks = |from: &str, to: &str| broken(Phase::Plan, "tasks.md", from, to);
    assert_eq!(with(Phase::Plan, "tasks.md", "# Tasks\n\n## 1. Login\n"), ["tasks.md: no tasks"]);
    assert_eq!(
        tasks("- [ ] 1.2 Show the form", "- [ ] Show the form"),
        ["tasks.md:8: `Show the form` does not start with an id"]
    );
    assert_eq!(
        tasks("- [ ] 1.2 Show the form", "- 1.2 Show the form")[0],
        "tasks.md:8: `1.2 Show the form` has no checkbox"
    );
    assert_eq!(tasks("1.2 Show the form", "1.2"), ["tasks.md:8: task `1.2` has no title"]);
    assert_eq!(
        tasks("1.2 Show the form", "1.2 (Imperative title)"),
        ["tasks.md:8: task `1.2` has no title"]
    );
    assert_eq!(
        tasks("R1, R2", "R1, R7"),
        ["tasks.md:5: task `1.1` names `R7`, which is not a requirement of the specs"]
    );
    assert_eq!(
        tasks("  depends: 1.1", "  depends: 1.3"),
        ["tasks.md:8: task `1.2` depends on `1.3`, which is not a task"]
    );
    let two = good()
        .with("specs/orders.md", SPEC.replace("R2", "R7"))
        .with("tasks.md", TASKS.replace("R1, R2", "R1, R7"));
    assert_eq!(said(Phase::Plan, &two), [""; 0], "the ids of all specs count");
    assert_eq!(
        broken(Phase::Implement, "tasks.md", "- [ ] 1.2 Show", "- 1.2 Show")[0],
        "tasks.md:8: `1.2 Show the form` has no checkbox"
    );
}

#[test]
fn a_report_names_every_task_with_a_status() {
    let report = |from: &str, to: &str| broken(Phase::Implement, "IMPLEMENTATION.md", from, to);
    let tasks = line(REPORT, "## Tasks");
    let first = line(REPORT, "### 1.1 Check the password");
    let second = line(REPORT, "### 1.2 Show the form");
    let at = |line: usize, message: &str| [format!("IMPLEMENTATION.md:{line}: {message}")];
    assert_eq!(report("### 1.2 Show the form", ""), at(tasks, "task `1.2` is missing"));
    assert_eq!(report("- status: COMPLETED\n", ""), at(first, "task `1.1` has no status"));
    assert_eq!(
        report("status: COMPLETED", "status: COMPLETED or FAILED"),
        at(first, "task `1.1` has two statuses")
    );
    assert_eq!(
        report("status: COMPLETED", "status: nearly"),
        at(first, "task `1.1` has an unknown status: `nearly`")
    );
    assert_eq!(
        report("## Checks", "### 1.2 Show\n\n- status: FAILED\n\n## Checks"),
        at(second + 5, &format!("task `1.2` is repeated; the first is on line {second}"))
    );
    assert_eq!(
        report("## Checks", "### 1.3 More\n\n- status: FAILED\n\n## Checks"),
        at(second + 5, "`1.3` is not a task of tasks.md")
    );
    assert_eq!(
        report("## Checks", "### More\n\nText.\n\n## Checks"),
        at(second + 5, "`More` does not start with the id of a task")
    );
    assert_eq!(report("status: COMPLETED", "Status: `completed` (was FAILED)"), [""; 0]);
    let in_code = report("- status: COMPLETED\n", "```\nstatus: COMPLETED\n```\n");
    assert_eq!(in_code, at(first, "task `1.1` has no status"));
}

#[test]
fn a_changelog_entry_has_known_groups_with_items() {
    let entry = |from: &str, to: &str| broken(Phase::Archive, "archive/changelog.md", from, to);
    let at = |line: usize, message: &str| [format!("archive/changelog.md:{line}: {message}")];
    assert_eq!(
        with(Phase::Archive, "archive/changelog.md", "- Signing in\n"),
        ["archive/changelog.md: there is no group"]
    );
    assert_eq!(entry("### Added", "### New"), at(1, "`New` is not a group of a changelog"));
    assert_eq!(
        entry("### security", "### ADDED"),
        at(5, "group `Added` is repeated; the first is on line 1")
    );
    for nothing in [
        "Signing in",
        "- ",
        "- (What users can do now)",
        "```\n- Signing in\n```",
        "<!--\n- Signing in\n-->",
    ] {
        assert_eq!(
            entry("- Signing in with a password", nothing),
            at(1, "group `Added` contains no item"),
            "{nothing}"
        );
    }
    assert_eq!(
        entry("### Added", "## Unreleased\n\n### Added"),
        at(1, "`Unreleased` is a heading of level 2")
    );
    let every: String =
        CHANGELOG.iter().map(|group| format!("### {}\n\n- x\n\n", group.title)).collect();
    assert_eq!(with(Phase::Archive, "archive/changelog.md", &every), [""; 0]);
}

/// Gives the examples of a skeleton, as the files that they are of.
fn examples(phase: Phase) -> Vec<(String, String)> {
    let text = skeleton(phase, Path::new("x"), Delivers::Files).expect("a skeleton");
    let example = |piece: &str| {
        let name = piece.lines().next().expect("a name").replace("<capability>", "login");
        let (_, body) = piece.split_once("~~~~markdown\n").expect("an example");
        (name, body.split_once("~~~~\n").expect("its end").0.to_owned())
    };
    text.split("\n#### ").skip(1).map(example).collect()
}

#[test]
fn the_skeleton_handed_in_unchanged_is_refused_in_each_file() {
    for phase in [Phase::Plan, Phase::Implement, Phase::Archive] {
        for (path, text) in examples(phase) {
            let found = with(phase, &path, &text);
            assert!(found.iter().any(|fault| fault.starts_with(&path)), "{path}: {found:?}");
            let sections = text.lines().filter(|line| line.starts_with("## ")).count();
            if path != "tasks.md" {
                let empty = found.iter().filter(|fault| fault.contains("contains no")).count();
                assert!(empty >= sections.saturating_sub(1).max(1), "{path}: {found:?}");
            }
        }
    }
}

#[test]
fn a_file_of_headings_only_is_refused() {
    let files = [
        "proposal.md",
        "specs/login.md",
        "IMPLEMENTATION.md",
        "archive/changelog.md",
        "archive/specs/login.md",
        "tasks.md",
    ];
    let headings_only = files.iter().fold(good(), |files, path| {
        let text = files.get(path).expect("a file");
        let headings: String = text
            .lines()
            .filter(|line| line.starts_with('#'))
            .map(|line| format!("{line}\n\n"))
            .collect();
        files.with(path, headings)
    });
    for (phase, paths) in [
        (Phase::Plan, &["proposal.md", "specs/login.md", "tasks.md"][..]),
        (Phase::Implement, &["IMPLEMENTATION.md", "tasks.md"]),
        (Phase::Archive, &["archive/changelog.md", "archive/specs/login.md"]),
    ] {
        let found = said(phase, &headings_only);
        for path in paths {
            assert!(found.iter().any(|fault| fault.starts_with(path)), "{path}: {found:?}");
        }
    }
}

#[test]
fn all_faults_are_collected_and_sorted() {
    let files = good()
        .with(
            "proposal.md",
            PROPOSAL.replace("## Problem", "## Trouble").replace("Everybody", "(Title)"),
        )
        .with("specs/login.md", SPEC.replace("(R1, R2)", "(R1)").replace("```mermaid", "```text"))
        .without("tasks.md");
    let r2 = line(SPEC, "### R2: Wrong passwords");
    let diagram = line(SPEC, "## Diagram");
    assert_eq!(
        said(Phase::Plan, &files),
        [
            "proposal.md: section `Problem` is missing".to_owned(),
            format!("specs/login.md:{r2}: requirement `R2` has no scenario"),
            format!("specs/login.md:{diagram}: there is no Mermaid diagram"),
            "tasks.md: the file is missing".to_owned(),
        ]
    );
}

#[test]
fn an_agent_is_told_each_fault_with_its_file_and_what_to_do() {
    let faults = check(CATALOG.step(Phase::Plan), &good().with("proposal.md", "# P\n"));
    let text = ask_for_files("plan", &faults);
    assert!(text.contains("(plan)"), "{text}");
    for fault in &faults {
        assert!(text.contains(&format!("\n- {fault}; {}\n", fault.help)), "{text}");
    }
    assert!(!text.contains("more of this kind"), "{text}");
    let many: Vec<_> = faults.iter().cycle().take(50).cloned().collect();
    let text = ask_for_files("plan", &many);
    assert_eq!(text.lines().filter(|line| line.starts_with("- proposal.md")).count(), 40);
    assert!(text.contains("\n- and 10 more of this kind\n\n"), "{text}");
}

#[test]
fn titles_are_taken_from_proposals() {
    assert_eq!(title(PROPOSAL).as_deref(), Some("Sign in with a password"));
    assert_eq!(title("# Add: login\n").as_deref(), Some("Add: login"));
    assert_eq!(title("# Proposal: (what the change brings, in a few words)\n"), None);
    assert_eq!(title("text\n"), None);
}

#[test]
fn files_are_read_within_their_folder_and_bounds() {
    let outer = tempfile::tempdir().expect("a folder");
    let root = outer.path().join("change");
    fs::create_dir_all(root.join("archive/specs")).expect("folders");
    fs::create_dir_all(root.join("specs")).expect("folders");
    let files = [
        "proposal.md",
        "specs/login.md",
        "tasks.md",
        "IMPLEMENTATION.md",
        "archive/changelog.md",
        "archive/specs/login.md",
    ];
    for path in files {
        fs::write(root.join(path), good().get(path).expect("a file")).expect("written");
    }
    fs::write(root.join("request.md"), "not looked at").expect("written");
    let read = || ChangeFiles::read(&ConfinedFolder::open(&root).expect("opened"));
    assert_eq!(read(), Ok(good()));

    symlink("/etc/passwd", root.join("specs/out.md")).expect("a link");
    let fault = IncludeFault::Outside;
    assert_eq!(read(), Err(FilesError::Unreadable { path: "specs/out.md".to_owned(), fault }));
    fs::remove_file(root.join("specs/out.md")).expect("removed");
    for number in 0..256 {
        fs::write(root.join(format!("specs/{number}.md")), "x").expect("written");
    }
    assert_eq!(read(), Err(FilesError::TooMany { folder: "specs/".to_owned(), limit: 256 }));
}

#[test]
fn checking_takes_linear_time() {
    let (spec, report) = ("specs/login.md", "IMPLEMENTATION.md");
    for (phase, path, piece) in [
        (Phase::Plan, spec, "## Requirements\n\n### R1: T\n\ntext\n\n"),
        (Phase::Plan, spec, "### R1: T\n"),
        (Phase::Plan, spec, "### Scenario: T (R1)\n"),
        (Phase::Plan, spec, "## Data\n```json\n{}\n```\n"),
        (Phase::Plan, spec, "```a\n"),
        (Phase::Plan, spec, "<!-- "),
        (Phase::Plan, "proposal.md", "(Title) ("),
        (Phase::Plan, "tasks.md", "- [ ] 1.1 T\n  requirements: R1\n"),
        (Phase::Implement, report, "### 1.1 T\n- status: FAILED\n"),
        (Phase::Archive, "archive/changelog.md", "### Added\n- x\n"),
    ] {
        let make = |size: usize| {
            let openings =
                "## Problem\n\n## Requirements\n\nx\n\n## Scenarios\n\nx\n\n## Tasks\n\nx\n\n";
            format!("{openings}{}", piece.repeat(size / piece.len()))
        };
        let files = ChangeFiles::default().with("tasks.md", TASKS);
        assert_linear(piece, make, |text| {
            std::hint::black_box(check(CATALOG.step(phase), &files.clone().with(path, text)));
        });
    }
}
