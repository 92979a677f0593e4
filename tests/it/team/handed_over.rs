//! Nothing that one member of a team hands over to the next gets lost: reviews of every round, plans, documents, tasks
//! and verdicts, through whole runs.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::scene::{ID, Scene};
use crate::project::AGENTD;

/// A review with one finding.
fn failing_review() -> Value {
    json!({
        "verdict": "fail", "summary": "Not yet.", "checks": [],
        "findings": [{
            "severity": "high", "location": "agentd-demo/x.sh:1",
            "issue": "The word is not checked.", "recommendation": "Check it.",
        }],
    })
}

/// A sub-plan that owns some files.
fn sub_plan(index: u32, owned: &[&str]) -> Value {
    json!({
        "index": index, "title": format!("Part {index}"), "phase": 2, "scope": "One part.",
        "owned_files": owned, "dependencies": [], "isolation": "Nobody else.",
        "implementation": "Write it.", "acceptance_criteria": ["it is there"], "tasks": ["Write it"],
    })
}

/// A schedule of one group with the first so many plans.
fn schedule(mode: &str, count: u32) -> Value {
    let plan = |index: u32| json!({ "file": format!("plan_{index}.md"), "name": "A part" });
    let plans: Vec<_> = (1..=count).map(plan).collect();
    json!({ "version": 1, "groups": [{ "group_id": "all", "mode": mode, "plans": plans }] })
}

/// The steps of a script that write files of planning.
fn planning(scene: &Scene, files: &[(&str, &Value)]) -> String {
    let folder = scene.change("04_planning");
    let write =
        |(name, value): &(&str, &Value)| format!("write {}/{name} {value}\n", folder.display());
    files.iter().map(write).collect()
}

/// Describes a planner that plans this and nothing else.
fn planner(scene: &Scene, files: &[(&str, &Value)]) {
    let steps = planning(scene, files);
    scene.agent("planner", &format!("read\n{steps}answer Planned.\n"));
}

/// The steps of a shell that call a tool over MCP as a role, and keep the answer.
fn call(role: &str, tool: &str, arguments: &Value, answer: &Path) -> String {
    let initialize = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } },
    });
    let call = json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": tool, "arguments": arguments },
    });
    format!(
        "printf '%s\\n' '{initialize}' '{call}' | {AGENTD} mcp --outbox \"$AGENTD_OUTBOX\" --role {role} >>'{}'\n",
        answer.display()
    )
}

/// Lists the verdict of each review.
fn reviews(scene: &Scene) -> Vec<Value> {
    let journal = scene.read("journal.jsonl");
    let reviews = journal.lines().filter(|line| line.contains("\"step\":\"review\",\"outcome\""));
    reviews
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["outcome"].clone())
        .collect()
}

/// Sees that both reviews of a team whose reviewer says the same twice are there with their findings.
fn both_reviews_are_there(scene: &Scene) {
    scene.config("[team]\nreview_rounds = 2\n");
    scene
        .run(&["--agent", "reviewer=stern"])
        .exits(8)
        .says("`fix` of `add-logo` has used all its rounds");
    for name in ["review.md", "review_1.md", "review_2.md"] {
        let review = scene.read(&format!("07_review/{name}"));
        assert!(review.starts_with("VERDICT: FAIL\n"), "{name}: {review}");
        assert!(review.contains("The word is not checked."), "{name}: {review}");
        assert!(!review.contains("That is all."), "{name}: {review}");
    }
    let fix = scene.read("06_implementation/fix_prompt.md");
    assert!(fix.contains("The word is not checked."), "{fix}");
}

#[test]
fn a_review_in_a_file_that_says_the_same_as_the_last_keeps_its_findings() {
    let scene = Scene::new();
    let file = scene.change("07_review/review.yaml");
    scene.hand("stern", &format!("printf '%s' '{}' >'{}'", failing_review(), file.display()));
    both_reviews_are_there(&scene);
}

#[test]
fn a_review_submitted_with_the_tool_that_says_the_same_as_the_last_keeps_its_findings() {
    let scene = Scene::new();
    let answers = scene.home.path("answers");
    let steps = call("reviewer", "submit_review", &failing_review(), &answers);
    scene.hand("stern", &steps);
    both_reviews_are_there(&scene);
    let answers = fs::read_to_string(answers).expect("answers");
    assert_eq!(answers.matches("\"isError\":false").count(), 2, "{answers}");
}

