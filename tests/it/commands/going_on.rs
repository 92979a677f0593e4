//! `agentd run` and the single phases: beginning, going on, guidance, gates.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::scene::{ID, Scene, tree};
use crate::project::AGENTD;

#[test]
fn a_change_goes_from_its_request_to_its_archive_and_the_checkout_stays_as_it_was() {
    let scene = Scene::new();
    scene.home.write("notes.txt", "not committed");
    let before = scene.checkout();
    let ran = scene.run(&[]).exits(0);
    let ran = ran
        .prints("change     add-login starts in ")
        .prints("agents     offline: plan, challenge, implement, review, archive (from your configuration)\n")
        .prints("checkout   1 files with uncommitted edits are not included")
        .prints("call 1     a prompt of ")
        .prints("plan       PASS")
        .prints("step       calls rounds ")
        .prints("review         2      2 ")
        .prints("branch     agentd/add-login: 2 files, +")
        .prints("merge      agentd merge add-login\n")
        .prints("or not     agentd discard add-login\n");
    assert_eq!(ran.stderr, "");
    assert_eq!(scene.checkout(), before);
    let archive = scene.archived();
    for file in ["proposal.md", "tasks.md", "CHALLENGE.md", "IMPLEMENTATION.md", "REVIEW.md"] {
        assert!(archive.join(file).is_file(), "{file}");
    }
    assert!(scene.home.read("agentd/CHANGELOG.md").contains("add-login"));
    scene.run(&[]).exits(0);
    let more = ["run", ID, "And a page to register"];
    scene.agentd(&more).exits(4).says("is done, and archived in");
}

#[test]
fn no_text_or_the_same_text_goes_on_and_other_text_revises_the_plan() {
    let scene = Scene::new();
    scene.agentd(&["run", ID]).exits(4).says("there is no change `add-login` here");
    scene.run(&["--until", "plan"]).exits(0).prints("next       agentd run add-login\n");
    // What was done is not done again.
    scene.agentd(&["run", ID, "--until", "plan"]).exits(0);
    scene.run(&["--until", "plan"]).exits(0);
    assert_eq!(scene.runs(), ["001-plan"]);
    scene
        .agentd(&["run", ID, "Use OAuth", "--until", "plan"])
        .exits(0)
        .prints("guidance   the work starts again with what you added");
    assert!(scene.prompt("002-plan").contains("part of the request:\nUse OAuth"));
    // Said again, it is nothing new.
    scene.agentd(&["run", ID, "Use OAuth", "--until", "plan"]).exits(0);
    assert_eq!(scene.runs(), ["001-plan", "002-plan"]);
}

#[test]
fn other_text_is_refused_once_code_was_written() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    let journal = scene.read("journal.jsonl");
    scene
        .agentd(&["run", ID, "Use OAuth"])
        .exits(4)
        .says("code was already written for `add-login`")
        .says("agentd run add-login --pause");
    assert_eq!(scene.read("journal.jsonl"), journal);
    scene.run(&[]).exits(0);
}

