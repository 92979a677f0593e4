//! What the prompts that a run sends teach coders, architects and planners. The compiler holds the templates to the same
//! contracts; here they are looked for in the text that an agent reads.

use std::num::NonZeroU32;

use agentd::prompt::team::{
    BuiltPrompt, TeamPromptError, build_architect_prompt, build_change_prompt,
    build_coder_subplan_prompt, build_coder_whole_plan_prompt, build_planner_prompt,
};

use super::scene::Scene;

/// Returns the text of a prompt in small letters, with one blank wherever there is white space, so that it does not matter
/// where its lines end.
fn flat(prompt: Result<BuiltPrompt, TeamPromptError>) -> String {
    let text = prompt.expect("made").text.to_lowercase();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn assert_in_order(text: &str, words: &[&str]) {
    let mut rest = text;
    for word in words {
        let at =
            rest.find(word).unwrap_or_else(|| panic!("`{word}` of {words:?} is not in\n{rest}"));
        rest = &rest[at + word.len()..];
    }
}

#[test]
fn seed_002_coders_are_taught_tests_first_phase_order_one_task_at_a_time_and_the_marker_last() {
    let scene = Scene::new();
    let one = NonZeroU32::MIN;
    for prompt in [
        flat(build_coder_subplan_prompt(&scene.session(), one)),
        flat(build_coder_whole_plan_prompt(&scene.session())),
    ] {
        assert_in_order(&prompt, &["write the test", "fail (red)", "(green)", "check it off"]);
        assert_in_order(&prompt, &["phase order", "later phase"]);
        assert_in_order(
            &prompt,
            &["one task at a time", "04_planning/tasks_", "before you start the next"],
        );
        assert_in_order(&prompt, &["validate", "06_implementation/done_1", "last"]);
    }
}

#[test]
fn seed_002_the_architect_leaves_one_document_and_the_planner_owns_all_plans() {
    let scene = Scene::new();
    let architect = flat(build_architect_prompt(&scene.session()));
    assert!(architect.contains("sole output is `02_architecting/architecture.md`"), "{architect}");
    let taught = [
        "approach",
        "components",
        "interfaces",
        "data model",
        "cross-cutting",
        "technolog",
        "risks",
    ];
    for word in taught {
        assert!(architect.contains(word), "`{word}` is not in\n{architect}");
    }
    let planner = flat(build_planner_prompt(&scene.session()));
    assert!(planner.contains("the architecture"), "its document is inlined");
    assert!(planner.contains("sole owner") || planner.contains("own all plan files"), "{planner}");
}

#[test]
fn seed_002_planning_and_planning_anew_are_taught_the_whole_contract() {
    let scene = Scene::new();
    for prompt in
        [flat(build_planner_prompt(&scene.session())), flat(build_change_prompt(&scene.session()))]
    {
        for word in [
            "04_planning/plan.md",
            "plan_<n>.md",
            "tasks_<n>.md",
            "tasks.md",
            "execution_plan.yaml",
            "version",
            "groups",
            "group_id",
            "mode",
            "serial",
            "parallel",
            "needs_design",
            "needs_docs",
            "doc_files",
            "review_strategy",
            "phase 1",
            "phase 2",
            "phase 3",
            "scope",
            "owned files/modules",
            "dependencies",
            "isolation",
            "conflict",
            "disjoint",
            "refactor",
            "technical debt",
        ] {
            let other = word.replace("<n>", "n");
            assert!(
                prompt.contains(word) || prompt.contains(&other),
                "`{word}` is not in\n{prompt}"
            );
        }
    }
}
