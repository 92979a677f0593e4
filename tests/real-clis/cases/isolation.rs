//! What a CLI reads by itself, and that it does not under `isolated = true`.

use std::fs;
use std::path::Path;

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
            let write = cli.write(&root.join("changes/demo/new.txt"), "new");
            vec![Turn::Use(write), Turn::Say("Done.\n\n<review>PASS</review>".to_owned())]
        });
        let scene = scene.set("isolated", isolated);
        let (user, project) = cli.memory_files();
        scene.put(&format!("home/{user}"), USERS);
        scene.put(&format!("project/{project}"), PROJECTS);
        scene.call("plan", "Plan it.").exits(0).denied(&[]);
        assert!(scene.has("changes/demo/new.txt"), "a file is written all the same");
        let kept = holds(&scene.root.join("home"), b"agentd system prompt");
        // Without isolation Gemini CLI and Copilot keep every talk among their sessions.
        let sessions = expected && (cli == Cli::Gemini || cli == Cli::Copilot);
        assert_eq!(kept, sessions, "the prompt is kept in the home with isolated = {isolated}");
        let asked = scene.server.asked();
        for canary in [USERS, PROJECTS] {
            let sent = asked.iter().any(|asked| asked.body.contains(canary));
            let expected = match (cli, canary) {
                // Nothing keeps Gemini CLI from the project's file.
                (Cli::Gemini, PROJECTS) => true,
                // Codex reads it only with the rest of what the project sets, which may run commands.
                (Cli::Codex, PROJECTS) => false,
                _ => expected,
            };
            assert_eq!(sent, expected, "{canary} with isolated = {isolated}");
        }
    }
}

/// Says whether a file below a folder holds some words.
fn holds(folder: &Path, words: &[u8]) -> bool {
    fs::read_dir(folder).expect("a folder").flatten().any(|entry| {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => holds(&path, words),
            Ok(kind) if kind.is_file() => {
                let text = fs::read(&path).unwrap_or_default();
                memchr::memmem::find(&text, words).is_some()
            }
            Ok(_) | Err(_) => false,
        }
    })
}
