//! What plans must be refused for, and how: each with its place, in little time and space.

use std::time::Duration;

use agentd::engine::schedule::{ScheduleCode, check, documents};

use super::refused;
use crate::language::computed;
use crate::planning::{EXECUTION_PLAN, correct, plan};

/// A plan that cannot be read is refused within a tenth of a second.
const FIVE_TIMES_AS_LONG: Duration = Duration::from_millis(5 * 100);

/// Checks the set with another execution plan, and gives the first line of what is wrong.
fn first_fault(text: &str) -> (ScheduleCode, String) {
    let faults = check(&correct().with("execution_plan.yaml", text)).expect_err("refused");
    (faults.codes()[0], faults.lines()[0].clone())
}

#[test]
fn bombs_and_bad_yaml_are_refused_with_line_and_column() {
    let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nversion: *c\n";
    let deep = format!("version: 1\ngroups: {}\n", "[".repeat(100_000));
    // Just about the largest file that is read at all.
    let nested: String =
        (0..17_000).map(|depth| format!("{}- \n", " ".repeat(depth % 900))).collect();
    let twice = EXECUTION_PLAN.replace("needs_docs: true", "needs_design: true");
    let two = format!("{EXECUTION_PLAN}---\n{EXECUTION_PLAN}");
    for (what, text, place) in [
        ("bomb", bomb, ":1:7: anchors and aliases"),
        ("depth", &deep, ":2:"),
        ("block depth", &nested, ":1:1: the YAML is larger than 128 KiB"),
        ("duplicate key", &twice, ":17:1: the key `needs_design` is repeated"),
        ("two documents", &two, ":22:1: a second YAML document"),
        ("not closed", "version: [1\n", ":1:10:"),
        ("no key", ": : [\n", ":1:1: a key is missing"),
        ("nothing as a key", "~: 3\n", ":1:1: a key is missing"),
        ("a list as a key", "[a]: 3\n", ":1:1: a key is a list or a map, not text"),
    ] {
        let start = computed();
        let (code, line) = first_fault(text);
        let took = computed().saturating_sub(start);
        assert!(took < FIVE_TIMES_AS_LONG, "{what}: {took:?}");
        assert_eq!(code, ScheduleCode::PlanSyntax, "{what}: {line}");
        assert!(line.contains(&format!("execution_plan.yaml{place}")), "{what}: {line}");
    }
}

#[test]
fn fields_that_are_wrong_are_refused_with_line_column_and_help() {
    for (old, new, code, expected) in [
        ("needs_docs:", "need_docs:", ScheduleCode::PlanKey, ":17:1: there is no key `need_docs`"),
        (
            "mode: parallel",
            "mode: both",
            ScheduleCode::PlanValue,
            ":8:11: `both` is not a value of `mode`",
        ),
        (
            "mode: parallel",
            "mode: Parallel",
            ScheduleCode::PlanValue,
            ":8:11: `Parallel` is not a value of `mode`",
        ),
        (
            "severity: high",
            "severity: 3",
            ScheduleCode::PlanValue,
            ":20:13: `severity` is a number, not text",
        ),
        ("version: 1\n", "version: 2\n", ScheduleCode::PlanValue, ":1:10: `version` is not 1"),
        ("version: 1\n", "version: '1'\n", ScheduleCode::PlanValue, ":1:10: `version` is not 1"),
        ("version: 1\n", "", ScheduleCode::PlanField, ":1:1: the execution plan has no `version`"),
        (
            "needs_docs: true",
            "needs_docs: maybe",
            ScheduleCode::PlanValue,
            ":17:13: `needs_docs` is text",
        ),
        (
            "file: plan_3.md",
            "file: ../plan_3.md",
            ScheduleCode::PlanFileName,
            ":11:17: `../plan_3.md`",
        ),
        (
            "file: plan_3.md",
            "file: /etc/plan_3.md",
            ScheduleCode::PlanFileName,
            ":11:17: `/etc/plan_3.md`",
        ),
        ("file: plan_3.md", "file: plan_03.md", ScheduleCode::PlanFileName, ":11:17: `plan_03.md`"),
        ("name: \"Sessions\"", "name: \"\"", ScheduleCode::PlanValue, ":11:34: `name` is empty"),
        (
            "name: \"Sessions\"",
            "name: \"a\\nb\"",
            ScheduleCode::PlanValue,
            ":11:34: `name` is not one line",
        ),
        (
            "[docs/login.md]",
            "[../login.md]",
            ScheduleCode::Path,
            ":18:13: `../login.md` contains `..`",
        ),
        (
            "[docs/login.md]",
            "[/etc/passwd]",
            ScheduleCode::Path,
            ":18:13: `/etc/passwd` is not relative",
        ),
        (
            "[docs/login.md]",
            "docs/login.md",
            ScheduleCode::PlanValue,
            ":18:12: `doc_files` is text, not a list",
        ),
    ] {
        assert_eq!(EXECUTION_PLAN.matches(old).count(), 1, "{old}");
        let files = correct().with("execution_plan.yaml", EXECUTION_PLAN.replace(old, new));
        let faults = check(&files).expect_err("refused");
        assert_eq!(faults.codes(), [code], "{new}\n{faults}");
        let line = &faults.lines()[0];
        assert!(line.contains(&format!("execution_plan.yaml{expected}")), "{line}");
        assert!(faults.to_string().contains("= help: "), "{faults}");
    }
    let (code, line) = first_fault("version: 1\ngroups: []\n");
    assert_eq!(code, ScheduleCode::PlanValue, "{line}");
    assert!(line.contains(":2:9: `groups` is empty"), "{line}");
    for text in ["", "- 1\n", "just words\n"] {
        assert_eq!(first_fault(text).0, ScheduleCode::PlanValue, "{text:?}");
    }
}

