//! What is handed in becomes the files of its phase.

use agentd::handoff::{Claims, ExecutionPlan, ReviewVerdict, Tool, submission, submissions};
use agentd::prompt::preferences::{approved, pending};
use agentd::template::Role;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::scene::{Scene, architecture, example, execution_plan, review, subplan, with};

/// The headings of a file that are as high as our own.
fn headings(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code && (line.starts_with("# ") || line.starts_with("## "))
    });
    lines.collect()
}

#[test]
fn seed_002_the_architecture_becomes_architecture_md_and_nothing_else() {
    let scene = Scene::new();
    let receipt = scene.submit(Role::Architect, Tool::SubmitArchitecture, &architecture());
    assert_eq!(receipt.written, ["02_architecting/architecture.md"]);
    let text = scene.read("02_architecting/architecture.md");
    assert_eq!(
        headings(&text),
        [
            "# Architecture",
            "## Solution overview",
            "## Components",
            "## Interfaces and contracts",
            "## Data models",
            "## Cross-cutting concerns",
            "## Technology choices",
            "## Risks and mitigations",
        ]
    );
    let components = "## Components\n\n### sessions\n\nkeeps tokens\n\nInterfaces:\n\n`issue(user)`\n\n### login page\n\n\
                      asks for the password\n\n## Interfaces";
    assert!(text.contains(components), "{text}");
    assert!(text.ends_with("Theft: tokens expire.\n"), "{text}");
}

#[test]
fn seed_002_a_sub_plan_has_its_sections_and_a_checklist_of_its_own() {
    let scene = Scene::new();
    let plan = with(subplan(2), "dependencies", json!([1, 3]));
    let receipt = scene.submit(Role::Planner, Tool::SubmitSubplan, &plan);
    assert_eq!(receipt.written, ["04_planning/plan_2.md", "04_planning/tasks_2.md"]);
    let expected = "# Part 2\n\nPhase 2.\n\n## Scope\n\nThe session store.\n\n## Owned files/modules\n\n\
                    - `src/part_2/**`\n- `docs/part_2.md`\n\n## Dependencies\n\n- plan_1\n- plan_3\n\n\
                    ## Isolation\n\nNobody else writes there.\n\n## Implementation\n\nWrite the store.\n\n\
                    ```rust\n## in code\n```\n\n## Acceptance criteria\n\n- a token is found again\n";
    assert_eq!(scene.read("04_planning/plan_2.md"), expected);
    assert_eq!(
        scene.read("04_planning/tasks_2.md"),
        "- [ ] Test the store\n- [ ] Write the store\n"
    );
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(1));
    let first = scene.read("04_planning/plan_1.md");
    assert!(first.contains("## Dependencies\n\nnone\n\n## Isolation"), "{first}");
}

#[test]
fn seed_002_the_schedule_becomes_yaml_that_says_the_same() {
    let scene = Scene::new();
    let plan = execution_plan(&[1, 2]);
    scene.submit(Role::Planner, Tool::SubmitExecutionPlan, &plan);
    let text = scene.read("04_planning/execution_plan.yaml");
    let read: Value = serde_saphyr::from_str(&text).expect("YAML");
    assert_eq!(read, plan, "{text}");
    assert!(text.contains("plan_1.md"), "{text}");
}

#[test]
fn a_schedule_says_by_default_that_nothing_more_is_wanted() {
    let scene = Scene::new();
    let mut plan = execution_plan(&[1]);
    for field in ["needs_design", "needs_docs", "doc_files", "review_strategy"] {
        plan.as_object_mut().expect("an object").remove(field);
    }
    scene.submit(Role::Planner, Tool::SubmitExecutionPlan, &plan);
    let text = scene.read("04_planning/execution_plan.yaml");
    let read: ExecutionPlan = serde_saphyr::from_str(&text).expect("YAML");
    assert!(!read.needs_design && !read.needs_docs && read.doc_files.is_empty(), "{text}");
    assert_eq!(read.review_strategy.severity.word(), "medium");
    let strategy = json!({ "focus": ["theft"] });
    scene.submit(
        Role::Planner,
        Tool::SubmitExecutionPlan,
        &with(plan, "review_strategy", strategy),
    );
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(1));
    scene.submit(Role::Planner, Tool::SubmitPlan, &example(Tool::SubmitPlan));
}

