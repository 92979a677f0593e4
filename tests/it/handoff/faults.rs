//! Every fault of a submission is told, with its field.

use agentd::handoff::{HandoffError, Kind, LARGEST_TEXT, LONGEST_LIST, Need, Tool};
use agentd::template::Role;
use serde_json::{Value, json};

use super::scene::{Scene, architecture, example, execution_plan, review, subplan, with};

#[test]
fn every_fault_is_listed_at_once_with_the_path_of_its_field() {
    let scene = Scene::new();
    let value = json!({
        "solution_overview": "",
        "components": [
            { "name": "ok", "responsibility": "fine" },
            { "name": "two\nlines" },
            { "name": 3, "responsibility": "x", "interfaces": ["y"], "colour": "red" },
            "none",
        ],
        "interfaces_and_contracts": "x\n\n## Data models\n\nforged",
        "data_models": "```\nopen",
        "technology_choices": null,
        "risks_and_mitigations": "a\u{0}b",
        "risk": "x",
    });
    assert_eq!(
        scene.faults(Role::Architect, Tool::SubmitArchitecture, &value),
        [
            "`solution_overview`: is empty",
            "`components[1].name`: has several lines, but must have one",
            "`components[1].responsibility`: is missing: Markdown",
            "`components[2].name`: is a number, and must be text on one line",
            "`components[2].interfaces`: is a list, and must be Markdown",
            "`components[2].colour`: is not a field here; the fields are `name`, `responsibility`, `interfaces`",
            "`components[3]`: is text, and must be an object with `name`, `responsibility`, `interfaces`",
            "`interfaces_and_contracts`: line 3: the heading `Data models` has level 2, which is reserved for the headings of \
             the file; use level 3 or below",
            "`data_models`: leaves a code block, a comment or HTML open, which would swallow the following text",
            "`cross_cutting_concerns`: is missing: Markdown",
            "`technology_choices`: is nothing, and must be Markdown",
            "`risks_and_mitigations`: contains the control character U+0000",
            "`risk`: is not a field here; the fields are `solution_overview`, `components`, `interfaces_and_contracts`, \
             `data_models`, `cross_cutting_concerns`, `technology_choices`, `risks_and_mitigations`, `preferences`",
        ]
    );
    assert!(!scene.path("02_architecting").exists(), "nothing is written");
}

#[test]
fn every_field_of_every_tool_is_demanded_and_no_other_is_taken() {
    let scene = Scene::new().planned(&[1]);
    scene.write("01_product_management/analysis.md", "x");
    scene.write("03_research/code-auth/summary.md", "x");
    for tool in Tool::ALL.iter().copied() {
        let role =
            *Role::ALL.iter().find(|role| Tool::of(**role).contains(&tool)).expect("an owner");
        let role = if tool == Tool::SubmitDone { Role::Coder } else { role };
        scene.ticked(1);
        scene.submit(role, tool, &example(tool));
        for field in tool.fields() {
            let mut value = example(tool);
            value.as_object_mut().expect("an object").remove(field.name);
            let outcome = scene.try_submit(role, tool, &value);
            let path = format!("`{}`: is missing", field.name);
            match (field.need, outcome) {
                (Need::Required, Err(HandoffError::Faults(faults))) => {
                    assert!(faults.to_string().contains(&path), "{tool}: {faults}");
                }
                (Need::Optional, Ok(_)) => {}
                (_, outcome) => panic!("{tool} without {}: {outcome:?}", field.name),
            }
            if !matches!(field.kind, Kind::Map(_)) {
                let wrong = with(example(tool), field.name, json!({ "x": 1 }));
                let faults = scene.faults(role, tool, &wrong);
                assert!(
                    faults.iter().any(|fault| fault.contains("is an object")),
                    "{tool}: {faults:?}"
                );
            }
        }
        let faults = scene.faults(role, tool, &with(example(tool), "more", 1));
        assert!(faults[0].starts_with("`more`: is not a field here"), "{tool}: {faults:?}");
        for whole in [json!([]), json!("text"), Value::Null] {
            assert!(!scene.faults(role, tool, &whole).is_empty(), "{tool}");
        }
    }
}