#[test]
fn paths_that_lead_elsewhere_are_owned_by_no_plan() {
    for path in [
        "../x",
        "/etc/passwd",
        "src/../../x",
        "./src",
        "~/x",
        ".git/hooks/x",
        "sub/.git/x",
        "src\\x",
        "a//b",
        "src/**.rs",
        "src/{a,b}",
        "agentd/changes/add-login",
        "agentd/changes/add-login/x",
        "agentd/",
        "agentd/changes/**",
    ] {
        let files = correct().with("plan_2.md", plan("Login page", &[path], "- plan_1"));
        let report = refused(&files, &[ScheduleCode::Path]);
        assert!(report.contains("plan_2.md:9:3"), "{path}\n{report}");
    }
}

#[test]
fn owned_files_are_items_with_one_path_each() {
    let with = |list: &str| {
        let text = plan("Login page", &[], "- plan_1");
        let heading = "## Owned files/modules\n\n";
        correct().with("plan_2.md", text.replace(heading, &format!("{heading}{list}\n")))
    };
    for list in
        ["Owns `src/a.rs`.", "- src/a.rs", "- `src/a.rs` and `src/b.rs`", "```\n- `src/a.rs`\n```"]
    {
        refused(&with(list), &[ScheduleCode::OwnedFiles]);
    }
    refused(&with("<!-- later -->"), &[ScheduleCode::EmptySection]);
    for list in [
        "This plan owns:\n\n- `src/a.rs`: the page",
        "1. ``src/a.rs``\n2. new: `src/b.rs`",
        "- Pages:\n  - `src/a.rs`\n  - `src/b.rs`",
    ] {
        let schedule = check(&with(list)).unwrap_or_else(|faults| panic!("{list}\n{faults}"));
        assert_eq!(schedule.owner_of("src/a.rs").map(|lane| lane.index().get()), Some(2), "{list}");
    }
}

#[test]
fn dependencies_are_a_list_of_plans_or_none() {
    let with =
        |text: &str| correct().with("plan_2.md", plan("Login page", &["src/pages/login.rs"], text));
    for (text, expected) in [
        ("none", vec![]),
        ("None.", vec![]),
        ("- none: it stands alone", vec![]),
        ("- plan_1", vec![1]),
        ("- `plan_1.md`, for the traits\n- plan_1", vec![1]),
        ("* **plan_1**", vec![1]),
    ] {
        let schedule = check(&with(text)).unwrap_or_else(|faults| panic!("{text}\n{faults}"));
        let lane = schedule.lanes().find(|lane| lane.name() == "Login page").expect("a lane");
        let found: Vec<u32> = lane.dependencies().iter().map(|index| index.get()).collect();
        assert_eq!(found, expected, "{text}");
    }
    for text in
        ["the contracts", "plan_1", "- the contracts", "- none\n- plan_1", "- plan_x", "- plan_01"]
    {
        refused(&with(text), &[ScheduleCode::Dependencies]);
    }
    refused(&with("- plan_2"), &[ScheduleCode::SelfDependency]);
    refused(&with("- plan_7"), &[ScheduleCode::UnknownDependency]);
}

#[test]
fn every_fault_is_told_at_once_in_the_order_of_the_files() {
    let files = correct()
        .with("execution_plan.yaml", EXECUTION_PLAN.replace("plan_4.md", "plan_5.md"))
        .with("plan_2.md", plan("Login page", &["../x"], "- plan_2"))
        .with("tasks_1.md", "nothing\n")
        .with("plan_x.md", "# Notes\n");
    let faults = check(&files).expect_err("refused");
    let expected = [
        ScheduleCode::MissingPlan,
        ScheduleCode::MissingTasks,
        ScheduleCode::Path,
        ScheduleCode::SelfDependency,
        ScheduleCode::UnscheduledPlan,
        ScheduleCode::PlanFileName,
        ScheduleCode::NoTasks,
    ];
    assert_eq!(faults.codes(), expected, "{faults}");
    assert!(faults.to_string().ends_with("7 errors, 0 warnings\n"), "{faults}");
}

#[test]
fn documents_are_asked_for_by_the_execution_plan_whatever_becomes_of_the_other_files() {
    let files = correct().with("tasks_3.md", "All done.\n").with("plan_2.md", [0xff]);
    assert!(check(&files).is_err());
    let asked = documents(&files).expect("it can be read").expect("some are asked for");
    let missing: Vec<_> =
        asked.missing_from(&["src/main.rs"]).iter().map(ToString::to_string).collect();
    assert_eq!(missing, ["docs/login.md"]);
    assert!(asked.missing_from(&["docs/login.md"]).is_empty());
    let none = EXECUTION_PLAN.replace("needs_docs: true", "needs_docs: false");
    assert_eq!(documents(&files.clone().with("execution_plan.yaml", none)).expect("read"), None);
    for text in [&b"version: 1\n"[..], b"version: [", b"version: 1\ngroups: []\xff\n"] {
        documents(&files.clone().with("execution_plan.yaml", text)).expect_err("it is not known");
    }
    documents(&files.without("execution_plan.yaml")).expect_err("it is not there");
}

#[test]
fn documents_that_are_named_and_not_needed_are_a_slip() {
    let docs = "needs_docs: true\n";
    for other in ["needs_docs: false\n", ""] {
        let text = EXECUTION_PLAN.replace(docs, other);
        let report =
            refused(&correct().with("execution_plan.yaml", text), &[ScheduleCode::NoDocFiles]);
        assert!(report.contains("`doc_files` names documents"), "{report}");
    }
}
