//! How commands tell what they did and what is wrong: in our words, to those who want to hear it, and with what to do.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use super::scene::{ID, Scene};
use crate::home::Home;
use crate::project::AGENTD;

#[test]
fn a_goal_that_nobody_knows_is_told_with_the_phases_and_the_steps() {
    let scene = Scene::new();
    for (flow, steps) in [("sdd", "plan, challenge"), ("team", "product-manager, architect")] {
        let words = ["run", "x", "y", "--until", "foo", "--flow", flow];
        scene.agentd(&words).exits(2).says(&format!("the steps are {steps}"));
    }
    scene
        .run(&["--flow", "team", "--until", "architekt"])
        .exits(2)
        .says("did you mean `architect`?");
}

#[test]
fn quiet_is_kept_by_every_command_that_does_something() {
    let home = Home::new().with_git();
    for words in [
        &["init", "-q"][..],
        &["init", "-q"],
        &["trust", "--yes", "-q"],
        &["trust", "--revoke", "-q"],
        &["trust", "--yes", "-q"],
        &["templates", "export", "out", "-q"],
        &["templates", "export", "out", "--force", "-q"],
    ] {
        let ran = home.agentd(words).exits(0);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""), "{words:?}");
    }
    // What is asked for is shown.
    home.agentd(&["trust", "--show", "-q"]).exits(0).prints("agentd/config.toml");
}

#[test]
fn a_template_that_is_not_there_is_named_once_and_base_is_not_served_in_silence() {
    let home = Home::new();
    let told = home.agentd(&["templates", "show", "base", "foo"]).exits(3);
    assert_eq!(told.stderr.matches("BASE-foo.md").count(), 1, "{}", told.stderr);
    let told = home.agentd(&["prompt", "foo", "x"]).exits(3);
    assert_eq!(told.stderr.matches("BASE-foo.md").count(), 1, "{}", told.stderr);
    let told = home.agentd(&["templates", "show", "local", "review"]).exits(0);
    told.says("agent `local` has no templates of its own: it uses those of BASE-review.md");
    home.agentd(&["templates", "show", "clade", "review"]).exits(2).says("did you mean `claude`?");
}

#[test]
fn a_call_that_did_not_pass_says_where_its_answer_is_kept() {
    let scene = Scene::new();
    scene.agent("strict", "read\nanswer <review>NEEDS_REVISION</review>");
    let told = scene.agentd(&["call", "plan", ID, "Add login", "--agent", "strict"]).exits(8);
    told.says("the verdict is NEEDS_REVISION").says("help: its output is in `").says("001-plan");
}

#[test]
fn instructions_that_say_nothing_are_refused() {
    let scene = Scene::new();
    for words in [
        &["call", "plan", ID, "", "--agent", "offline"][..],
        &["call", "plan", ID, " \n", "--agent", "offline"],
        &["prompt", "plan", ""],
        &["prompt", "plan", " "],
    ] {
        scene.agentd(words).exits(2).says("the instructions are empty").says("say what you want");
    }
    assert!(!scene.change("").exists(), "nothing is begun");
}

#[test]
fn a_change_goes_on_with_another_state_folder() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    let other = scene.home.path("other");
    let mut words = Command::new("env");
    words.arg(format!("AGENTD_STATE={}", other.display())).arg(AGENTD).args(["run", ID]);
    words.current_dir(scene.home.root()).env("HOME", scene.home.path("home"));
    let ran = words.output().expect("agentd runs");
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn a_state_folder_inside_of_the_repository_is_refused_and_not_made() {
    let home = Home::new().variable("AGENTD_STATE", "state").with_git();
    home.write("README.md", "# Shop\n");
    home.git(&["add", "--all"]);
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    home.git(&[&who[..], &["commit", "--quiet", "--message", "Begin"]].concat());
    for more in [&[][..], &["--flow", "team"]] {
        let words = [&["run", ID, "Add login", "--agent", "offline"], more].concat();
        home.agentd(&words).exits(4).says("inside of").says("outside of the repository");
    }
    assert!(!home.root().join("state").exists());
}

#[test]
fn what_a_run_has_not_left_is_told_by_its_name() {
    let scene = Scene::new();
    scene.config("[verify]\ncommands = [\"true\"]\n");
    scene.run(&["--until", "implement"]).exits(0);
    let check = scene.runs().into_iter().find(|name| name.ends_with("-verify")).expect("a check");
    let number = check.split('-').next().expect("a number").trim_start_matches('0').to_owned();
    let told = scene.agentd(&["show", ID, "--prompt", &number]).exits(4);
    told.says(&format!("run {number} has no prompt"));
    let prompt = scene.change("runs/002-plan/prompt.xml");
    fs::remove_file(&prompt).expect("removed");
    fs::create_dir(&prompt).expect("made");
    scene.agentd(&["show", ID, "--prompt", "2"]).exits(12).says("prompt.xml").hides("response.txt");
}

#[test]
fn a_standard_output_that_cannot_be_written_is_no_success() {
    let scene = Scene::new();
    for (until, more) in [("plan", &[][..]), ("challenge", &["--json"])] {
        let full = File::options().write(true).open("/dev/full").expect("it opens");
        let mut run = Command::new(AGENTD);
        run.args(["run", ID, "Add login", "--until", until]).args(more);
        run.current_dir(scene.home.root()).env("HOME", scene.home.path("home"));
        run.stdout(Stdio::from(full)).stderr(Stdio::piped());
        let ran = run.output().expect("agentd runs");
        let told = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(10), "{told}");
        assert!(told.contains("cannot write to standard output"), "{told}");
    }
    assert_eq!(scene.stage(), "implement", "the change went on");
}

#[test]
fn a_prompt_that_max_prompt_refuses_is_told_with_that_setting() {
    let scene = Scene::new();
    scene.agent_with("small", "play", "max_prompt = 1000\n");
    let told = scene.run(&["--agent", "plan=small"]).exits(11).says("`max_prompt` allows 1000");
    told.says("raise `max_prompt` in `[agents.small]`");
}

#[test]
fn objects_for_programs_have_a_version() {
    let home = Home::new();
    fs::write(home.root().join("answer"), "<review>PASS</review>").expect("written");
    assert_eq!(home.agentd(&["markers", "answer", "--json"]).exits(0).json()["version"], 1);
}

#[test]
fn tools_for_a_plan_are_served_to_a_coder_alone_with_what_to_do() {
    let home = Home::new().with_git();
    let words = ["mcp", "--outbox", ".", "--role", "reviewer", "--plan", "1"];
    home.agentd(&words).exits(2).says("only a coder").says("help: leave out `--plan`");
}