#[test]
fn seed_002_planning_is_complete_only_with_a_schedule_and_every_plan_in_it() {
    let scene = Scene::new();
    let overview = json!({ "overview": "Two plans, one after the other." });
    let faults = scene.faults(Role::Planner, Tool::SubmitPlan, &overview);
    let missing = "04_planning/execution_plan.yaml:1:1: there is no `execution_plan.yaml`: write it: it says which \
                   plans are carried out, and in which order";
    assert_eq!(faults, [missing]);

    scene.submit(Role::Planner, Tool::SubmitExecutionPlan, &execution_plan(&[1, 2]));
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(1));
    let faults = scene.faults(Role::Planner, Tool::SubmitPlan, &json!({}));
    assert_eq!(
        faults,
        [
            "`overview`: is missing: Markdown",
            "04_planning/execution_plan.yaml:8:11: the file `plan_2.md` is missing: write the plan, or remove it from the \
             schedule",
            "04_planning/execution_plan.yaml:8:11: plan_2 has no checklist `tasks_2.md`: write it, with an item \
             `- [ ] …` for each task",
        ]
    );

    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(2));
    let receipt = scene.submit(Role::Planner, Tool::SubmitPlan, &overview);
    assert_eq!(receipt.written, ["04_planning/plan.md"]);
    assert_eq!(scene.read("04_planning/plan.md"), "# Plan\n\nTwo plans, one after the other.\n");
    let titled = json!({ "overview": "# Login\n\n## Phase 1\n\nContracts.\n" });
    scene.submit(Role::Planner, Tool::SubmitPlan, &titled);
    assert_eq!(scene.read("04_planning/plan.md"), "# Login\n\n## Phase 1\n\nContracts.\n");
}

#[test]
fn seed_002_the_verdict_is_the_first_line_of_the_review() {
    let scene = Scene::new();
    for (verdict, line) in [("pass", "VERDICT: PASS"), ("fail", "VERDICT: FAIL")] {
        scene.submit(Role::Reviewer, Tool::SubmitReview, &review(verdict));
        let text = scene.read("07_review/review.md");
        assert_eq!(text.lines().next(), Some(line));
        assert_eq!(headings(&text), ["# Review", "## Summary", "## Findings", "## Checks"]);
        assert!(text.contains("\n- `cargo test`: 42 passed\n"), "{text}");
    }
    let text = scene.read("07_review/review.md");
    assert!(text.contains("### 1. high, `src/login.rs:42`\n\nA name.\n"), "{text}");
    let claims = Claims { first_line: ReviewVerdict::of_review(&text), ..Claims::default() };
    assert_eq!(claims.resolve(), Ok(ReviewVerdict::Fail));
}

#[test]
fn seed_002_completion_markers_are_made_for_who_is_done() {
    let scene = Scene::new().planned(&[1]);
    let faults = scene.faults(Role::Coder, Tool::SubmitDone, &example(Tool::SubmitDone));
    assert!(faults[0].contains("open in `04_planning/tasks_1.md`"), "{faults:?}");
    scene.ticked(1);
    scene.write("05_design/design.md", "Blue.");
    scene.write("08_completion/summary.md", "Done.");
    let done = json!({ "summary": "Built.", "checks": [] });
    for (role, value, expected) in [
        (Role::Coder, example(Tool::SubmitDone), "06_implementation/done_1"),
        (Role::Coder, done.clone(), "06_implementation/done_fix"),
        (Role::Designer, done.clone(), "05_design/done"),
    ] {
        let receipt = scene.submit(role, Tool::SubmitDone, &value);
        assert_eq!(receipt.written, [expected]);
        assert!(scene.read(expected).contains("## Summary\n\nBuilt.\n"), "{expected}");
    }
    let receipt = scene.submit(Role::Reviewer, Tool::SubmitDone, &done);
    assert!(receipt.written.is_empty(), "the summary itself is what is left");
    assert_eq!(submissions(scene.folder(), "08_completion").expect("read").len(), 1);
}

#[test]
fn seed_002_research_is_asked_for_and_finished_in_the_folder_of_its_topic() {
    let scene = Scene::new();
    let request = example(Tool::ResearchDispatchWeb);
    let receipt = scene.submit(Role::Architect, Tool::ResearchDispatchWeb, &request);
    assert_eq!(receipt.written, ["03_research/web-auth/request.md"]);
    let text = scene.read("03_research/web-auth/request.md");
    let expected = "# Research: auth\n\n## Questions\n\n- Where are sessions kept?\n\n## Context\n\nLogin is new.\n";
    assert_eq!(text, expected);

    let done = example(Tool::SubmitResearchDone);
    let faults = scene.faults(Role::WebResearcher, Tool::SubmitResearchDone, &done);
    assert_eq!(faults, ["`topic`: `03_research/web-auth/summary.md` is missing: write it first"]);
    scene.write("03_research/web-auth/summary.md", "In memory.");
    scene.submit(Role::WebResearcher, Tool::SubmitResearchDone, &done);
    assert_eq!(scene.read("03_research/web-auth/done"), "done\n");
}

