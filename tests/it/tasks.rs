//! The tasks of a change: what is read, what is refused, and what a tick touches.

use agentd::models::task::{Task, TaskError};
use agentd::prompt::tasks::{open_tasks, read, tick};
use proptest::prelude::*;

use crate::language::assert_linear;

const LIST: &str = "\
# Tasks

A paragraph. 1.5 is a number.

## 1. Parsing

- [x] 1.1 Read the flag `--json`
  depends: none
  files: `src/cli.rs`, tests/cli.rs
  requirements: R1
  check: `cargo test flag: json` passes
- [ ] 1.2 Obey it,
  also in scripts
  - depends: 1.1
  - files:
    - src/output.rs
    - src/log.rs
  - requirements: R1 R2
  - check: the scenario
    holds

## 2. Documents

* [ ] **2.1** Tell users

  **Depends on:** 1.1, 1.2

  A note that is no field: not at all.

  ```
  files: nothing.rs
  - [ ] 9.9 Not a task
  ```
";

fn errors(text: &str) -> Vec<String> {
    let said = |error: &TaskError| {
        assert_ne!(error.help(), "");
        error.to_string()
    };
    read(text).expect_err("errors").iter().map(said).collect()
}

#[test]
fn tasks_are_read_with_their_details() {
    let tasks = read(LIST).expect("tasks");
    let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let expected = [
        Task {
            id: "1.1".into(),
            title: "Read the flag `--json`".into(),
            done: true,
            depends: vec![],
            files: strings(&["src/cli.rs", "tests/cli.rs"]),
            requirements: strings(&["R1"]),
            check: Some("`cargo test flag: json` passes".into()),
            line: 7,
        },
        Task {
            id: "1.2".into(),
            title: "Obey it, also in scripts".into(),
            done: false,
            depends: strings(&["1.1"]),
            files: strings(&["src/output.rs", "src/log.rs"]),
            requirements: strings(&["R1", "R2"]),
            check: Some("the scenario holds".into()),
            line: 12,
        },
        Task {
            id: "2.1".into(),
            title: "Tell users".into(),
            depends: strings(&["1.1", "1.2"]),
            line: 24,
            ..Task::default()
        },
    ];
    assert_eq!(tasks, expected);
    assert_eq!(read(&LIST.replace('\n', "\r\n")).expect("tasks"), expected);
}

#[test]
fn only_open_tasks_are_shown_and_read_back_as_they_were() {
    let tasks = read(LIST).expect("tasks");
    let shown = open_tasks(&tasks);
    assert_eq!(
        shown,
        "- [ ] 1.2 Obey it, also in scripts\n  depends: 1.1\n  files: src/output.rs, src/log.rs\n  requirements: R1, \
         R2\n  check: the scenario holds\n- [ ] 2.1 Tell users\n  depends: 1.1, 1.2"
    );
    let again = read(&format!("- [x] 1.1 Done\n{shown}")).expect("tasks");
    let without_lines = |task: &Task| Task { line: 0, ..task.clone() };
    assert_eq!(
        again[1..].iter().map(without_lines).collect::<Vec<_>>(),
        tasks[1..].iter().map(without_lines).collect::<Vec<_>>()
    );
    let done = read("- [x] 1.1 Done").expect("tasks");
    assert_eq!(open_tasks(&done), "(every task is done)");
}

