//! Sub-plans that a planner has thought better of are set aside when planning ends.

use agentd::handoff::{Tool, submissions};
use agentd::template::Role;

use super::scene::{Scene, example, execution_plan, subplan};

fn yaml(value: &serde_json::Value) -> String {
    serde_saphyr::to_string(value).expect("YAML")
}

/// Hands in three sub-plans of which two are scheduled.
fn three_of_which_two() -> Scene {
    let scene = Scene::new().planned(&[1, 2]);
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(3));
    scene
}

#[test]
fn a_sub_plan_that_is_not_scheduled_is_set_aside_when_planning_ends() {
    let scene = three_of_which_two();
    scene.submit(Role::Planner, Tool::SubmitPlan, &example(Tool::SubmitPlan));
    for name in ["plan_3.md", "tasks_3.md", "submissions/submit_subplan-3.json"] {
        assert!(!scene.path("04_planning").join(name).exists(), "{name}");
    }
    assert!(scene.path("04_planning/plan_2.md").exists());
    assert_eq!(submissions(scene.folder(), "04_planning").expect("read").len(), 4);
    // The same again: what was handed in meanwhile is set aside too.
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(3));
    scene.submit(Role::Planner, Tool::SubmitPlan, &example(Tool::SubmitPlan));
    assert!(!scene.path("04_planning/plan_3.md").exists());
}

#[test]
fn nothing_is_set_aside_as_long_as_planning_does_not_end() {
    let scene = three_of_which_two();
    scene.submit(Role::Planner, Tool::SubmitExecutionPlan, &execution_plan(&[1, 3]));
    let faults = scene.faults(Role::Planner, Tool::SubmitPlan, &example(Tool::SubmitPlan));
    let gap = |fault: &String| fault.contains("there is plan_3, but no plan_2");
    assert!(faults.iter().any(gap), "{faults:?}");
    assert!(scene.path("04_planning/plan_2.md").exists());
    scene.submit(Role::Planner, Tool::SubmitExecutionPlan, &execution_plan(&[1, 2, 3]));
    scene.submit(Role::Planner, Tool::SubmitPlan, &example(Tool::SubmitPlan));
}

#[test]
fn a_plan_that_a_person_wrote_stays_and_is_told_of() {
    for scene in [three_of_which_two(), Scene::new().planned(&[1, 2])] {
        let own = "# Mine\n\n## Scope\nx\n\n## Owned files/modules\n- `mine/`\n\n## Dependencies\nnone\n\n\
                   ## Isolation\nx\n";
        scene.write("04_planning/plan_3.md", own);
        scene.write("04_planning/tasks_3.md", "- [ ] Mine\n");
        let faults = scene.faults(Role::Planner, Tool::SubmitPlan, &example(Tool::SubmitPlan));
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].contains("plan_3 is in no group"), "{faults:?}");
        assert_eq!(scene.read("04_planning/plan_3.md"), own);
    }
}

#[test]
fn a_planner_without_tools_sets_sub_plans_aside_in_the_same_way() {
    let scene = Scene::new();
    for number in 1..=3 {
        scene.write(&format!("04_planning/plan_{number}.yaml"), &yaml(&subplan(number)));
    }
    scene.write("04_planning/execution_plan.yaml", &yaml(&execution_plan(&[1, 2])));
    scene.write("04_planning/plan.yaml", "overview: Two plans.\n");
    for taken in scene.fallback(Role::Planner) {
        taken.outcome.unwrap_or_else(|error| panic!("{}:\n{error}", taken.path));
    }
    assert!(!scene.path("04_planning/plan_3.md").exists());
    assert!(scene.path("04_planning/plan_2.md").exists());
}
