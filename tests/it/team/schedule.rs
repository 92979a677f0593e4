//! What a configuration and a schedule ask for beside the code is done: an analysis, a design, documents, a review that
//! looks at what it is to look at.

use serde_json::{Value, json};

use super::scene::{ID, Scene};

/// Describes a planner that plans what the offline agent does, with more in its schedule, and a document for its last plan.
fn planner(scene: &Scene, more: &Value) {
    let plan = |number: u32| json!({ "file": format!("plan_{number}.md"), "name": "A script" });
    let mut schedule = json!({
        "version": 1,
        "groups": [
            { "group_id": "side-by-side", "mode": "parallel", "plans": [plan(1), plan(2)] },
            { "group_id": "after", "mode": "serial", "plans": [plan(3)] },
        ],
        "needs_design": false, "needs_docs": false, "doc_files": [],
        "review_strategy": { "severity": "high", "focus": ["greetings in Latin"] },
    });
    for (key, value) in more.as_object().expect("fields") {
        schedule[key] = value.clone();
    }
    let last = json!({
        "index": 3, "title": "Script 3", "phase": 3, "scope": "One script and its document.",
        "owned_files": [format!("agentd-demo/{ID}-3.*"), "docs/greeting.md"],
        "dependencies": [1, 2], "isolation": "Nobody else.", "implementation": "Write it.",
        "acceptance_criteria": ["it is there"], "tasks": ["Write it"],
    });
    let folder = scene.change("04_planning");
    let folder = folder.display();
    scene.agent(
        "planner",
        &format!(
            "read\nplay\nwrite {folder}/execution_plan.yaml {schedule}\nwrite {folder}/plan_3.yaml {last}\n"
        ),
    );
}

#[test]
fn seed_002_a_product_manager_comes_first_where_the_configuration_asks_for_one() {
    let scene = Scene::new();
    scene.config("[team]\nproduct_manager = true\n");
    scene.run(&["--until", "architect"]).exits(0).prints("product-manager round 1");
    assert_eq!(scene.runs("-product-manager").len(), 1);
    let asked = scene.read("01_product_management/product_manager_prompt.md");
    assert!(asked.contains("Add a logo"), "{asked}");
    let architect = scene.read("02_architecting/architect_prompt.md");
    assert!(architect.contains("Three small scripts are wanted."), "{architect}");
}

#[test]
fn seed_002_a_design_is_made_where_the_schedule_asks_for_it_and_coders_see_it() {
    let scene = Scene::new();
    planner(&scene, &json!({ "needs_design": true }));
    scene.run(&["--agent", "planner=planner", "--until", "review"]).exits(0).prints("designer");
    assert_eq!(scene.runs("-designer").len(), 1);
    assert!(scene.read("05_design/design.md").contains("One line of plain text."));
    for plan in 1..=3 {
        let coder = scene.read(&format!("06_implementation/coder_prompt_{plan}.md"));
        assert!(coder.contains("One line of plain text."), "{coder}");
    }
    let review = scene.read("07_review/review_prompt.md");
    assert!(review.contains("One line of plain text."), "{review}");
}

#[test]
fn seed_002_the_strategy_of_the_schedule_is_in_the_prompt_of_the_review() {
    let scene = Scene::new();
    planner(&scene, &json!({}));
    scene.run(&["--agent", "planner=planner", "--until", "review"]).exits(0);
    assert!(!scene.change("05_design").exists(), "no design is asked for");
    let review = scene.read("07_review/review_prompt.md");
    assert!(review.contains("greetings in Latin") && review.contains("severity: high"), "{review}");
}