#[test]
fn a_request_comes_from_standard_input_or_a_file_too() {
    let scene = Scene::new();
    scene.home.write("wish.md", "Add a cart\nwith a total\n");
    scene.agentd(&["run", "cart", "@wish.md", "--until", "plan"]).exits(0);
    let request = scene.home.read("agentd/changes/cart/request.md");
    assert_eq!(request, "Add a cart\nwith a total\n");
    let mut child = Command::new(AGENTD)
        .args(["run", "search", "-", "--until", "plan"])
        .current_dir(scene.home.root())
        .env("HOME", scene.home.path("home"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(b"Add a search").expect("written");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(scene.home.read("agentd/changes/search/request.md"), "Add a search");
    for (word, code) in [("@nothing.md", 10), ("", 2), (" \n", 2)] {
        scene.agentd(&["run", "other", word]).exits(code);
    }
    assert!(!scene.home.root().join("agentd/changes/other").exists());
}

#[test]
fn what_is_no_id_is_refused_and_makes_nothing() {
    let scene = Scene::new();
    let before = tree(&scene.home.path(""));
    scene
        .agentd(&["run", "Add a login page"])
        .exits(2)
        .says("agentd run add-a-login-page \"Add a login page\"");
    for id in ["../x", "Login", "a b", "", "x/y", &"x".repeat(65)] {
        for command in
            ["run", "plan", "status", "log", "show", "diff", "merge", "approve", "reject", "cancel"]
        {
            scene.agentd(&[command, id]).exits(2);
        }
    }
    assert_eq!(tree(&scene.home.path("")), before);
}

#[test]
fn an_unknown_change_is_refused_by_every_command_and_makes_nothing() {
    let scene = Scene::new();
    let before = tree(&scene.home.root());
    for command in [
        "plan",
        "challenge",
        "implement",
        "review",
        "archive",
        "status",
        "log",
        "show",
        "diff",
        "merge",
        "approve",
        "cancel",
    ] {
        scene
            .agentd(&[command, ID])
            .exits(4)
            .says("there is no change `add-login` here")
            .says("agentd list");
    }
    scene.agentd(&["reject", ID, "-m", "no"]).exits(4).says("there is no change");
    assert_eq!(tree(&scene.home.root()), before);
}

#[test]
fn gates_wait_for_a_person_and_reject_sends_the_reason_back() {
    let scene = Scene::new();
    scene
        .run(&["--pause", "plan", "--pause", "review"])
        .exits(0)
        .prints("waiting    The result of plan is ready for your approval.")
        .prints("agentd approve add-login");
    assert_eq!(scene.stage(), "approve-plan");
    // Going on does not pass a gate.
    scene.run(&[]).exits(0).prints("is ready for your approval");
    assert_eq!(scene.runs(), ["001-plan"]);
    scene.agentd(&["reject", ID]).exits(2).says("a reason is needed");
    scene.agentd(&["reject", ID, "-m", "Use argon2"]).exits(0).prints("is now at plan");
    scene.run(&["--pause", "review,plan"]).exits(0).prints("is ready for your approval");
    assert!(scene.prompt("002-plan").contains("for this reason:\nUse argon2"));
    scene.agentd(&["approve", ID, "-m", "good"]).exits(0).prints("is now at challenge");
    scene.agentd(&["approve", ID]).exits(4).says("is at challenge, where this is not possible");
    scene.run(&["--pause", "challenge"]).exits(0);
    assert_eq!(scene.stage(), "approve-challenge");
}

#[test]
fn a_bare_pause_stops_after_every_phase() {
    let scene = Scene::new();
    let mut stages = Vec::new();
    for _ in 0..7 {
        scene.run(&["--pause"]).exits(0).prints("is ready for your approval");
        stages.push(scene.stage());
        scene.agentd(&["approve", ID]).exits(0);
    }
    // A phase that did not pass is no matter for approval: the one that makes it good is.
    let expected = ["plan", "plan", "challenge", "implement", "implement", "review", "archive"];
    assert_eq!(stages, expected.map(|phase| format!("approve-{phase}")));
    scene.run(&["--pause"]).exits(0).prints("archived   ");
    scene.agentd(&["run", "x", "y", "--pause", "plans"]).exits(2).says("did you mean `plan`?");
}

#[test]
fn until_stops_at_once_where_the_phase_is_already_past() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    let runs = scene.runs();
    for phase in ["plan", "challenge", "implement"] {
        scene.run(&["--until", phase]).exits(0).prints("next       agentd run add-login\n");
    }
    assert_eq!(scene.runs(), runs);
    scene.run(&["--until", "review"]).exits(0);
    assert_eq!(scene.stage(), "archive");
    scene.run(&["--until", "plans"]).exits(2).says("did you mean `plan`?");
}

#[test]
fn one_phase_is_run_only_where_it_is_next_and_says_whether_it_passed() {
    let scene = Scene::new();
    scene.run(&["--until", "plan"]).exits(0);
    scene.agentd(&["implement", ID]).exits(4).says("is at challenge, not at implement");
    scene.agentd(&["plan", ID]).exits(4).says("is at challenge, not at plan");
    scene.agentd(&["challenge", ID]).exits(8).says("did not pass: the change is at plan");
    scene.agentd(&["plan", ID]).exits(0).prints("plan       PASS");
    scene.agentd(&["challenge", ID]).exits(0);
    scene.agentd(&["implement", ID]).exits(0);
    scene.agentd(&["review", ID]).exits(8);
    scene.agentd(&["implement", ID]).exits(0);
    scene.agentd(&["review", ID]).exits(0);
    scene.agentd(&["archive", ID]).exits(0).prints("archived   ");
    scene.agentd(&["archive", ID]).exits(4).says("is done, and archived in");
}

#[test]
fn a_cancelled_change_stays_and_does_not_go_on() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    scene
        .agentd(&["cancel", ID, "-m", "no need"])
        .exits(0)
        .prints("to remove:  agentd discard add-login\n");
    assert_eq!(scene.stage(), "cancelled");
    scene.agentd(&["run", ID]).exits(4).says("was cancelled");
    scene.agentd(&["run", ID, "Other"]).exits(4).says("was cancelled");
    scene.agentd(&["cancel", ID]).exits(4);
    scene.agentd(&["list"]).exits(0).prints("add-login  cancelled  agentd show add-login");
    assert!(scene.change("proposal.md").is_file());
    fs::metadata(scene.change("journal.jsonl")).expect("it stays");
}