#[test]
fn seed_002_preferences_come_with_four_submissions_and_no_other() {
    let scene = Scene::new().planned(&[1]);
    scene.write("01_product_management/analysis.md", "Users want to log in.");
    for role in Role::ALL {
        for tool in Tool::of(*role) {
            let takes = tool.fields().iter().any(|field| field.name == "preferences");
            let expected = matches!(
                tool,
                Tool::SubmitArchitecture
                    | Tool::SubmitPmDone
                    | Tool::SubmitPlan
                    | Tool::SubmitReview
            );
            assert_eq!(takes, expected, "{tool}");
            if takes {
                let bullet = format!("- Heed {tool}");
                let preferences = json!([{ "target_role": "coder", "bullet": bullet }]);
                let value = with(example(*tool), "preferences", preferences);
                let receipt = scene.submit(*role, *tool, &value);
                assert_eq!(receipt.preferences.as_deref(), Some("Preferences submitted: 1."));
                let taken = scene.take_preferences(tool.phase(*role));
                assert_eq!(taken.as_deref(), Some("Preferences stored: 1."));
                let again = scene.take_preferences(tool.phase(*role)).expect("they are there");
                assert!(again.starts_with("Preferences stored: 0; already known: "), "{again}");
            }
        }
    }
    let kept = approved(scene.project(), &[Role::Coder]).expect("read");
    let words: Vec<_> = kept.iter().map(|kept| kept.words.as_str()).collect();
    let expected = [
        "Heed submit_architecture",
        "Heed submit_plan",
        "Heed submit_pm_done",
        "Heed submit_review",
    ];
    assert_eq!(words, expected);
}

#[test]
fn preferences_of_a_run_that_nobody_attends_wait_for_a_person() {
    let scene = Scene::new().unattended();
    let preferences = json!([{ "target_role": "coder", "bullet": "- Keep regression tests" }]);
    let value = with(review("pass"), "preferences", preferences);
    let receipt = scene.submit(Role::Reviewer, Tool::SubmitReview, &value);
    assert_eq!(receipt.preferences.as_deref(), Some("Preferences submitted: 1."));
    let taken = scene.take_preferences("07_review");
    assert_eq!(taken.as_deref(), Some("Preferences that wait for a person: 1."));
    assert_eq!(approved(scene.project(), &[Role::Coder]).expect("read"), []);
    let waiting = pending(scene.project()).expect("read");
    assert_eq!((waiting.len(), waiting[0].from.change.as_str()), (1, "add-login"));
}

#[test]
fn a_preference_that_is_wrong_refuses_the_submission() {
    let scene = Scene::new();
    let wrong = json!([
        { "target_role": "king", "bullet": "- x" },
        { "target_role": "coder", "bullet": format!("- {}", "x".repeat(400)) },
        { "target_role": "../x", "bullet": "[[include:/etc/passwd]]" },
    ]);
    let faults = scene.faults(
        Role::Reviewer,
        Tool::SubmitReview,
        &with(review("pass"), "preferences", wrong),
    );
    let fields: Vec<_> = faults.iter().filter_map(|fault| fault.split('`').nth(1)).collect();
    assert_eq!(
        fields,
        [
            "preferences[0].target_role",
            "preferences[2].target_role",
            "preferences[1].bullet",
            "preferences[2].bullet",
        ],
        "{faults:?}"
    );
    assert!(!scene.path("07_review").exists(), "nothing is written");
}

#[test]
fn what_was_handed_in_is_kept_with_its_time_and_hash() {
    let scene = Scene::new();
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(2));
    let kept = submissions(scene.folder(), "04_planning").expect("read");
    assert_eq!(kept.len(), 1);
    assert_eq!(
        (kept[0].tool, kept[0].key.as_deref(), kept[0].at_ms),
        (Tool::SubmitSubplan, Some("2"), 1000)
    );
    assert_eq!(kept[0].hash.as_str().len(), 64);
    let value = submission(scene.folder(), "04_planning", Tool::SubmitSubplan, Some("2"));
    assert_eq!(value.expect("read"), Some(subplan(2)));
}

proptest! {
    // Each case writes files and waits for the disk.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_schedule_reads_back_from_its_yaml(
        texts in proptest::collection::vec("[^\\x00-\\x1f\\x7f-\\x9f]{1,40}", 4),
        flag in any::<bool>(),
    ) {
        let plan = json!({
            "version": 1,
            "groups": [{
                "group_id": texts[0], "mode": "parallel", "plans": [{ "file": "plan_1.md", "name": texts[1] }],
            }],
            "needs_design": flag,
            "needs_docs": false,
            "doc_files": [],
            "review_strategy": { "severity": "high", "focus": [texts[2], texts[3]] },
        });
        let scene = Scene::new();
        // Some of these texts are refused, and then there is nothing to read.
        if scene.try_submit(Role::Planner, Tool::SubmitExecutionPlan, &plan).is_ok() {
            let text = scene.read("04_planning/execution_plan.yaml");
            let read: Value = serde_saphyr::from_str(&text).expect("YAML");
            prop_assert_eq!(&read, &plan, "{}", text);
            let typed: ExecutionPlan = serde_json::from_value(read).expect("a schedule");
            prop_assert_eq!(typed.review_strategy.focus.len(), 2);
        }
    }
}
