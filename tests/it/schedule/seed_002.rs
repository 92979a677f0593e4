//! What the staged planning contract asks of a planner's files, sentence by sentence.

use agentd::engine::schedule::{SECTIONS, ScheduleCode, check};
use agentd::models::plan::{Mode, PlanIndex, ReviewSeverity};

use super::refused;
use crate::planning::{EXECUTION_PLAN, correct, plan};

fn index(number: u32) -> PlanIndex {
    PlanIndex::new(number).expect("an index")
}

#[test]
fn seed_002_planning_groups_are_ordered_marked_and_name_their_plans() {
    let schedule = check(&correct()).unwrap_or_else(|faults| panic!("{faults}"));
    let groups: Vec<_> = schedule.groups().iter().map(|group| (group.id(), group.mode())).collect();
    let expected =
        [("contracts", Mode::Serial), ("features", Mode::Parallel), ("integration", Mode::Serial)];
    assert_eq!(groups, expected);
    let names: Vec<_> = schedule.lanes().map(|lane| (lane.index().get(), lane.name())).collect();
    let expected = [(1, "Contracts"), (2, "Login page"), (3, "Sessions"), (4, "Join the lanes")];
    assert_eq!(names, expected);
    assert_eq!(schedule.lane(index(4)).expect("a lane").dependencies(), [index(2), index(3)]);
    assert_eq!(schedule.lane(index(2)).expect("a lane").tasks(), 2);
}

#[test]
fn seed_002_planning_metadata_changes_what_the_schedule_says() {
    let schedule = check(&correct()).unwrap_or_else(|faults| panic!("{faults}"));
    assert!(schedule.needs_design() && schedule.needs_docs());
    assert_eq!(schedule.review_strategy().severity, ReviewSeverity::High);
    assert_eq!(schedule.review_strategy().focus, ["security"]);
    let (head, _) = EXECUTION_PLAN.split_once("needs_design").expect("metadata");
    let schedule = check(&correct().with("execution_plan.yaml", head))
        .unwrap_or_else(|faults| panic!("{faults}"));
    assert!(!schedule.needs_design() && !schedule.needs_docs());
    assert_eq!(schedule.review_strategy().severity, ReviewSeverity::Medium);
    assert_eq!(schedule.review_strategy().focus, <[&str; 0]>::default());
    assert!(schedule.undocumented(&[""; 0]).is_empty(), "none are needed");
}

#[test]
fn seed_002_planning_the_execution_plan_is_required() {
    refused(&correct().without("execution_plan.yaml"), &[ScheduleCode::NoExecutionPlan]);
}

#[test]
fn seed_002_planning_every_plan_has_its_own_checklist() {
    for number in 1..=4 {
        let files = correct().without(&index(number).tasks_file());
        let report = refused(&files, &[ScheduleCode::MissingTasks]);
        assert!(report.contains(&format!("`tasks_{number}.md`")), "{report}");
    }
    refused(&correct().with("tasks_2.md", "Nothing yet.\n"), &[ScheduleCode::NoTasks]);
    let ticked = correct().with("tasks_2.md", "- [x] Write a test\n");
    assert!(check(&ticked).is_ok(), "work that has begun is still scheduled");
}

#[test]
fn seed_002_planning_the_overviews_are_not_used_by_the_schedule() {
    let with = correct().with("plan.md", "# All\n").with("tasks.md", "no tasks\n");
    assert_eq!(check(&with).ok(), check(&correct()).ok());
}

#[test]
fn seed_002_planning_every_sub_plan_has_the_four_sections() {
    for (title, _) in SECTIONS {
        let text = plan("Login page", &["src/pages/login.rs"], "- plan_1");
        let without = text.replace(&format!("## {title}\n"), "## Other\n");
        let report =
            refused(&correct().with("plan_2.md", without), &[ScheduleCode::MissingSection]);
        assert!(report.contains(&format!("section `{title}` is missing")), "{report}");
    }
    let unjustified = plan("Login page", &["src/pages/login.rs"], "- plan_1")
        .replace("Nobody else writes these files.\n", "");
    refused(&correct().with("plan_2.md", unjustified), &[ScheduleCode::EmptySection]);
}

