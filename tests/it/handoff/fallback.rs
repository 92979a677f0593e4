//! Agents without tools write YAML files, which go through the same check.

use agentd::handoff::{HandoffError, Novelty, Tool, submissions};
use agentd::template::Role;

use super::scene::{Scene, architecture, example, execution_plan, review, subplan};

fn yaml(value: &serde_json::Value) -> String {
    serde_saphyr::to_string(value).expect("YAML")
}

#[test]
fn seed_002_every_tool_that_hands_in_fields_has_a_file_that_does_the_same() {
    let scene = Scene::new();
    scene.write("01_product_management/analysis.md", "x");
    let files = [
        (
            Role::ProductManager,
            "01_product_management/pm_done.yaml",
            example(Tool::SubmitPmDone),
            None,
        ),
        (
            Role::Architect,
            "02_architecting/architecture.yaml",
            architecture(),
            Some("02_architecting/architecture.md"),
        ),
        (
            Role::Architect,
            "03_research/code-auth/request.yaml",
            example(Tool::ResearchDispatchCode),
            Some("03_research/code-auth/request.md"),
        ),
        (
            Role::Architect,
            "03_research/web-auth/request.yaml",
            example(Tool::ResearchDispatchWeb),
            Some("03_research/web-auth/request.md"),
        ),
        (Role::Reviewer, "07_review/review.yaml", review("pass"), Some("07_review/review.md")),
    ];
    for (_, path, value, _) in &files {
        scene.write(path, &yaml(value));
    }
    for role in [Role::Architect, Role::Reviewer, Role::ProductManager] {
        let taken = scene.fallback(role);
        let own: Vec<_> =
            files.iter().filter(|(whose, ..)| *whose == role).map(|(_, path, ..)| *path).collect();
        let paths: Vec<_> = taken.iter().map(|taken| taken.path.as_str()).collect();
        assert!(paths.starts_with(&own), "{role}: {paths:?}");
        for (one, number) in taken.into_iter().zip(0..) {
            // Questions are everybody's who may ask; those of another are there already.
            let novelty = if number < own.len() { Novelty::New } else { Novelty::Same };
            assert_eq!(one.outcome.expect("taken").novelty, novelty, "{}", one.path);
        }
    }
    let by_tool = Scene::new();
    by_tool.submit(Role::Architect, Tool::SubmitArchitecture, &architecture());
    let path = "02_architecting/architecture.md";
    assert_eq!(scene.read(path), by_tool.read(path));
    for (_, _, _, derived) in files {
        assert!(derived.is_none_or(|path| scene.path(path).is_file()), "{derived:?}");
    }
    let again = scene.fallback(Role::Reviewer);
    assert_eq!(again[0].outcome.as_ref().expect("taken").novelty, Novelty::Same);
}

#[test]
fn seed_002_a_planner_without_tools_hands_in_plans_schedule_and_overview() {
    let scene = Scene::new();
    let numbers: Vec<u64> = (1..=10).collect();
    for number in &numbers {
        scene.write(&format!("04_planning/plan_{number}.yaml"), &yaml(&subplan(*number)));
    }
    let schedule = yaml(&execution_plan(&numbers));
    scene.write("04_planning/execution_plan.yaml", &schedule);
    scene.write("04_planning/plan.yaml", "overview: |\n  Ten plans.\n");
    let taken = scene.fallback(Role::Planner);
    let paths: Vec<_> = taken.iter().map(|taken| taken.path.clone()).collect();
    let plans = numbers.iter().map(|number| format!("04_planning/plan_{number}.yaml"));
    let expected: Vec<_> = plans.chain(["04_planning/plan.yaml".to_owned()]).collect();
    assert_eq!(paths, expected);
    for one in taken {
        one.outcome.unwrap_or_else(|error| panic!("{}:\n{error}", one.path));
    }
    assert_eq!(scene.read("04_planning/plan.md"), "# Plan\n\nTen plans.\n");
    assert!(scene.path("04_planning/tasks_10.md").is_file());
    assert_eq!(scene.read("04_planning/execution_plan.yaml"), schedule, "it stays as it is");
    assert_eq!(submissions(scene.folder(), "04_planning").expect("read").len(), 11);
}

#[test]
fn faults_of_a_file_say_line_and_column() {
    let scene = Scene::new();
    let text = "index: 3\ntitle: x\nscope: |\n  fine\n\n  ## Scope\nowned_files:\n  - src/a.rs\n  - ../b\n\
                dependencies: none\nisolation: x\nphase: 9\nimplementation: x\nacceptance_criteria: [1]\n";
    scene.write("04_planning/plan_1.yaml", text);
    scene.write("04_planning/plan_2.yaml", "index: [");
    scene.write("04_planning/plan_3.yaml", text);
    let taken = scene.fallback(Role::Planner);
    let faults = |at: usize| match &taken[at].outcome {
        Err(HandoffError::Faults(faults)) => faults.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        faults(0),
        "- 1:1: `index`: does not match the file's name, `04_planning/plan_1.yaml`"
    );
    assert!(faults(1).starts_with("- 1:"), "{}", faults(1));
    assert_eq!(
        faults(2),
        "- 3:1: `scope`: line 3: the heading `Scope` has level 2, which is reserved for the headings of the file; use level 3 \
         or below\n\
         - 9:5: `owned_files[1]`: `../b` contains `..`, which may lead outside the project: write the path relative \
         to the project's root: `src/auth/login.rs`\n\
         - 10:1: `dependencies`: is text, and must be a list, each item a whole number from 1 to 999\n\
         - 12:1: `phase`: 9 is not a whole number from 1 to 3\n\
         - 14:23: `acceptance_criteria[0]`: is a number, and must be text on one line\n\
         - 1:1: `tasks`: is missing: a list of at least 1, each item text on one line"
    );
    assert!(!scene.path("04_planning/plan_3.md").exists());
}

#[test]
fn what_is_no_file_of_a_submission_is_left_alone() {
    let scene = Scene::new();
    for path in [
        "04_planning/notes.yaml",
        "04_planning/tasks_1.yaml",
        "03_research/request.yaml",
        "03_research/notes/request.yaml",
    ] {
        scene.write(path, "nonsense: [");
    }
    assert_eq!(scene.fallback(Role::Planner).len(), 0);
    assert_eq!(scene.fallback(Role::Coder).len(), 0);
}
