//! Links and folders where agentd writes: nothing is written through one, whoever has made it.

use std::fs;

use super::scene::{Scene, tree};
use crate::project::AGENTD;

/// Describes an agent that runs shell commands in the change's folder before it plays its phase.
fn shell_agent(scene: &Scene, name: &str, commands: &str) {
    let script = scene.home.path(&format!("{name}.script"));
    fs::write(&script, "read\nplay").expect("written");
    let change = scene.change("");
    let (change, script) = (change.display(), script.display());
    let shell = format!(
        "(cd '{change}' && {commands}) && exec '{AGENTD}' offline-agent --speak claude --script '{script}' \"$@\""
    );
    let program = scene.home.path(&format!("{name}.sh"));
    fs::write(&program, shell).expect("written");
    let program = program.display().to_string();
    scene.config(&format!("[agents.{name}]\ncli = \"claude\"\ncommand = [\"sh\", {program:?}]\n"));
}

#[test]
fn what_an_agent_put_in_the_place_of_a_change_s_files_is_cleared_away_and_nothing_is_written_through_it()
 {
    let scene = Scene::new();
    scene.run(&["--until", "challenge"]).exits(0);
    let specs = tree(&scene.change("specs"));
    for spec in specs.keys() {
        scene.home.write(&format!("agentd/specs/{}", spec.display()), "The project's own.\n");
    }
    let project = tree(&scene.home.root().join("agentd/specs"));
    let (tasks, proposal) = (scene.read("tasks.md"), scene.read("proposal.md"));
    shell_agent(
        &scene,
        "linker",
        "rm -r specs tasks.md proposal.md && ln -s ../../specs specs \
         && mkdir tasks.md .proposal.md.new && echo mine >tasks.md/note && ln -s proposal.md proposal.md",
    );
    scene.run(&["--agent", "implement=linker", "--until", "implement"]).exits(0).prints("tasks.md");
    assert_eq!(tree(&scene.home.root().join("agentd/specs")), project, "written through a link");
    assert!(!scene.change("specs").is_symlink());
    assert_eq!(tree(&scene.change("specs")), specs);
    assert_eq!(scene.read("proposal.md"), proposal);
    assert_eq!(scene.read("tasks.md").lines().count(), tasks.lines().count());
    let run = scene.runs().into_iter().rfind(|run| run.ends_with("-implement")).expect("a run");
    assert_eq!(scene.read(&format!("runs/{run}/elsewhere/tasks.md/note")), "mine\n");
    scene.run(&["--until", "review"]).exits(0);
}
