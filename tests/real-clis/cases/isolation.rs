//! What a CLI reads by itself, and that it does not under `isolated = true`.

use crate::cli::Cli;
use crate::model::behaviour::Turn;
use crate::scene::Scene;
use crate::suite::Suite;

const USERS: &str = "canary-of-the-user";
const PROJECTS: &str = "canary-of-the-project";

/// The files that a CLI takes for instructions reach the model by default, and do not under `isolated`.
pub(super) fn memory_files(suite: &Suite, cli: Cli) {
    for (isolated, expected) in [("false", true), ("true", false)] {
        let scene = Scene::new(suite, cli, &format!("isolated-{isolated}"), |root| {
            let write = cli.write(&root.join("project/new.txt"), "new");
            vec![Turn::Use(write), Turn::Say("Done.\n\n<review>PASS</review>".to_owned())]
        });
        let scene = scene.set("isolated", isolated);
        let (user, project) = cli.memory_files();
        scene.put(&format!("home/{user}"), USERS);
        scene.put(&format!("project/{project}"), PROJECTS);
        scene.call("plan", "Plan it.").exits(0).denied(&[]);
        assert!(scene.has("project/new.txt"), "a file is written all the same");
        let asked = scene.server.asked();
        for canary in [USERS, PROJECTS] {
            let sent = asked.iter().any(|asked| asked.body.contains(canary));
            // Nothing keeps Gemini CLI from the project's file.
            let expected = expected || (cli == Cli::Gemini && canary == PROJECTS);
            assert_eq!(sent, expected, "{canary} with isolated = {isolated}");
        }
    }
}