#[test]
fn what_a_reviewer_writes_after_it_has_submitted_takes_nothing_from_its_findings() {
    for (steps, words) in
        [("rm", ""), ("printf 'VERDICT: FAIL\\n\\nSee above.\\n' >", "See above.")]
    {
        let scene = Scene::new();
        let (answers, file) = (scene.home.path("answers"), scene.change("07_review/review.md"));
        let submit = call("reviewer", "submit_review", &failing_review(), &answers);
        scene.hand("stern", &format!("{submit}{steps} '{}'", file.display()));
        scene.config("[team]\nreview_rounds = 1\n");
        scene.run(&["--agent", "reviewer=stern"]).exits(8).prints("NEEDS_CHANGES");
        let review = scene.read("07_review/review.md");
        assert!(review.contains("The word is not checked.") && review.contains(words), "{review}");
        assert!(!review.contains("That is all."), "{review}");
    }
}

#[test]
fn the_review_of_each_round_is_kept_and_archived_and_no_later_reviewer_changes_it() {
    let scene = Scene::new();
    let first = scene.change("07_review/review_1.md");
    let first = first.display();
    scene.meddler("reviewer", &format!("test -e '{first}' && echo forged >'{first}'"));
    scene.run(&["--agent", "reviewer=reviewer"]).exits(0);
    let (one, two) = (scene.read("07_review/review_1.md"), scene.read("07_review/review_2.md"));
    assert!(one.starts_with("VERDICT: FAIL\n") && one.contains("an empty word"), "{one}");
    assert!(two.starts_with("VERDICT: PASS\n"), "{two}");
    assert_eq!(two, scene.read("07_review/review.md"));
    scene.home.agentd(&["approve", ID]).exits(0).prints("archived");
    let archive = scene.home.root().join("agentd/archive");
    let folder = fs::read_dir(archive).expect("an archive").flatten().next().expect("a change");
    let kept = |name: &str| fs::read_to_string(folder.path().join("07_review").join(name));
    assert_eq!(kept("review_1.md").expect("kept"), one);
    assert_eq!(kept("review_2.md").expect("kept"), two);
}

#[test]
fn a_sub_plan_in_a_file_that_no_schedule_names_is_asked_about_and_never_dropped() {
    let scene = Scene::new();
    let extra = sub_plan(4, &["extra.sh"]);
    let steps = planning(&scene, &[("plan_4.yaml", &extra)]);
    scene.agent("planner", &format!("read\n{steps}play\n"));
    let refused = scene.run(&["--agent", "planner=planner", "--until", "planner"]).exits(5);
    refused.says("plan_4 is in no group of the execution plan").says("set_aside");
    assert_eq!(scene.runs("-planner-files").len(), 1, "it was asked once more");
    let asked = scene.outbox("planner", "04_planning/planner_prompt.md");
    let asked = fs::read_to_string(asked).expect("a prompt");
    assert!(asked.contains("plan_4 is in no group of the execution plan"), "{asked}");
    let plan = scene.outbox("planner", "04_planning/plan_4.md");
    assert!(plan.is_file(), "nothing is thrown away");
}

#[test]
fn a_sub_plan_that_a_planner_sets_aside_by_name_is_kept_and_the_person_reads_of_it() {
    let scene = Scene::new();
    let extra = sub_plan(4, &["extra.sh"]);
    let overview = json!({ "overview": "Three scripts.", "set_aside": [4] });
    let steps = planning(&scene, &[("plan_4.yaml", &extra), ("plan.yaml", &overview)]);
    // The plan of the offline agent is written first, and its last file replaced.
    scene.agent("planner", &format!("read\nplay\n{steps}"));
    let ran = scene.run(&["--agent", "planner=planner", "--until", "planner"]).exits(0);
    ran.prints("plan 4 is set aside").prints("04_planning/set_aside/plan_4.md");
    assert!(scene.read("04_planning/set_aside/plan_4.md").contains("# Part 4"));
    assert!(scene.read("04_planning/set_aside/tasks_4.md").contains("- [ ] Write it"));
    assert!(!scene.change("04_planning/plan_4.md").exists());
    scene.run(&["--until", "coders"]).exits(0);
}

