//! Holds `docs/schedule.md` to the code: every code of the table has its section, and every report and drawing in it is
//! what the check gives.

use agentd::engine::schedule::{PlanningFiles, ScheduleCode, check, graph};

use super::planning::{EXECUTION_PLAN, correct, plan};
use super::{blessed, in_code_font, read, sections, trimmed, with_blocks};

const SCHEDULE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schedule.md");

#[test]
fn every_code_of_a_schedule_has_one_section_in_the_order_of_the_table() {
    let document = read(SCHEDULE);
    let documented: Vec<&str> =
        sections(&document).into_iter().filter_map(|(title, _)| in_code_font(title)).collect();
    let known: Vec<&str> = ScheduleCode::ALL.iter().map(|code| code.slug()).collect();
    assert_eq!(documented, known);
    for (title, body) in sections(&document) {
        let Some(slug) = in_code_font(title) else { continue };
        for part in ["- Meaning: ", "- Why: ", "- Fix: "] {
            let count = body.lines().filter(|line| line.starts_with(part)).count();
            assert_eq!(count, 1, "`{slug}` has {count} lines with `{part}`");
        }
        assert_eq!(body.matches("```text\n").count(), 1, "`{slug}` shows one report");
    }
}

#[test]
fn every_report_of_a_schedule_in_the_document_is_the_one_the_check_gives() {
    let document = read(SCHEDULE);
    let schedule = check(&correct()).unwrap_or_else(|faults| panic!("{faults}"));
    let mut blocks = vec![graph::text(&schedule)];
    blocks.extend(ScheduleCode::ALL.iter().map(|code| report_of(*code)));
    let current = with_blocks(&document, &blocks);
    assert!(current.contains(EXECUTION_PLAN), "the example is not the set that the reports break");
    let mermaid = format!("```mermaid\n{}```\n", graph::mermaid(&schedule));
    assert!(current.contains(&mermaid), "the drawing is not:\n{mermaid}");
    if !blessed(SCHEDULE, &current) {
        assert_eq!(document, current, "run with AGENTD_BLESS=1");
    }
}

fn report_of(code: ScheduleCode) -> String {
    let faults = check(&broken(code)).expect_err("the set is broken");
    let text = faults.to_string();
    assert_eq!(faults.codes(), [code], "the set for `{}` gives:\n{text}", code.slug());
    // The last line counts; with one fault it says nothing.
    trimmed(text.split_once("\n\n").map_or("", |(fault, _count)| fault))
}

/// Breaks one thing in the correct set, so that exactly this code is reported.
fn broken(code: ScheduleCode) -> PlanningFiles {
    let set = correct();
    let changed = |old: &str, new: &str| {
        assert_eq!(EXECUTION_PLAN.matches(old).count(), 1, "`{old}`");
        correct().with("execution_plan.yaml", EXECUTION_PLAN.replace(old, new))
    };
    let login = |owned: &[&str], dependencies: &str| plan("Login page", owned, dependencies);
    let page = ["src/pages/login.rs"];
    match code {
        ScheduleCode::NoExecutionPlan => set.without("execution_plan.yaml"),
        ScheduleCode::PlanSyntax => {
            changed("doc_files: [docs/login.md]", "doc_files: &d [docs/login.md]")
        }
        ScheduleCode::PlanKey => changed("needs_design: true", "needs_desing: true"),
        ScheduleCode::PlanField => changed("    mode: parallel\n", ""),
        ScheduleCode::PlanValue => changed("mode: parallel", "mode: paralel"),
        ScheduleCode::PlanFileName => changed("file: plan_3.md", "file: ../plan_3.md"),
        ScheduleCode::Path => set.with("plan_2.md", login(&["../elsewhere/login.rs"], "- plan_1")),
        ScheduleCode::DuplicateGroup => changed("group_id: integration", "group_id: contracts"),
        ScheduleCode::DuplicatePlan => changed(
            "      - { file: plan_4.md",
            "      - { file: plan_3.md, name: \"Sessions\" }\n      - { file: plan_4.md",
        ),
        ScheduleCode::PlanGap => changed("plan_4.md", "plan_5.md")
            .without("plan_4.md")
            .without("tasks_4.md")
            .with("plan_5.md", plan("Join the lanes", &["src/main.rs"], "- plan_2\n- plan_3"))
            .with("tasks_5.md", "- [ ] Call both\n"),
        ScheduleCode::MissingPlan => set.without("plan_4.md"),
        ScheduleCode::MissingTasks => set.without("tasks_4.md"),
        ScheduleCode::UnscheduledPlan => set
            .with("plan_5.md", plan("Left over", &["src/rest.rs"], "none"))
            .with("tasks_5.md", "- [ ] Whatever\n"),
        ScheduleCode::NoDocFiles => changed("doc_files: [docs/login.md]\n", ""),
        ScheduleCode::NotUtf8 => set.with("tasks_4.md", b"- [ ] Meet at the caf\xe9\n".as_slice()),
        ScheduleCode::UnclosedFence => {
            set.with("plan_2.md", login(&page, "- plan_1") + "\n```rust\nfn main() {}\n")
        }
        ScheduleCode::MissingSection => {
            set.with("plan_2.md", login(&page, "- plan_1").replace("## Isolation", "## Notes"))
        }
        ScheduleCode::DuplicateSection => {
            set.with("plan_2.md", login(&page, "- plan_1") + "\n## Scope\n\nMore.\n")
        }
        ScheduleCode::EmptySection => {
            set.with("plan_2.md", login(&page, "- plan_1").replace("What the title says.\n", ""))
        }
        ScheduleCode::OwnedFiles => set.with(
            "plan_2.md",
            login(&page, "- plan_1").replace("- `src/pages/login.rs`", "- the login page"),
        ),
        ScheduleCode::Dependencies => set.with("plan_2.md", login(&page, "- the contracts")),
        ScheduleCode::UnknownDependency => set.with("plan_2.md", login(&page, "- plan_9")),
        ScheduleCode::SelfDependency => set.with("plan_2.md", login(&page, "- plan_2")),
        ScheduleCode::DependencyOrder => set.with("plan_2.md", login(&page, "- plan_3")),
        ScheduleCode::NoTasks => set.with("tasks_4.md", "# Tasks\n\n- call both\n"),
        ScheduleCode::Overlap => {
            set.with("plan_2.md", login(&["src/pages/login.rs", "src/**/*.rs"], "- plan_1"))
        }
    }
}
