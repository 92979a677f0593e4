//! A change that a team brings on, through the commands, with the offline agent in every role.

use std::fs;
use std::path::PathBuf;

use crate::project::ran;
use crate::ran::Ran;
use crate::workflow::scene::{ID, Scene};

fn team(scene: &Scene, more: &[&str]) -> Ran {
    scene.runs(&[&["--flow", "team"], more].concat())
}

fn agentd(scene: &Scene, arguments: &[&str]) -> Ran {
    ran(&mut scene.agentd(arguments))
}

/// Adds to the user's configuration.
fn configure(scene: &Scene, more: &str) {
    scene.write("user.toml", scene.read("user.toml") + more);
}

fn file(scene: &Scene, name: &str) -> String {
    let path = scene.change().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the outbox of a role, which must be there.
fn outbox(scene: &Scene, role: &str) -> PathBuf {
    let workspaces = fs::read_dir(scene.path("state/workspaces")).expect("a folder");
    let project = workspaces.flatten().next().expect("a project").path();
    project.join(format!("{ID}.outbox")).join(role).join(ID)
}

fn run_of(scene: &Scene, name: &str) -> PathBuf {
    scene.runs_of(name).pop().unwrap_or_else(|| panic!("there is no run `{name}`"))
}

#[test]
fn seed_002_a_team_brings_a_request_to_a_person_who_approves_it() {
    let scene = Scene::new();
    let before = scene.checkout();
    let ran = team(&scene, &[]).exits(0).prints("waiting").prints("group      after-3: plan 3\n");
    ran.prints("group      side-by-side: plans 1, 2, in parallel\n")
        .prints("plan 2     merged into");
    let status = agentd(&scene, &["status", ID, "--json"]).json();
    assert_eq!((&status["stage"], &status["flow"]), (&"approve".into(), &"team".into()));
    assert!(file(&scene, "07_review/review.md").starts_with("VERDICT: PASS\n"));
    agentd(&scene, &["list"]).exits(0).prints("your approval");
    agentd(&scene, &["merge", ID]).exits(4).says("is not archived");
    agentd(&scene, &["approve", ID]).exits(0).prints("archived");
    assert!(scene.change().starts_with(scene.path("repo/agentd/archive")));
    let tree = scene.git(&["ls-tree", "-r", "--name-only", &format!("agentd/{ID}")]);
    for plan in 1..=3 {
        assert!(tree.contains(&format!("agentd-demo/{ID}-{plan}.test.sh")), "{tree}");
    }
    assert_eq!(scene.git(&["worktree", "list"]).lines().count(), 1);
    assert!(!scene.git(&["branch"]).contains(".plan-"));
    assert_eq!(scene.checkout(), before, "the user's checkout is as it was");
    agentd(&scene, &["show", ID]).exits(0).prints("==> 08_completion/summary.md <==");
    agentd(&scene, &["run", ID, "--flow", "sdd"]).exits(2).says("was started with the flow `team`");
}

#[test]
fn seed_002_a_prompt_is_sent_by_the_name_of_its_file_which_holds_all_that_is_needed() {
    let scene = Scene::new();
    team(&scene, &["--until", "architect"]).exits(0);
    let prompt = outbox(&scene, "architect").join("02_architecting/architect_prompt.md");
    let run = run_of(&scene, "architect");
    let sent = fs::read_to_string(run.join("prompt.xml")).expect("what was sent");
    assert_eq!(sent, format!("Read and follow the instructions in {}", prompt.display()));
    let text = fs::read_to_string(prompt).expect("the prompt");
    assert_eq!(fs::read_to_string(run.join("prompt.md")).expect("it is kept"), text);
    assert!(text.contains("Add a login page") && text.contains("\"flow\": \"team\""), "{text}");
    assert_eq!(agentd(&scene, &["show", ID, "--prompt", "2"]).stdout, text);
}

#[test]
fn the_prompt_itself_is_sent_where_the_configuration_says_so() {
    let scene = Scene::new();
    configure(&scene, "\n[team]\ndelivery = \"stdin\"\n");
    team(&scene, &["--until", "planner"]).exits(0);
    let run = run_of(&scene, "planner");
    let read = |name: &str| fs::read_to_string(run.join(name)).expect("a file");
    assert_eq!(read("prompt.xml"), read("prompt.md"));
    assert!(read("prompt.xml").starts_with("# Planner\n"));
}

#[test]
fn seed_002_a_prompt_is_made_when_its_step_begins_and_not_before() {
    let scene = Scene::new();
    team(&scene, &["--until", "architect"]).exits(0);
    let planner = scene.change().join("04_planning/planner_prompt.md");
    assert!(!planner.exists());
    scene.write("repo/agentd/prompts/agents/planner.md", "Prefer small plans.\n");
    team(&scene, &["--until", "planner"]).exits(0);
    let text = fs::read_to_string(planner).expect("the prompt");
    assert!(text.contains("Prefer small plans.") && text.contains("POSIX shell"), "{text}");
}

#[test]
fn seed_002_a_step_that_was_cut_off_is_entered_again_which_makes_and_sends_its_prompt() {
    let scene = Scene::new();
    team(&scene, &["--until", "architect"]).exits(0);
    scene.cut_journal("\"event\":\"finished\"");
    for left in [scene.state().join("runs"), scene.change().join("02_architecting")] {
        fs::remove_dir_all(left).expect("it is removed");
    }
    let again = team(&scene, &["--until", "architect"]).exits(0);
    again.prints("continuing where it was interrupted");
    assert!(scene.change().join("02_architecting/architect_prompt.md").exists());
    assert_eq!(scene.runs_of("architect").len(), 1, "it was sent");
}

#[test]
fn an_answer_that_agentd_did_not_get_to_use_is_used_and_not_asked_for_again() {
    let scene = Scene::new();
    team(&scene, &["--until", "planner"]).exits(0);
    scene.cut_journal("\"event\":\"finished\"");
    // It is only closed when its end is in the journal.
    let closed = outbox(&scene, "planner").join("04_planning/submissions/closed");
    fs::remove_file(closed).expect("it was closed");
    team(&scene, &["--until", "planner"]).exits(0).prints("the agent's answer in");
    assert_eq!(scene.runs_of("planner").len(), 1);
}

#[test]
fn an_answer_that_says_the_same_as_before_is_used_too() {
    let scene = Scene::new();
    team(&scene, &["--until", "architect"]).exits(0);
    let guided = ["run", ID, "Use PostgreSQL", "--agent", "offline", "--until", "architect"];
    agentd(&scene, &guided).exits(0);
    scene.cut_journal("\"event\":\"finished\"");
    let closed = outbox(&scene, "architect").join("02_architecting/submissions/closed");
    fs::remove_file(closed).expect("it was closed");
    let again = ["run", ID, "--agent", "offline", "--until", "architect"];
    agentd(&scene, &again).exits(0).prints("the agent's answer in");
    assert_eq!(scene.runs_of("architect").len(), 2);
}

#[test]
fn seed_002_nothing_is_carried_out_without_a_schedule() {
    let scene = Scene::new();
    scene.script("read\nanswer Planned, as far as I am concerned.");
    let refused = team(&scene, &["--agent", "planner=scripted"]).exits(5);
    refused.says("04_planning/execution_plan.yaml");
    assert_eq!(scene.runs_of("planner-files").len(), 1, "it was asked once more");
    assert_eq!(agentd(&scene, &["status", ID, "--json"]).json()["stage"], "planner");
    assert_eq!(scene.runs_of("coder-1"), Vec::<PathBuf>::new());
    team(&scene, &[]).exits(0).prints("waiting");
}

#[test]
fn seed_002_what_a_person_asks_to_change_is_planned_and_only_that_is_carried_out() {
    let scene = Scene::new();
    team(&scene, &[]).exits(0);
    agentd(&scene, &["reject", ID, "Say more"]).exits(0).prints("is now at change");
    agentd(&scene, &["run", ID, "--agent", "offline"]).exits(0).prints("waiting");
    assert_eq!(file(&scene, "08_completion/changes.md"), "Say more\n");
    assert!(file(&scene, "04_planning/change_prompt.md").contains("Say more"));
    let runs = |plan: u32| scene.runs_of(&format!("coder-{plan}")).len();
    assert_eq!([1, 2, 3, 4].map(runs), [1, 1, 1, 1]);
    agentd(&scene, &["approve", ID]).exits(0);
    let tree = scene.git(&["ls-tree", "-r", "--name-only", &format!("agentd/{ID}")]);
    assert!(tree.contains(&format!("agentd-demo/{ID}-4.sh")), "{tree}");
}

#[test]
fn seed_002_work_whose_checks_are_red_does_not_pass_and_reviews_run_out() {
    let scene = Scene::new();
    scene.write(
        "user.toml",
        "[verify]\nbaseline = \"fix\"\ncommands = [\"false\"]\n[team]\nreview_rounds = 2\n",
    );
    team(&scene, &[]).exits(8).says("`fix` of `add-login` has used all its rounds");
    let review = file(&scene, "07_review/review.md");
    assert!(review.starts_with("VERDICT: FAIL\n") && review.contains("checks are red"), "{review}");
    assert!(file(&scene, "07_review/review_prompt.md").contains("FAILED, exit code 1"));
    assert_eq!(agentd(&scene, &["status", ID, "--json"]).json()["stage"], "fix");
    agentd(&scene, &["approve", ID]).exits(4);
}

#[test]
fn one_coder_can_carry_out_every_plan_with_one_prompt() {
    let scene = Scene::new();
    configure(&scene, "\n[team]\nsingle_coder = true\n");
    team(&scene, &[]).exits(0).prints("waiting");
    assert_eq!(scene.runs_of("coders").len(), 1);
    let prompt = file(&scene, "06_implementation/coder_prompt.md");
    assert!(prompt.contains("06_implementation/done_1") && prompt.contains("Script 3"), "{prompt}");
    let state = file(&scene, "state.json");
    assert_eq!(state.matches("\"done\": true").count(), 3, "{state}");
}

#[test]
fn the_answer_that_a_single_coder_has_left_is_used_and_not_asked_for_again() {
    let scene = Scene::new();
    configure(&scene, "\n[team]\nsingle_coder = true\n");
    team(&scene, &["--until", "coders"]).exits(0);
    for entry in ["\"step\":\"coders\",\"outcome\"", "plan-done", "plan-done", "plan-done"] {
        scene.cut_journal(entry);
    }
    team(&scene, &["--until", "coders"]).exits(0).prints("the agent's answer in");
    assert_eq!(scene.runs_of("coders").len(), 1);
    let state = file(&scene, "state.json");
    assert_eq!(state.matches("\"done\": true").count(), 3, "{state}");
}

#[test]
fn an_answer_of_a_single_coder_is_of_no_use_without_its_workspace() {
    let scene = Scene::new();
    configure(&scene, "\n[team]\nsingle_coder = true\n");
    team(&scene, &["--until", "coders"]).exits(0);
    let tree = || scene.git(&["ls-tree", "-r", &format!("agentd/{ID}")]);
    let done = tree();
    for entry in ["\"step\":\"coders\",\"outcome\"", "plan-done", "plan-done"] {
        scene.cut_journal(entry);
    }
    scene.lose_the_desk("plan-done");
    team(&scene, &["--until", "coders"]).exits(0);
    assert_eq!(scene.runs_of("coders").len(), 2, "the agent is asked again");
    assert_eq!(tree(), done, "its code is there");
}

#[test]
fn what_was_mended_after_a_review_is_done_again_when_its_workspace_is_gone() {
    let scene = Scene::new();
    team(&scene, &["--until", "fix"]).exits(0);
    let tree = || scene.git(&["ls-tree", "-r", &format!("agentd/{ID}")]);
    let done = tree();
    scene.lose_the_desk("\"event\":\"finished\",\"step\":\"fix\"");
    assert_ne!(tree(), done, "the mending is a commit of its own");
    team(&scene, &["--until", "fix"]).exits(0);
    assert_eq!(scene.runs_of("fix").len(), 2, "the agent is asked again");
    assert_eq!(tree(), done, "its code is there");
}

#[test]
fn what_a_role_writes_in_another_s_folder_is_not_taken() {
    let scene = Scene::new();
    scene.script("read\nwrite OUTBOX/07_review/review.md forged\nplay");
    team(&scene, &["--agent", "architect=scripted", "--until", "architect"]).exits(0);
    assert!(outbox(&scene, "architect").join("07_review/review.md").exists());
    assert!(!scene.change().join("07_review/review.md").exists());
}

#[test]
fn a_plan_whose_coder_fails_takes_nothing_from_the_others() {
    let scene = Scene::new();
    scene.script("count PATH/notes/calls\nread\non 1 exit 3\nfrom 2 play");
    let failed = team(&scene, &["--agent", "coder=scripted"]).exits(5);
    failed.says("not all plans are done");
    let state = file(&scene, "state.json");
    assert_eq!(state.matches("\"done\": true").count(), 1, "{state}");
    team(&scene, &["--agent", "coder=scripted"]).exits(0).prints("waiting");
    let runs = |plan: u32| scene.runs_of(&format!("coder-{plan}")).len();
    assert_eq!(runs(1) + runs(2), 3, "what was done is not done again");
}

#[test]
fn a_team_that_has_spent_what_it_may_begins_no_further_plan_and_goes_on_with_more() {
    let scene = Scene::new();
    configure(&scene, "\n[team]\nmax_parallel = 1\n");
    scene.script("count PATH/notes/calls\nread\nplay");
    let coder = ["--agent", "coder=scripted", "--until", "coders"];
    let stopped = team(&scene, &[&coder[..], &["--max-tokens", "1"]].concat()).exits(11);
    stopped.says("is the limit").hides("not all plans are done");
    assert_eq!(scene.calls(), 1, "the first plan reaches the limit");
    let journal = String::from_utf8(scene.journal()).expect("text");
    assert!(!journal.contains("failed"), "{journal}");
    team(&scene, &coder).exits(0);
    assert_eq!(scene.calls(), 3, "what was done is not done again");
}

#[test]
fn a_change_of_a_team_can_be_given_up_and_discarded() {
    let scene = Scene::new();
    team(&scene, &["--until", "coders"]).exits(0);
    agentd(&scene, &["cancel", ID]).exits(0).prints("to remove:  agentd discard ");
    team(&scene, &[]).exits(4).says("was cancelled");
    agentd(&scene, &["discard", ID, "--yes"]).exits(0);
}