#[test]
fn a_sub_plan_submitted_with_the_tool_that_no_schedule_names_is_refused_to_the_agent() {
    let scene = Scene::new();
    let (plan, extra) = (sub_plan(1, &["one.sh"]), sub_plan(2, &["two.sh"]));
    let overview = json!({ "overview": "One script." });
    let aside = json!({ "overview": "One script.", "set_aside": [2] });
    let answers = scene.home.path("answers");
    let mut steps = String::new();
    for (tool, arguments) in [
        ("submit_subplan", &plan),
        ("submit_subplan", &extra),
        ("submit_execution_plan", &schedule("serial", 1)),
        ("submit_plan", &overview),
        ("submit_plan", &aside),
    ] {
        steps.push_str(&call("planner", tool, arguments, &answers));
    }
    scene.hand("planner", &steps);
    let ran = scene.run(&["--agent", "planner=planner", "--until", "planner"]).exits(0);
    ran.prints("plan 2 is set aside");
    let answers = fs::read_to_string(answers).expect("answers");
    assert!(answers.contains("plan_2 is in no group of the execution plan"), "{answers}");
    assert_eq!(answers.matches("\"isError\":true").count(), 1, "{answers}");
}

#[test]
fn a_sub_plan_in_a_file_whose_name_has_no_number_is_asked_about() {
    let scene = Scene::new();
    let steps = planning(&scene, &[("plan_04.yaml", &sub_plan(4, &["extra.sh"]))]);
    scene.agent("planner", &format!("read\n{steps}play\n"));
    let refused = scene.run(&["--agent", "planner=planner", "--until", "planner"]).exits(5);
    refused.says("04_planning/plan_04.yaml").says("plan_4.yaml");
}

#[test]
fn a_glob_and_a_file_that_it_does_not_match_are_carried_out_side_by_side() {
    let scene = Scene::new();
    let (code, config) = (sub_plan(1, &["src/**/*.ts"]), sub_plan(2, &["src/config.json"]));
    let overview = json!({ "overview": "Two parts." });
    let plan = schedule("parallel", 2);
    planner(
        &scene,
        &[
            ("plan_1.yaml", &code),
            ("plan_2.yaml", &config),
            ("execution_plan.yaml", &plan),
            ("plan.yaml", &overview),
        ],
    );
    scene.run(&["--agent", "planner=planner", "--until", "planner"]).exits(0).hides("both own");
}

#[test]
fn a_coder_that_takes_a_file_for_a_folder_is_quarantined_and_reads_how_to_write_a_folder() {
    let scene = Scene::new();
    let (one, two) = (sub_plan(1, &["src/auth"]), sub_plan(2, &["two.sh"]));
    let overview = json!({ "overview": "Two parts." });
    let plan = schedule("parallel", 2);
    planner(
        &scene,
        &[
            ("plan_1.yaml", &one),
            ("plan_2.yaml", &two),
            ("execution_plan.yaml", &plan),
            ("plan.yaml", &overview),
        ],
    );
    let tasks = scene.change("04_planning/tasks_1.md");
    let tasks = tasks.to_string_lossy().replace("tasks_1.md", "tasks_*.md");
    let done = scene.change("06_implementation/done_");
    let steps = format!(
        "mkdir -p src/auth && echo x >src/auth/login.rs\nsed -i 's/\\[ ]/[x]/' {tasks}\ntouch {0}1 {0}2",
        done.display()
    );
    scene.hand("coder", &steps);
    let ran = scene.run(&["--agent", "planner=planner", "--agent", "coder=coder"]).exits(5);
    ran.says("plan 1 wrote files that it does not own: src/auth/login.rs")
        .says("plan 1 owns `src/auth` as a file: write `src/auth/` for a folder");
}

#[test]
fn words_that_yaml_1_1_took_for_booleans_are_names_of_plans_and_groups() {
    let scene = Scene::new();
    let folder = scene.change("04_planning");
    let folder = folder.display();
    let schedule = "version: 1\\ngroups:\\n- group_id: on\\n  mode: serial\\n  plans:\\n  - {file: plan_1.md, name: n}\\n";
    let plan = "index: 1\\ntitle: y\\nscope: no\\nowned_files: [off]\\ndependencies: []\\nisolation: yes\\nphase: 1\\n\
                implementation: Yes\\nacceptance_criteria: [on]\\ntasks: [No]\\n";
    scene.agent(
        "planner",
        &format!(
            "read\nwrite {folder}/plan_1.yaml {plan}\nwrite {folder}/execution_plan.yaml {schedule}\n\
             write {folder}/plan.yaml overview: off\\n\nanswer Planned.\n"
        ),
    );
    scene.run(&["--agent", "planner=planner", "--until", "planner"]).exits(0);
    scene
        .home
        .agentd(&["schedule", "graph", ID])
        .exits(0)
        .prints("on (serial)")
        .prints("plan_1  n");
    let plan = scene.read("04_planning/plan_1.md");
    assert!(plan.starts_with("# y\n") && plan.contains("`off`"), "{plan}");
}