#[test]
fn each_mistake_is_named_with_its_line() {
    assert_eq!(errors("# Tasks\n\nNone yet.\n"), ["tasks.md: no tasks"]);
    assert_eq!(errors(""), ["tasks.md: no tasks"]);
    for (text, stray) in [
        ("- 1.1 Title", "1.1 Title"),
        ("- [] 1.1 Title", "[] 1.1 Title"),
        ("- [-] 1.1 Title", "[-] 1.1 Title"),
        ("-[ ] 1.1 Title", "-[ ] 1.1 Title"),
        ("### 1.1 Title", "1.1 Title"),
        ("1. **1.1** Title", "**1.1** Title"),
        ("[ ] 1.1 Title", "[ ] 1.1 Title"),
    ] {
        let text = format!("- [ ] 1.2 Fine\n\n{text}\n");
        assert_eq!(errors(&text), [format!("tasks.md:3: `{stray}` has no checkbox")]);
    }
    for head in ["Title", "1 Title", "1.1.1 Title", "a.b Title", "1. Title", "", "1.x Title"] {
        let found = errors(&format!("- [ ] 1.2 Fine\n- [ ] {head}\n"));
        assert_eq!(found, [format!("tasks.md:2: `{head}` does not start with an id")]);
    }
    assert_eq!(
        errors("- [ ] 1.1 A\n- [ ] 1.2 B\n- [x] 1.1 C\n"),
        ["tasks.md:3: the id `1.1` is already used on line 1"]
    );
    assert_eq!(errors("- [ ] 1.1\n  depends: none\n"), ["tasks.md:1: task `1.1` has no title"]);
    assert_eq!(
        errors("- [ ] 1.1 A\n  depends: 1.2, 1.1.1\n- [ ] 1.2 B\n"),
        ["tasks.md:1: task `1.1` depends on `1.1.1`, which is not a task"]
    );
    assert_eq!(
        errors(
            "- [ ] 1.1 A\n- [ ] 1.2 B\n  depends: 1.3, 1.1\n- [ ] 1.3 C\n  depends: 1.4\n- [ ] 1.4 D\n  depends: 1.2\n"
        ),
        ["tasks.md:2: tasks depend on each other: 1.2 -> 1.3 -> 1.4 -> 1.2"]
    );
    assert_eq!(
        errors("- [ ] 1.1 A\n  depends: 1.1\n"),
        ["tasks.md:1: tasks depend on each other: 1.1 -> 1.1"]
    );
}

#[test]
fn all_mistakes_are_said_at_once_in_the_order_of_their_lines() {
    let found = errors("- [ ] Nameless\n- 1.1 Bare\n- [ ] 1.2 B\n  depends: 7.7\n- [ ] 1.3\n");
    let lines: Vec<_> = found.iter().map(|error| &error[.."tasks.md:1".len()]).collect();
    assert_eq!(lines, ["tasks.md:1", "tasks.md:2", "tasks.md:3", "tasks.md:5"]);
}

#[test]
fn what_stands_in_code_or_comments_is_no_task() {
    let text = "- [ ] 1.1 A\n\n```\n- [ ] 1.2 B\n```\n\n    - [ ] 1.3 C\n\n<!--\n- [ ] 1.4 D\n-->\n\n`- [ ] 1.5 E`\n";
    let tasks = read(text).expect("tasks");
    assert_eq!(tasks.len(), 1, "{tasks:?}");
    assert_eq!(tick(text, &["1.1", "1.2", "1.3", "1.4", "1.5"]), text.replacen("[ ]", "[x]", 1));
}

