//! A sub-plan that no schedule names is refused, unless its planner sets it aside by name.

use agentd::handoff::{Tool, submissions};
use agentd::template::Role;
use serde_json::json;

use super::scene::{Scene, example, execution_plan, subplan, with};

fn yaml(value: &serde_json::Value) -> String {
    serde_saphyr::to_string(value).expect("YAML")
}

/// Hands in three sub-plans of which two are scheduled.
fn three_of_which_two() -> Scene {
    let scene = Scene::new().planned(&[1, 2]);
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(3));
    scene
}

/// The end of planning, with sub-plans that are set aside.
fn plan(set_aside: &[u32]) -> serde_json::Value {
    with(example(Tool::SubmitPlan), "set_aside", json!(set_aside))
}

#[test]
fn a_sub_plan_that_is_not_scheduled_is_refused_and_stays() {
    let scene = three_of_which_two();
    for submission in [example(Tool::SubmitPlan), plan(&[])] {
        let faults = scene.faults(Role::Planner, Tool::SubmitPlan, &submission);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].contains("plan_3 is in no group"), "{faults:?}");
        assert!(faults[0].contains("`set_aside`"), "{faults:?}");
    }
    for name in ["plan_3.md", "tasks_3.md", "submissions/submit_subplan-3.json"] {
        assert!(scene.path("04_planning").join(name).exists(), "{name}");
    }
    assert!(!scene.path("04_planning/plan.md").exists());
}

#[test]
fn a_sub_plan_that_is_set_aside_is_kept_out_of_the_way() {
    let scene = three_of_which_two();
    let before = scene.read("04_planning/plan_3.md");
    // Handed in again, it is set aside again: the same submission has the same end.
    for _ in 0..2 {
        scene.submit(Role::Planner, Tool::SubmitPlan, &plan(&[3]));
        for name in ["plan_3.md", "tasks_3.md", "submissions/submit_subplan-3.json"] {
            assert!(!scene.path("04_planning").join(name).exists(), "{name}");
        }
        assert_eq!(scene.read("04_planning/set_aside/plan_3.md"), before);
        assert!(scene.path("04_planning/set_aside/tasks_3.md").exists());
        assert!(scene.path("04_planning/plan_2.md").exists());
        assert_eq!(submissions(scene.folder(), "04_planning").expect("read").len(), 4);
        scene.submit(Role::Planner, Tool::SubmitPlan, &plan(&[3]));
        scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(3));
    }
}

#[test]
fn a_plan_that_a_person_wrote_is_kept_as_it_was_when_it_is_set_aside() {
    let scene = Scene::new().planned(&[1, 2]);
    let own = "# Mine\n\n## Scope\nx\n\n## Owned files/modules\n- `mine/`\n\n## Dependencies\nnone\n\n\
               ## Isolation\nx\n";
    scene.write("04_planning/plan_3.md", own);
    scene.write("04_planning/tasks_3.md", "- [ ] Mine\n");
    let faults = scene.faults(Role::Planner, Tool::SubmitPlan, &example(Tool::SubmitPlan));
    assert!(faults[0].contains("plan_3 is in no group"), "{faults:?}");
    scene.submit(Role::Planner, Tool::SubmitPlan, &plan(&[3]));
    assert_eq!(scene.read("04_planning/set_aside/plan_3.md"), own);
    assert_eq!(scene.read("04_planning/set_aside/tasks_3.md"), "- [ ] Mine\n");
}

#[test]
fn what_is_scheduled_not_there_or_named_twice_cannot_be_set_aside() {
    let scene = three_of_which_two();
    let faults = scene.faults(Role::Planner, Tool::SubmitPlan, &plan(&[2, 3, 3, 7]));
    for fault in [
        "`set_aside[0]`: plan_2 is scheduled: remove it from its group, or from here",
        "`set_aside[2]`: 3 is repeated",
        "`set_aside[3]`: there is no such plan: `04_planning/plan_7.md` is missing",
    ] {
        assert!(faults.iter().any(|it| it == fault), "{faults:?}");
    }
    assert!(scene.path("04_planning/plan_3.md").exists());
    let faults = scene.faults(Role::Planner, Tool::SubmitPlan, &plan(&[1000]));
    assert_eq!(faults.len(), 2, "{faults:?}");
}

#[test]
fn nothing_is_set_aside_as_long_as_planning_does_not_end() {
    let scene = three_of_which_two();
    scene.submit(Role::Planner, Tool::SubmitExecutionPlan, &execution_plan(&[1, 3]));
    let faults = scene.faults(Role::Planner, Tool::SubmitPlan, &plan(&[2]));
    let gap = |fault: &String| fault.contains("plan_3 exists, but plan_2 is missing");
    assert!(faults.iter().any(gap), "{faults:?}");
    assert!(scene.path("04_planning/plan_2.md").exists());
    scene.submit(Role::Planner, Tool::SubmitExecutionPlan, &execution_plan(&[1, 2, 3]));
    scene.submit(Role::Planner, Tool::SubmitPlan, &example(Tool::SubmitPlan));
}

#[test]
fn a_planner_without_tools_sets_sub_plans_aside_in_the_same_way() {
    let scene = Scene::new();
    for number in 1..=3 {
        scene.write(&format!("04_planning/plan_{number}.yaml"), &yaml(&subplan(number)));
    }
    scene.write("04_planning/execution_plan.yaml", &yaml(&execution_plan(&[1, 2])));
    scene.write("04_planning/plan.yaml", "overview: Two plans.\n");
    let refused: Vec<_> =
        scene.fallback(Role::Planner).into_iter().filter(|taken| taken.outcome.is_err()).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].path, "04_planning/plan.yaml");
    scene.write("04_planning/plan.yaml", "overview: Two plans.\nset_aside: [3]\n");
    for taken in scene.fallback(Role::Planner) {
        taken.outcome.unwrap_or_else(|error| panic!("{}:\n{error}", taken.path));
    }
    assert!(!scene.path("04_planning/plan_3.md").exists());
    assert!(scene.path("04_planning/set_aside/plan_3.md").exists());
    assert!(scene.path("04_planning/plan_2.md").exists());
}

#[test]
fn files_that_look_like_sub_plans_and_are_called_otherwise_are_refused_by_name() {
    let scene = Scene::new();
    scene.write("04_planning/plan_0.yaml", "nonsense: [");
    let taken = scene.fallback(Role::Planner);
    let error = taken[0].outcome.as_ref().expect_err("refused").to_string();
    assert!(error.contains("`04_planning/plan_N.yaml`"), "{error}");
    for name in ["plan_03.yaml", "plan_3.yml", "plan_three.yaml"] {
        let scene = Scene::new().planned(&[1, 2]);
        let path = format!("04_planning/{name}");
        scene.write(&path, &yaml(&subplan(3)));
        let taken = scene.fallback(Role::Planner);
        let [taken] = taken.as_slice() else { panic!("{name}: {taken:?}") };
        let error = taken.outcome.as_ref().expect_err("refused").to_string();
        let words = "is not a file of a sub-plan: write the sub-plan to `04_planning/plan_3.yaml`";
        assert!(error.contains(&format!("`{path}` {words}")), "{error}");
        // Who cannot remove it empties it, or writes the right file beside it.
        scene.write(&path, "");
        assert_eq!(scene.fallback(Role::Planner).len(), 0);
        scene.write(&path, &yaml(&subplan(3)));
        scene.write("04_planning/plan_3.yaml", &yaml(&subplan(3)));
        assert_eq!(scene.fallback(Role::Planner).len(), 1);
    }
}