#[test]
fn a_preference_about_a_type_with_parameters_is_taken() {
    let scene = Scene::new();
    let done = json!({
        "summary": "One.", "preferences": [{ "target_role": "coder", "bullet": "- Use Vec<T>" }],
    });
    let file = scene.change("01_product_management/pm_done.yaml");
    scene.config("[team]\nproduct_manager = true\n");
    scene.agent("manager", &format!("read\nplay\nwrite {} {done}\n", file.display()));
    let manager = ["--agent", "product-manager=manager", "--until", "product-manager"];
    scene.run(&manager).exits(0);
    scene.home.agentd(&["preferences", "pending"]).exits(0).prints("Use Vec<T>");
}

#[test]
fn a_verdict_without_a_blank_and_with_emphasis_is_a_verdict_for_the_review_and_the_summary() {
    for line in ["VERDICT:PASS", "\\n**VERDICT : PASS**", "**VERDICT:** PASS"] {
        let scene = Scene::new();
        let file = scene.change("07_review/review.md");
        let text = format!("{line}\\n\\nAll is well.\\n");
        let script = format!("read\nwrite {} {text}\nanswer Done.\n", file.display());
        scene.agent("reviewer", &script);
        scene.run(&["--agent", "reviewer=reviewer", "--until", "review"]).exits(0).prints("PASS");
        assert_eq!(scene.read("07_review/review.md"), "VERDICT: PASS\n\nAll is well.\n");
        scene.run(&[]).exits(0).prints("waiting");
    }
}

#[test]
fn every_document_that_is_asked_for_is_demanded_and_the_one_that_is_missing_is_named() {
    let scene = Scene::new();
    let documents = ["docs/greeting.md", "docs/names.md"];
    let last = json!({
        "index": 3, "title": "Script 3", "phase": 3, "scope": "One script and its documents.",
        "owned_files": [format!("agentd-demo/{ID}-3.*"), documents[0], documents[1]],
        "dependencies": [1, 2], "isolation": "Nobody else.", "implementation": "Write it.",
        "acceptance_criteria": ["it is there"], "tasks": ["Write it"],
    });
    let mut plan = schedule("serial", 3);
    plan["needs_docs"] = json!(true);
    plan["doc_files"] = json!(documents);
    let steps = planning(&scene, &[("plan_3.yaml", &last), ("execution_plan.yaml", &plan)]);
    scene.agent("planner", &format!("read\nplay\n{steps}"));
    // Three plans, then what the first review found; only the second fix writes the second document.
    let calls = scene.home.path("calls");
    let script = format!(
        "count {}\nread\nfrom 1 write docs/greeting.md # Greeting\\n\non 5 write docs/names.md # Names\\n\nplay\n",
        calls.display()
    );
    scene.agent("coder", &script);
    let agents = ["--agent", "planner=planner", "--agent", "coder=coder"];
    scene.run(&agents).exits(0).prints("waiting");
    assert_eq!(reviews(&scene), ["NEEDS_CHANGES", "PASS", "PASS"]);
    for found in ["07_review/review_2.md", "06_implementation/fix_prompt.md"] {
        let text = scene.read(found);
        assert!(text.contains("`docs/names.md` is not changed"), "{found}: {text}");
        assert!(!text.contains("`docs/greeting.md` is not"), "{found}: {text}");
    }
}

/// Describes a coder that writes the code of the offline agent and its marker, and leaves its tasks open for so many
/// calls.
fn forgetful(scene: &Scene, calls: u32) {
    let folder = scene.change("04_planning");
    let count = scene.home.path("calls");
    let (folder, count) = (folder.display(), count.display());
    scene.finisher(
        "coder",
        &format!(
            "echo >>'{count}'\nif [ $(wc -l <'{count}') -le {calls} ]; then sed -i 's/\\[x]/[ ]/' '{folder}'/tasks_*.md; fi"
        ),
    );
}

