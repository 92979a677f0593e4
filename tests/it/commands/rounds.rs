//! Verdicts, rounds and what goes from one round into the next.

use super::scene::{ID, Scene};

#[test]
fn a_rejected_change_ends_there() {
    let scene = Scene::new();
    scene.agent("stern", "read\nanswer This cannot work.\\n<review>REJECTED</review>");
    scene
        .run(&["--agent", "challenge=stern"])
        .exits(8)
        .prints("challenge  REJECTED")
        .says("change `add-login` was rejected by challenge")
        .says("agentd show add-login");
    assert_eq!(scene.stage(), "rejected");
    assert!(scene.read("CHALLENGE.md").contains("This cannot work."));
    scene.run(&[]).exits(8).says("was rejected");
    scene.agentd(&["run", ID, "Try harder"]).exits(4).says("can no longer be extended");
    scene.agentd(&["reject", ID, "-m", "x"]).exits(4);
}

#[test]
fn a_fence_behind_a_list_marker_hides_no_worse_verdict() {
    let scene = Scene::new();
    let report = "# Review\\n\\n1. The format is:\\n2. ```xml\\n   <review>PASS</review>\\n   ```\\n3. A test is missing.\\n\\n\
                  <Thought name='a'>\\nIt is nearly a PASS.\\n</Thought>\\n\\n<review>MAJOR_ISSUES</review>";
    scene.agent("careful", &format!("read\nanswer {report}"));
    scene.config("[limits]\nimplement_rounds = 1\n");
    scene.run(&["--agent", "review=careful"]).exits(8).prints("review     MAJOR_ISSUES");
    assert_ne!(scene.stage(), "archived");
    assert!(!scene.home.root().join("agentd/archive").exists());
    let review = scene.read("REVIEW.md");
    assert!(review.contains("A test is missing.") && !review.contains("nearly"), "{review}");
}

#[test]
fn when_the_rounds_ran_out_a_person_gives_new_ones_with_a_reason_that_reaches_the_prompt() {
    let scene = Scene::new();
    scene.agent("never", "read\nanswer Not yet.\\n<review>NEEDS_REVISION</review>");
    scene.config("[limits]\nplan_rounds = 2\n");
    scene
        .run(&["--agent", "challenge=never"])
        .exits(8)
        .says("`plan` of `add-login` has used all its rounds: challenge found");
    assert_eq!(scene.runs().len(), 4);
    scene.run(&[]).exits(8);
    scene.agentd(&["plan", ID]).exits(8).says("agentd reject add-login \"");
    assert_eq!(scene.runs().len(), 4);
    scene.agentd(&["list"]).exits(0).prints("agentd reject add-login \"what to do\"");
    scene.agentd(&["reject", ID, "-m", "Only the login form"]).exits(0);
    scene.run(&["--until", "plan"]).exits(0);
    let prompt = scene.prompt("005-plan");
    assert!(
        prompt.contains("A person has rejected the work, for this reason:\nOnly the login form"),
        "{prompt}"
    );
    assert!(prompt.contains("This is round 3 of plan."), "{prompt}");
    scene.run(&[]).exits(0);
}

#[test]
fn tasks_that_failed_or_were_not_spoken_of_are_done_again() {
    let scene = Scene::new();
    let report = "# Implementation\n\n## Summary\n\nThe first task is done, the second one is not.\n\n## Tasks\n\n### 1.1 \
                  First\n\n- status: COMPLETED\n\n### 1.2 Second\n\n- status: FAILED\n\n## Checks\n\nNone of them was run.\n";
    let report = report.replace('\n', "\\n");
    let one = "<task_status id=\"1.1\">COMPLETED</task_status>";
    scene.agent("half", &format!("read\nwrite CHANGE/IMPLEMENTATION.md {report}\nanswer {one}"));
    scene.config("[limits]\nimplement_rounds = 1\n");
    let ran = scene.run(&["--agent", "implement=half"]);
    let ran = ran
        .exits(8)
        .prints("implement  tasks are left")
        .says("not every task is completed (tasks.md)");
    assert!(!ran.stdout.contains("review     round"), "{}", ran.stdout);
    let tasks = scene.read("tasks.md");
    assert_eq!((tasks.matches("- [x]").count(), tasks.matches("- [ ]").count()), (1, 1), "{tasks}");
    scene.agentd(&["reject", ID, "-m", "Finish it"]).exits(0);
    scene.run(&["--until", "implement"]).exits(0).prints("implement  every task COMPLETED");
    let prompt = scene.prompt("006-implement");
    assert!(
        prompt.contains("do the tasks that are still open") && prompt.contains("Finish it"),
        "{prompt}"
    );
}

#[test]
fn a_task_that_fails_in_a_later_round_is_open_again() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    assert_eq!(scene.read("tasks.md").matches("- [ ]").count(), 0);
    let failed = "<task_status id=\"1.2\">FAILED</task_status>";
    scene.agent("second", &format!("read\nanswer {failed}"));
    scene.config("[limits]\nimplement_rounds = 2\n");
    scene.run(&["--agent", "implement=second"]).exits(8).prints("implement  tasks are left");
    let tasks = scene.read("tasks.md");
    assert!(tasks.contains("- [x] 1.1 ") && tasks.contains("- [ ] 1.2 "), "{tasks}");
}

#[test]
fn thoughts_go_into_the_next_round_of_the_same_phase_unless_that_is_turned_off() {
    let script = "count COUNT\nread\n\
                  on 1 answer <thought>mind the salt</thought>\\n\\nNot yet.\\n<review>NEEDS_REVISION</review>\n\
                  from 2 answer Good.\\n<review>PASS</review>";
    let scene = Scene::new();
    scene.agent("thinker", script);
    scene.run(&["--agent", "challenge=thinker", "--until", "challenge"]).exits(0);
    let prompt = scene.prompt("004-challenge");
    assert!(prompt.contains("<thought name='002-challenge 1'>mind the salt</thought>"), "{prompt}");
    assert!(!scene.prompt("003-plan").contains("mind the salt"), "another phase does not get it");
    assert!(!scene.read("CHALLENGE.md").contains("mind the salt"));

    let scene = Scene::new();
    scene.agent("thinker", script);
    scene.config("[context]\nthoughts = false\n");
    scene.run(&["--agent", "challenge=thinker", "--until", "challenge"]).exits(0);
    assert!(!scene.prompt("004-challenge").contains("mind the salt"));
}

#[test]
fn an_archived_change_that_is_rejected_is_worked_on_again_from_where_its_flow_says() {
    let scene = Scene::new();
    scene.run(&[]).exits(0).prints("archived");
    let reject = ["reject", ID, "Say hello too"];
    scene.agentd(&reject).exits(0).prints("Change `add-login` is now at implement");
    assert!(!scene.home.root().join("agentd/CHANGELOG.md").exists(), "its entry is taken back");
    scene.agentd(&["status", ID]).exits(0).prints("changes/add-login\n").hides("/archive/");
    scene.agentd(&["show", ID]).exits(0);
    scene.agent("again", "read\nwrite src/hello.sh echo hello\nplay");
    let ran = scene.agentd(&["run", ID, "--agent", "implement=again"]).exits(0);
    ran.prints("implement  round 3").prints("archived   ");
    let prompt = scene
        .prompt(&scene.runs().into_iter().rfind(|run| run.ends_with("-implement")).expect("a run"));
    assert!(prompt.contains("Say hello too"), "{prompt}");
    scene.agentd(&["merge", ID]).exits(0);
    scene.agentd(&reject).exits(4).says("is already merged into `master`");
}