#[test]
fn seed_002_work_without_the_documents_that_are_asked_for_does_not_pass() {
    let scene = Scene::new();
    planner(&scene, &json!({ "needs_docs": true, "doc_files": ["docs/greeting.md"] }));
    let calls = scene.home.path("calls");
    // Three plans, and what the first review found: only the second fix writes the document.
    let script = format!(
        "count {}\nread\non 5 write docs/greeting.md # Greeting\\n\nplay\n",
        calls.display()
    );
    scene.agent("coder", &script);
    let agents = ["--agent", "planner=planner", "--agent", "coder=coder"];
    scene.run(&agents).exits(0).prints("waiting");
    let journal = scene.read("journal.jsonl");
    let reviews = journal.lines().filter(|line| line.contains("\"step\":\"review\",\"outcome\""));
    let results: Vec<Value> = reviews
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["outcome"].clone())
        .collect();
    assert_eq!(results, ["NEEDS_CHANGES", "PASS", "PASS"], "{journal}");
    let fix = scene.read("06_implementation/fix_prompt.md");
    assert!(fix.contains("`docs/greeting.md` is not changed"), "{fix}");
    let tree = scene.home.git(&["ls-tree", "-r", "--name-only", &format!("agentd/{ID}")]);
    assert!(tree.contains("docs/greeting.md"), "{tree}");
}

#[test]
fn no_checklist_that_a_fix_spoils_switches_off_the_demand_for_documents() {
    let scene = Scene::new();
    scene.config("[team]\nreview_rounds = 2\n");
    planner(&scene, &json!({ "needs_docs": true, "doc_files": ["docs/greeting.md"] }));
    let (calls, tasks) = (scene.home.path("calls"), scene.change("04_planning/tasks_3.md"));
    let (calls, tasks) = (calls.display(), tasks.display());
    // Three plans come first.
    scene.agent("coder", &format!("count {calls}\nread\nplay\nfrom 4 write {tasks} All done.\n"));
    let agents = ["--agent", "planner=planner", "--agent", "coder=coder"];
    scene.run(&agents).exits(8).says("`fix` of `add-logo` has used all its rounds");
    assert_eq!(scene.read("04_planning/tasks_3.md"), "All done.");
    let review = scene.read("07_review/review.md");
    assert!(review.contains("`docs/greeting.md` is not changed"), "{review}");
}

/// Describes a planner that plans what the offline agent does, and then writes a schedule of its own.
fn scheduler(scene: &Scene, schedule: &str) {
    let path = scene.change("04_planning/execution_plan.yaml");
    scene.agent("planner", &format!("read\nplay\nwrite {} {schedule}\n", path.display()));
}

/// A schedule of one group, in which nothing is said that has a default.
const BARE: &str = "version: 1\\ngroups:\\n- group_id: all\\n  mode: serial\\n  plans:\\n  - {file: plan_1.md, name: One}\\n  \
                    - {file: plan_2.md, name: Two}\\n  - {file: plan_3.md, name: Three}\\n";

#[test]
fn a_schedule_with_nothing_but_its_plans_is_right_for_the_check_and_for_the_run() {
    let scene = Scene::new();
    scheduler(&scene, BARE);
    scene
        .run(&["--agent", "planner=planner", "--until", "planner"])
        .exits(0)
        .prints("planner    its files are valid");
    scene.home.agentd(&["schedule", "check", ID]).exits(0);
}

#[test]
fn each_fault_of_a_schedule_is_told_once() {
    let scene = Scene::new();
    scheduler(&scene, &BARE.replace("serial", "both").replace("plan_3", "plan_x"));
    let ran = scene.run(&["--agent", "planner=planner", "--until", "planner"]).exits(5);
    for fault in ["`both`", "`plan_x.md`"] {
        assert_eq!(ran.stderr.matches(fault).count(), 1, "{}", ran.stderr);
    }
}

#[test]
fn what_each_call_has_used_is_in_a_row_and_every_task_is_ticked() {
    let scene = Scene::new();
    let ran = scene.run(&["--until", "coders"]).exits(0);
    let rows: Vec<_> = ran.stdout.lines().skip_while(|line| !line.starts_with("step ")).collect();
    let calls = |name: &str| -> u32 {
        let row = rows.iter().find(|row| row.starts_with(name)).expect("a row");
        row.split_whitespace().nth(1).expect("a count").parse().expect("a number")
    };
    let each = ["architect", "planner", "coders", "research"].map(calls);
    assert_eq!((each, calls("all")), ([1, 1, 3, 1], 6), "{rows:?}");
    scene.home.agentd(&["usage", "--by", "phase"]).exits(0).prints("research");
    for plan in 1..=3 {
        let tasks = scene.read(&format!("04_planning/tasks_{plan}.md"));
        assert_eq!(tasks, "- [x] Write the test and see it fail\n- [x] Write the script\n");
    }
}