#[test]
fn a_marker_beside_open_tasks_is_asked_about_once_and_then_the_plan_fails() {
    for team in ["max_parallel = 1", "single_coder = true"] {
        let scene = Scene::new();
        scene.config(&format!("[team]\n{team}\n"));
        forgetful(&scene, u32::MAX);
        let failed = scene.run(&["--agent", "coder=coder"]).exits(5);
        failed.says("04_planning/tasks_1.md").says("2 tasks are open").says("Write the script");
        let runs = scene.runs("-files");
        assert!(!runs.is_empty(), "{team}: it was asked once more");
        let again = fs::read_to_string(scene.change("runs").join(&runs[0]).join("prompt.md"));
        let again = again.expect("the prompt");
        assert!(again.contains("`Write the test and see it fail`, `Write the script`"), "{again}");
    }
}

#[test]
fn a_marker_beside_tasks_that_are_gone_is_asked_about() {
    let scene = Scene::new();
    let tasks = scene.change("04_planning/tasks_1.md");
    let steps =
        format!("case \"$PWD\" in *.plan-1) echo 'All done.' >'{}';; esac", tasks.display());
    scene.finisher("coder", &steps);
    let failed = scene.run(&["--agent", "coder=coder"]).exits(5);
    failed.says("2 tasks are gone: `Write the test and see it fail`, `Write the script`");
    assert_eq!(scene.runs("-coder-1-files").len(), 1, "it was asked once more");
    assert!(scene.runs("-coder-2-files").is_empty());
}

#[test]
fn open_tasks_that_are_ticked_when_asked_about_are_done() {
    let scene = Scene::new();
    scene.config("[team]\nmax_parallel = 1\n");
    forgetful(&scene, 1);
    scene.run(&["--agent", "coder=coder", "--until", "coders"]).exits(0);
    assert_eq!(scene.runs("-coder-1-files").len(), 1, "it was asked once more");
    assert!(scene.runs("-coder-2-files").is_empty());
}

#[test]
fn a_coder_that_submits_a_plan_with_open_tasks_is_refused() {
    let scene = Scene::new();
    scene.run(&["--until", "planner"]).exits(0);
    let answers = scene.home.path("answers");
    let done = json!({ "plan": 1, "summary": "Done.", "checks": [] });
    scene.hand("coder", &call("coder", "submit_done", &done, &answers));
    scene.run(&["--agent", "coder=coder"]).exits(5).says("06_implementation/done_1");
    let answers = fs::read_to_string(answers).expect("answers");
    assert!(answers.contains("2 tasks are open in `04_planning/tasks_1.md`"), "{answers}");
}

/// Describes a reviewer that submits a pass, and says something beside it in its answers.
fn reviewer(scene: &Scene, answers: &[&str]) {
    let review = json!({ "verdict": "pass", "summary": "Good.", "findings": [], "checks": [] });
    let (file, calls) = (scene.change("07_review/review.yaml"), scene.home.path("reviews"));
    let mut script =
        format!("count {}\nread\nwrite {} {review}\n", calls.display(), file.display());
    for (number, answer) in answers.iter().enumerate() {
        script.push_str(&format!("on {} answer {answer}\n", number + 1));
    }
    scene.agent("reviewer", &script);
}

#[test]
fn an_unclear_marker_beside_a_submitted_pass_is_asked_about_and_is_no_pass() {
    let scene = Scene::new();
    reviewer(&scene, &["<review>MAYBE</review>", "<review>MAYBE</review>", "Good."]);
    let agents = ["--agent", "reviewer=reviewer", "--until", "review"];
    scene.run(&agents).exits(5).says("07_review/review.md").says("`MAYBE` is not a verdict");
    assert_eq!(scene.runs("-review-files").len(), 1, "it was asked once more");
    assert_eq!(reviews(&scene), [""; 0]);
    scene.run(&agents).exits(0).prints("PASS");
}

#[test]
fn a_marker_that_is_clear_when_asked_about_lets_a_submitted_pass_be_one() {
    let scene = Scene::new();
    reviewer(&scene, &["<review>MAYBE</review>", "<review>PASS</review>"]);
    scene.run(&["--agent", "reviewer=reviewer", "--until", "review"]).exits(0).prints("PASS");
}

#[test]
fn a_marker_that_contradicts_a_submitted_pass_fails_the_review() {
    let scene = Scene::new();
    reviewer(&scene, &["<review>NEEDS_CHANGES</review>"]);
    scene.config("[team]\nreview_rounds = 1\n");
    scene.run(&["--agent", "reviewer=reviewer"]).exits(8).prints("NEEDS_CHANGES");
    assert_eq!(reviews(&scene), ["NEEDS_CHANGES"]);
}