#[test]
fn a_tick_finds_every_kind_of_bullet_and_nesting() {
    for (text, ticked) in [
        ("- [ ] 1.1 A\n- [ ] 1.2 B\n", "- [ ] 1.1 A\n- [x] 1.2 B\n"),
        ("* [ ] 1.1 A\r\n* [ ] 1.2 B\r\n", "* [ ] 1.1 A\r\n* [x] 1.2 B\r\n"),
        ("+ [ ] 1.2 A", "+ [x] 1.2 A"),
        ("1. [ ] 1.1 A\n2. [ ] 1.2 B\n", "1. [ ] 1.1 A\n2. [x] 1.2 B\n"),
        ("1) [ ] 1.2 B\n", "1) [x] 1.2 B\n"),
        (
            "- Group\n\n  - [ ] 1.1 A\n    - [ ] 1.2 B\n",
            "- Group\n\n  - [ ] 1.1 A\n    - [x] 1.2 B\n",
        ),
        ("> - [ ] 1.2 B\n", "> - [x] 1.2 B\n"),
        ("-   [ ]   1.2   B\n", "-   [x]   1.2   B\n"),
        ("- [X] 1.2 B\n", "- [X] 1.2 B\n"),
        ("- [ ] 1.20 B\n- [ ] 11.2 C\n", "- [ ] 1.20 B\n- [ ] 11.2 C\n"),
        ("\u{feff}- [ ] 1.1 é\n\n- [ ] 1.2 ü", "\u{feff}- [ ] 1.1 é\n\n- [x] 1.2 ü"),
    ] {
        assert_eq!(tick(text, &["1.2"]), ticked, "{text:?}");
    }
    assert_eq!(tick("- [ ] 1.1 A\n", &[] as &[&str]), "- [ ] 1.1 A\n");
}

/// Lists of tasks as people and models write them, with text between.
fn lists() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ \t]{0,6}([-*+]|1\\.|2\\)) \\[[ xX]\\] [1-3]\\.[1-3] [a-z`*]{0,6}",
        1 => "[ ]{0,5}(depends|files|check): [1-3]\\.[1-3]",
        1 => "```|~~~|<!--|-->|> |\t|#+ 1\\.1 é|- |<div>|\\[ \\] 1\\.1 x|",
        1 => "[ -~]{0,12}",
    ];
    let break_ = prop_oneof![Just("\n"), Just("\r\n"), Just("\n\n")];
    prop::collection::vec((piece, break_), 0..24)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect())
}

proptest! {
    #[test]
    fn a_tick_changes_only_the_boxes_asked_for_and_only_once(
        text in lists(),
        ids in prop::collection::vec("[1-3]\\.[1-3]", 0..4),
    ) {
        let ticked = tick(&text, &ids);
        prop_assert_eq!(&tick(&ticked, &ids), &ticked);
        prop_assert_eq!(ticked.len(), text.len());
        for (at, (before, after)) in text.bytes().zip(ticked.bytes()).enumerate() {
            if before != after {
                prop_assert!(before.is_ascii_whitespace() && after == b'x', "byte {}", at);
                prop_assert!(text[..at].ends_with('[') && text[at + 1..].starts_with(']'));
                let head = text[at + 2..].trim_start().trim_start_matches('*');
                prop_assert!(ids.iter().any(|id| head.starts_with(id.as_str())), "{}", head);
            }
        }
        if let (Ok(before), Ok(after)) = (read(&text), read(&ticked)) {
            let expected: Vec<_> = before
                .into_iter()
                .map(|task| Task { done: task.done || ids.contains(&task.id), ..task })
                .collect();
            prop_assert_eq!(after, expected);
        } else {
            prop_assert_eq!(read(&text).is_ok(), read(&ticked).is_ok());
        }
    }
}

#[test]
fn tasks_take_linear_time() {
    for piece in [
        "- [ ] 1.1 Title\n  depends: 1.1\n  files: a, b\n",
        "- [ ] 1.1 T\n",
        "- ",
        "- [ ] ",
        "> ",
        "  depends: 1.1, 1.2, 1.3\n",
        "[ ] 1.1 ",
        "`",
        "* ",
        "prose and more of it\n",
    ] {
        let make = |size: usize| piece.repeat(size / piece.len());
        assert_linear(piece, make, |text| {
            let _ = std::hint::black_box(read(text));
            std::hint::black_box(tick(text, &["1.1"]));
        });
    }
    let chain = |size: usize| -> String {
        (1..size / 30)
            .map(|number| format!("- [ ] 1.{number} T\n  depends: 1.{}\n", number + 1))
            .collect()
    };
    assert_linear("a chain of dependencies", chain, |text| {
        let _ = std::hint::black_box(read(text));
    });
}