#[test]
fn seed_002_planning_parallel_plans_own_disjoint_files() {
    let shared = plan("Login page", &["src/session/store.rs"], "- plan_1");
    let files = correct().with("plan_2.md", shared);
    let report = refused(&files, &[ScheduleCode::Overlap]);
    for words in ["plan_2 and plan_3", "`src/session/store.rs`", "plan_2.md:9:3", "plan_3.md:9:3"] {
        assert!(report.contains(words), "{words} is not in\n{report}");
    }
    // A step of its own may take over what a lane owned.
    let serial = EXECUTION_PLAN.replace("mode: parallel", "mode: serial");
    assert!(check(&files.with("execution_plan.yaml", serial)).is_ok());
    let later = plan("Join the lanes", &["src/session/store.rs"], "- plan_3");
    assert!(check(&correct().with("plan_4.md", later)).is_ok());
}

#[test]
fn seed_002_planning_contracts_come_before_the_plans_that_use_them() {
    let later = plan("Contracts", &["src/contracts.rs", "docs/"], "- plan_4");
    let report = refused(&correct().with("plan_1.md", later), &[ScheduleCode::DependencyOrder]);
    assert!(report.contains("plan_1 depends on plan_4, which runs later"), "{report}");
    let beside = plan("Login page", &["src/pages/login.rs"], "- plan_3");
    let report = refused(&correct().with("plan_2.md", beside), &[ScheduleCode::DependencyOrder]);
    assert!(report.contains("runs in parallel"), "{report}");
}

#[test]
fn seed_002_planning_documents_are_part_of_the_plans() {
    let schedule = check(&correct()).unwrap_or_else(|faults| panic!("{faults}"));
    let missing = schedule.undocumented(&["src/main.rs", "docs/other.md"]);
    assert_eq!(missing.iter().map(ToString::to_string).collect::<Vec<_>>(), ["docs/login.md"]);
    assert!(schedule.undocumented(&["src/main.rs", "docs/login.md"]).is_empty());
    let unnamed = EXECUTION_PLAN.replace("doc_files: [docs/login.md]\n", "");
    let files = correct().with("execution_plan.yaml", unnamed);
    refused(&files, &[ScheduleCode::NoDocFiles]);
    let unowned = plan("Contracts", &["src/contracts.rs"], "none");
    let report = refused(&correct().with("plan_1.md", unowned), &[ScheduleCode::NoDocFiles]);
    assert!(report.contains("no plan owns the document `docs/login.md`"), "{report}");
}

#[test]
fn seed_002_planning_every_file_has_at_most_one_owner_at_a_time() {
    let schedule = check(&correct()).unwrap_or_else(|faults| panic!("{faults}"));
    let owner = |path: &str| schedule.owner_of(path).map(|lane| lane.index().get());
    assert_eq!(owner("src/session/store/mod.rs"), Some(3));
    assert_eq!(owner("src/pages/login.rs"), Some(2));
    assert_eq!(owner("src/pages/other.rs"), None);
    let all = correct().with("plan_4.md", plan("Join the lanes", &["**"], "- plan_2"));
    let schedule = check(&all).unwrap_or_else(|faults| panic!("{faults}"));
    let owners: Vec<_> =
        schedule.owners_of("src/contracts.rs").map(|lane| lane.index().get()).collect();
    assert_eq!(owners, [1, 4]);
    let own = "agentd/changes/add-login/04_planning/tasks_4.md";
    assert!(schedule.owner_of(own).is_none() && schedule.owner_of(".git/config").is_none());
    assert!(schedule.owner_of("agentd/changes/add-login-2/x").is_some());
}