#[test]
fn what_a_person_leaves_in_a_workspace_after_the_last_round_is_no_result_and_stays() {
    let scene = Scene::new();
    scene.run(&["--pause", "implement"]).exits(0);
    scene.agentd(&["approve", ID]).exits(0);
    scene.run(&["--pause", "implement"]).exits(0);
    let desk = scene.workspace();
    let written = |name: &str| fs::write(desk.join(name), "mine\n").expect("written");
    written("committed.txt");
    let desk_path = desk.display().to_string();
    scene.home.git(&["-C", &desk_path, "add", "committed.txt"]);
    scene.home.git(&["-C", &desk_path, "commit", "--quiet", "--message", "Mine"]);
    written("loose.txt");
    scene.agentd(&["approve", ID]).exits(0);
    let ran = scene.run(&[]).exits(0).prints("archived");
    ran.says("stays: it contains files that no commit contains");
    let diff = scene.agentd(&["diff", ID, "--stat"]).exits(0).stdout;
    assert!(!diff.contains("committed.txt") && !diff.contains("loose.txt"), "{diff}");
    assert!(desk.join("committed.txt").is_file() && desk.join("loose.txt").is_file());
}

#[test]
fn a_branch_that_is_gone_before_the_archive_is_made_again_where_it_was() {
    let scene = Scene::new();
    scene.run(&["--pause", "review"]).exits(0);
    let branch = format!("agentd/{ID}");
    let commit = scene.home.git(&["rev-parse", &branch]);
    scene.home.git(&["branch", "--quiet", "-D", &branch]);
    scene.agentd(&["approve", ID]).exits(0);
    scene.run(&[]).exits(0).prints("archived   ");
    assert_eq!(scene.home.git(&["rev-parse", &branch]), commit);
    scene.agentd(&["merge", ID]).exits(0);
}

#[test]
fn a_branch_in_whose_way_the_change_s_own_would_be_is_named_before_anything_is_run() {
    for other in ["agentd".to_owned(), format!("agentd/{ID}/mine")] {
        let scene = Scene::new();
        scene.home.git(&["branch", &other]);
        let help = format!("git branch -m {other} NAME");
        scene.run(&[]).exits(4).says(&format!("branch `{other}` is in the way")).says(&help);
        let team = ["run", ID, "Add login", "--flow", "team", "--agent", "offline"];
        scene.agentd(&team).exits(4).says(&help);
        assert!(!scene.change("").exists(), "nothing is made");
        scene.home.git(&["branch", "-m", &other, "other"]);
        scene.run(&["--until", "plan"]).exits(0);
        scene.home.git(&["branch", "-m", "other", &other]);
        scene.agentd(&["challenge", ID]).exits(4).says(&help);
        scene.home.git(&["branch", "-m", &other, "other"]);
        scene.run(&["--until", "implement"]).exits(0);
    }
}
