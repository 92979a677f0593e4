//! `agentd prompt --role` and `--command`: every prompt as it would be written, and what is said when it cannot be.

use agentd::template::{Command, Role};

use super::scene::{BUILDERS, Scene};
use agentd::prompt::team::TeamSession;

fn prompt(scene: &Scene, words: &[&str]) -> crate::ran::Ran {
    scene.home.agentd(&[&["prompt", "--change", "add-login"], words].concat())
}

#[test]
fn every_prompt_is_printed_byte_for_byte() {
    let scene = Scene::new();
    scene.home.write(".agentmux/prompts/agents/coder.md", "OUR OWN RULES\n");
    let session = TeamSession { project_dir: scene.root(), ..scene.session() };
    for (words, _, build) in BUILDERS {
        let printed = prompt(&scene, words).exits(0);
        assert_eq!(printed.stderr, "", "{words:?}");
        assert_eq!(printed.stdout, build(&session).expect("made").text, "{words:?}");
    }
    let named = |words: &[&str]| BUILDERS.iter().any(|(known, ..)| known.starts_with(words));
    assert!(Role::WORDS.iter().all(|role| named(&["--role", role])));
    assert!(Command::WORDS.iter().all(|command| named(&["--command", command])));
}

#[test]
fn a_prompt_is_found_from_any_folder_of_the_project() {
    let scene = Scene::new();
    scene.home.write("src/deep/x", "");
    let words = ["prompt", "--role", "planner", "--change", "add-login"];
    let at_root = scene.home.agentd(&words).exits(0).stdout;
    let below = scene.home.agentd_in(&scene.root().join("src/deep"), &words).exits(0).stdout;
    assert_eq!(at_root, below);
}

#[test]
fn what_is_missing_or_wrong_on_the_command_line_is_said() {
    let scene = Scene::new();
    prompt(&scene, &["--role", "codr"]).exits(2).says("did you mean `coder`?").says("--role");
    prompt(&scene, &["--role", "king"]).exits(2).says("the roles are architect, planner");
    prompt(&scene, &["--command", "sumary"]).exits(2).says("did you mean `summary`?");
    prompt(&scene, &["--role", "coder"]).exits(2).says("`--plan N`").says("`--whole`");
    prompt(&scene, &["--role", "coder", "--plan", "0"]).exits(2).says("--plan");
    prompt(&scene, &["--role", "coder", "--plan", "1", "--whole"]).exits(2).says("--whole");
    prompt(&scene, &["--role", "planner", "--plan", "1"])
        .exits(2)
        .says("`--plan` is only for the role coder");
    prompt(&scene, &["--role", "web-researcher"]).exits(2).says("needs `--topic TOPIC`");
    prompt(&scene, &["--role", "web-researcher", "--topic", "../x"])
        .exits(2)
        .says("is not a topic");
    prompt(&scene, &["--role", "coder", "--command", "fix"]).exits(2).says("--command");
    prompt(&scene, &["plan", "Add login", "--role", "coder"]).exits(2).says("cannot be used with");
    prompt(&scene, &[]).exits(2).says("required");
    prompt(&scene, &["--role", "planner", "--file", "x"]).exits(2).says("cannot be used with");
    scene.home.agentd(&["prompt", "--role", "planner"]).exits(2).says("--change <ID>");
    scene
        .home
        .agentd(&["prompt", "--role", "planner", "--change", "../x"])
        .exits(2)
        .says("an id has");
}

#[test]
fn what_is_missing_in_the_project_is_said() {
    let scene = Scene::new();
    scene
        .home
        .agentd(&["prompt", "--role", "planner", "--change", "add-logout"])
        .exits(4)
        .says("there is no change `add-logout` here")
        .says("help: `agentd list`");
    prompt(&scene, &["--role", "coder", "--plan", "7"]).exits(4).says("`04_planning/plan_7.md`");
    scene.file("07_review/review.md", "VERDICT: FAIL\n");
    prompt(&scene, &["--command", "summary"]).exits(4).says("`VERDICT: PASS`");
    prompt(&scene, &["--role", "web-researcher", "--topic", "css"])
        .exits(3)
        .says("`agents/web-researcher.md`")
        .says("[[include:03_research/web-css/request.md]]");
}
