//! `agentd templates` about the team: what is listed and shown, and what a check says of a project's own files.

use std::fs;

use agentd::catalog::TEAM;
use agentd::template::{Role, TeamPrompt};

use super::scene::Scene;
use crate::home::Home;

#[test]
fn list_shows_every_prompt_and_what_the_project_adds() {
    let scene = Scene::new();
    scene.home.write(".agentmux/prompts/agents/coder.md", "x\n");
    scene.home.write("agentd/prompts/commands/fix.md", "x\n");
    let listed = scene.home.agentd(&["templates", "list"]).exits(0).stdout;
    for template in TEAM.iter() {
        let row = listed.lines().find(|line| line.starts_with(template.file)).expect(template.file);
        assert!(row.contains("feature_dir"), "{row}");
    }
    let after = |file: &str| {
        let mut lines = listed.lines().skip_while(|line| !line.starts_with(file)).skip(1);
        lines.next().map(str::trim).unwrap_or_default().to_owned()
    };
    assert_eq!(after("agents/coder.md"), "+ .agentmux/prompts/agents/coder.md");
    assert_eq!(after("commands/fix.md"), "+ .agentmux/prompts/agents/coder.md", "the role's first");
    assert!(listed.contains("+ agentd/prompts/commands/fix.md"), "{listed}");
    assert!(!after("agents/planner.md").starts_with('+'));
}

#[test]
fn show_prints_a_prompt_with_its_fragments() {
    let home = Home::new();
    let shown = |words: &[&str]| home.agentd(&[&["templates", "show"], words].concat());
    let coder = TEAM.get(TeamPrompt::Role(Role::Coder));
    assert_eq!(shown(&["--role", "coder"]).exits(0).stdout, coder.text);
    shown(&["--command", "review"]).exits(0).prints("submit_review");
    assert_eq!(shown(&["--context"]).exits(0).stdout, TEAM.get(TeamPrompt::Context).text);
    shown(&["--role", "codr"]).exits(2).says("did you mean `coder`?");
    shown(&["--role", "coder", "--command", "fix"]).exits(2);
    shown(&[]).exits(2);
    shown(&["claude"]).exits(2);
}

#[test]
fn a_value_that_a_prompt_does_not_have_is_a_warning() {
    let scene = Scene::new();
    scene.home.write(
        "agentd/prompts/agents/coder.md",
        "Use [[placeholder:plan_file]].\n\n- é [[placeholder:plan_fil]] and [[placeholder:topic]]\n",
    );
    let ran = scene.home.agentd(&["templates", "check", "--project"]).exits(0);
    let ran = ran.prints("1 file of this project checked, no errors");
    let ran = ran
        .says("warning: agents/coder.md has no value `plan_fil`: this stays as it is")
        .says("--> agentd/prompts/agents/coder.md:3:5")
        .says("help: did you mean `[[placeholder:plan_file]]`?")
        .says("has no value `topic`")
        .says("warning: commands/fix.md has no value `plan_file`: this stays as it is");
    assert_eq!(ran.stderr.matches("warning").count(), 3, "{}", ran.stderr);
}

#[test]
fn files_that_extend_nothing_or_cannot_be_read_are_errors() {
    let large = vec![b'x'; (1 << 20) + 1];
    for (path, bytes, said) in [
        (".agentmux/prompts/agents/codr.md", &b"x"[..], "there is no role `codr`"),
        ("agentd/prompts/commands/ship.md", b"x", "there is no command `ship`"),
        ("agentd/prompts/agents/coder.txt", b"x", "there is no role `coder.txt`"),
        ("agentd/prompts/context.md", b"x", "a project cannot extend the context"),
        ("agentd/prompts/agents/coder.md", b"ab\nc\xff", "this byte is not UTF-8"),
        ("agentd/prompts/agents/coder.md", &large, "larger than 1048576 bytes"),
    ] {
        let scene = Scene::new();
        scene.home.write(path, "");
        fs::write(scene.root().join(path), bytes).expect("written");
        for words in [&["templates", "check"][..], &["templates", "check", "--project"]] {
            scene.home.agentd(words).exits(3).says(said).says(path).says("help: ");
        }
    }
    let scene = Scene::new();
    scene.home.write(".agentmux/prompts/agents/codr.md", "x");
    scene.home.agentd(&["templates", "check"]).exits(3).says("did you mean `coder.md`?");
    let scene = Scene::new();
    fs::create_dir_all(scene.root().join("agentd/prompts")).expect("made");
    std::os::unix::fs::symlink("/etc", scene.root().join("agentd/prompts/agents")).expect("linked");
    scene.home.agentd(&["templates", "check", "--project"]).exits(3).says("leads out");
}

#[test]
fn a_check_without_a_folder_takes_what_is_there() {
    let scene = Scene::new();
    scene.home.agentd(&["templates", "check"]).exits(10).says("cannot read `templates`");
    scene
        .home
        .agentd(&["templates", "check", "--project"])
        .exits(0)
        .prints("0 files of this project");
    scene.home.write("agentd/prompts/agents/coder.md", "x\n");
    scene
        .home
        .agentd(&["templates", "check"])
        .exits(0)
        .prints("1 file of this project")
        .hides("templates: ");
    scene.home.agentd(&["templates", "export", "templates"]).exits(0);
    scene
        .home
        .agentd(&["templates", "check"])
        .exits(0)
        .prints("1 file of this project")
        .prints("files checked");
    scene.home.agentd(&["templates", "check", "templates"]).exits(0).hides("of this project");
}
