//! Links and folders where agentd writes: nothing is written through one, whoever has made it.

use std::fs;
use std::os::unix::fs::symlink;

use super::scene::{ID, Scene, tree};
use crate::project::AGENTD;

/// Describes an agent that runs shell commands in its outbox before it plays its phase.
fn shell_agent(scene: &Scene, name: &str, commands: &str) {
    let script = scene.home.path(&format!("{name}.script"));
    fs::write(&script, "read\nplay").expect("written");
    let script = script.display();
    let shell = format!(
        "(cd \"$AGENTD_OUTBOX\" && {commands}) && exec '{AGENTD}' offline-agent --speak claude --script '{script}' \"$@\""
    );
    let program = scene.home.path(&format!("{name}.sh"));
    fs::write(&program, shell).expect("written");
    let program = program.display().to_string();
    scene.config(&format!("[agents.{name}]\ncli = \"claude\"\ncommand = [\"sh\", {program:?}]\n"));
}

#[test]
fn links_and_folders_that_an_agent_puts_into_its_outbox_lead_nowhere() {
    let scene = Scene::new();
    scene.run(&["--until", "challenge"]).exits(0);
    let specs = tree(&scene.change("specs"));
    for spec in specs.keys() {
        scene.home.write(&format!("agentd/specs/{}", spec.display()), "The project's own.\n");
    }
    let project = tree(&scene.home.root().join("agentd/specs"));
    let (tasks, proposal) = (scene.read("tasks.md"), scene.read("proposal.md"));
    let root = scene.home.root();
    shell_agent(
        &scene,
        "linker",
        &format!(
            "rm -r specs tasks.md proposal.md && ln -s '{}/agentd/specs' specs \
             && mkdir tasks.md .proposal.md.new && echo mine >tasks.md/note && ln -s proposal.md proposal.md",
            root.display()
        ),
    );
    scene.run(&["--agent", "implement=linker", "--until", "implement"]).exits(0);
    assert_eq!(tree(&scene.home.root().join("agentd/specs")), project, "written through a link");
    assert!(!scene.change("specs").is_symlink());
    assert_eq!(tree(&scene.change("specs")), specs);
    assert_eq!(scene.read("proposal.md"), proposal);
    assert_eq!(scene.read("tasks.md").lines().count(), tasks.lines().count());
    scene.run(&["--until", "review"]).exits(0);
}

#[test]
fn folders_of_a_project_that_are_links_are_refused_before_anything_is_written() {
    let links = ["agentd", "agentd/changes", "agentd/archive", "agentd/specs"];
    for (link, is_there) in links
        .into_iter()
        .chain([&*format!("agentd/changes/{ID}")])
        .flat_map(|link| [(link, true), (link, false)])
    {
        let scene = Scene::new();
        let (place, target) = (scene.home.root().join(link), scene.home.path("outside"));
        if link == "agentd" {
            fs::remove_dir_all(&place).expect("removed");
        }
        fs::create_dir_all(place.parent().expect("a folder")).expect("made");
        if is_there {
            fs::create_dir(&target).expect("made");
        }
        symlink(&target, &place).expect("linked");
        let commands = [
            &["run", ID, "Add login"][..],
            &["run", ID, "Add login", "--flow", "team", "--agent", "offline"],
            &["plan", ID],
            &["cancel", ID],
            &["call", "plan", ID, "Add login"],
        ];
        for command in commands {
            // Neither the archive nor the specs are for a call by hand.
            if command[0] == "call" && matches!(link, "agentd/archive" | "agentd/specs") {
                continue;
            }
            let ran = scene.agentd(command).exits(12);
            drop(ran.says(&format!("{link}` is a link")));
        }
        assert_eq!(target.exists(), is_there, "{link}");
        assert!(!is_there || tree(&target).is_empty(), "{link}: {:?}", tree(&target));
    }
}