#[test]
fn what_does_not_agree_with_itself_is_refused() {
    let scene = Scene::new();
    let plan = with(subplan(2), "dependencies", json!([2, 1, 1, 0, "plan_1"]));
    let plan = with(plan, "owned_files", json!(["src/a.rs", "src/a.rs", "../x", "/etc", "a`b"]));
    let plan = with(plan, "phase", 4);
    let plan = with(plan, "tasks", json!([]));
    let faults = scene.faults(Role::Planner, Tool::SubmitSubplan, &plan);
    let expected = [
        "`owned_files[2]`: `../x` contains `..`, which may lead outside the project: write the path relative to the \
         project's root: `src/auth/login.rs`",
        "`owned_files[3]`: `/etc` is not relative to the project's root: write the path relative to the \
         project's root: `src/auth/login.rs`",
        "`owned_files[4]`: contains a back-tick",
        "`dependencies[3]`: 0 is not a whole number from 1 to 999",
        "`dependencies[4]`: is text, and must be a whole number from 1 to 999",
        "`phase`: 4 is not a whole number from 1 to 3",
        "`tasks`: has 0 items: a list of at least 1, each item text on one line",
        "`dependencies[0]`: the plan cannot depend on itself",
        "`dependencies[2]`: 1 is repeated",
        "`owned_files[1]`: `src/a.rs` is repeated",
    ];
    assert_eq!(faults, expected);

    let mut schedule = execution_plan(&[1, 1]);
    schedule["groups"][0]["plans"][0]["file"] = "../plan_1.md".into();
    let group = schedule["groups"][0].clone();
    schedule["groups"] = json!([group, { "group_id": "all", "mode": "both", "plans": [] }]);
    let schedule = with(with(schedule, "doc_files", json!([])), "version", 2);
    let faults = scene.faults(Role::Planner, Tool::SubmitExecutionPlan, &schedule);
    assert_eq!(
        faults,
        [
            "`version`: 2 is not the number 1",
            "`groups[0].plans[0].file`: `../plan_1.md` is not the file of a plan, `plan_N.md`",
            "`groups[1].mode`: `both` is not one of `serial` or `parallel`",
            "`groups[1].plans`: has 0 items: a list of at least 1, each item an object with `file`, `name`",
            "`groups[1].group_id`: another group has this name",
            "`doc_files`: is empty, and `needs_docs` is true: name the documents",
        ]
    );

    let fail = with(review("fail"), "findings", json!([]));
    let faults = scene.faults(Role::Reviewer, Tool::SubmitReview, &fail);
    assert_eq!(faults, ["`findings`: is empty, and the verdict is `fail`: say what to fix"]);
    let pass = with(review("fail"), "verdict", "pass");
    let faults = scene.faults(Role::Reviewer, Tool::SubmitReview, &pass);
    let contradiction =
        "`findings[0].severity`: is `high`, but the verdict is `pass`: one of them is wrong";
    assert_eq!(faults, [contradiction]);
}

#[test]
fn work_that_is_not_there_cannot_be_said_to_be_done() {
    let scene = Scene::new();
    let done = json!({ "summary": "Built.", "checks": [] });
    let faults = scene.faults(Role::Coder, Tool::SubmitDone, &with(done.clone(), "plan", 7));
    assert_eq!(
        faults,
        ["`plan`: there is no such plan: `04_planning/plan_7.md` is missing: write it first"]
    );
    let faults = scene.faults(Role::Designer, Tool::SubmitDone, &with(done.clone(), "plan", 7));
    assert_eq!(
        faults,
        [
            "`plan`: only a coder names a plan: leave it out",
            "`05_design/design.md` is missing: write it first"
        ]
    );
    let faults = scene.faults(Role::Reviewer, Tool::SubmitDone, &done);
    assert_eq!(faults, ["`08_completion/summary.md` is missing: write it first"]);
    scene.write("01_product_management/analysis.md", " \n");
    let faults = scene.faults(Role::ProductManager, Tool::SubmitPmDone, &json!({}));
    assert_eq!(
        faults,
        [
            "`summary`: is missing: Markdown",
            "`01_product_management/analysis.md` is empty: write it first"
        ]
    );
}

#[test]
fn sizes_are_bounded() {
    let scene = Scene::new();
    let large = with(architecture(), "data_models", "x".repeat(LARGEST_TEXT + 1));
    let faults = scene.faults(Role::Architect, Tool::SubmitArchitecture, &large);
    assert_eq!(faults, ["`data_models`: has 262145 bytes, and the limit is 262144"]);
    let full = with(architecture(), "data_models", "x".repeat(LARGEST_TEXT));
    scene.submit(Role::Architect, Tool::SubmitArchitecture, &full);
    let tasks: Vec<_> = (0..=LONGEST_LIST).map(|number| format!("Task {number}")).collect();
    let faults =
        scene.faults(Role::Planner, Tool::SubmitSubplan, &with(subplan(1), "tasks", tasks));
    assert_eq!(faults, ["`tasks`: has 501 items, and 500 at most"]);
    let line = with(subplan(1), "title", "x".repeat(5000));
    let faults = scene.faults(Role::Planner, Tool::SubmitSubplan, &line);
    assert_eq!(faults, ["`title`: has 5000 bytes, and the limit is 4096"]);
}

#[test]
fn a_role_has_its_own_tools_and_no_others() {
    let scene = Scene::new();
    for role in Role::ALL {
        for tool in Tool::ALL.iter().copied().filter(|tool| !Tool::of(*role).contains(tool)) {
            let outcome = scene.try_submit(*role, tool, &example(tool));
            assert!(matches!(outcome, Err(HandoffError::NotYours { .. })), "{role} {tool}");
        }
    }
    assert_eq!(std::fs::read_dir(scene.path("")).expect("read").count(), 0);
}
