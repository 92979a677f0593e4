//! What an agent may do: write files where it should, run commands where it is allowed to, and nothing else, whatever the
//! user's own settings allow.

use crate::cli::Cli;
use crate::model::behaviour::Turn;
use crate::scene::Scene;
use crate::suite::Suite;

const DONE: &str = "Done.\n\n<task_status id=\"1.1\">COMPLETED</task_status>";
const PASS: &str = "Fine.\n\n<review>PASS</review>";

fn say(text: &str) -> Turn {
    Turn::Say(text.to_owned())
}

/// Files are written in the workspace and in the change's folder beside it.
pub(super) fn written(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "files-are-written", |root| {
        vec![
            Turn::Use(cli.write(&root.join("project/src/greet.rs"), "// hello")),
            Turn::Use(cli.write(&root.join("changes/demo/IMPLEMENTATION.md"), "Greets.")),
            say(DONE),
        ]
    });
    let outcome = scene.call("implement", "Implement it.");
    outcome.exits(0).denied(&[]);
    let read = |path| std::fs::read_to_string(scene.root.join(path)).unwrap_or_default();
    assert_eq!(read("project/src/greet.rs").trim_end(), "// hello", "{outcome:#?}");
    assert_eq!(read("changes/demo/IMPLEMENTATION.md").trim_end(), "Greets.", "{outcome:#?}");
    assert_eq!(outcome.report["tasks"][0]["status"], "COMPLETED");
}

/// Commands run where `permissions` is `shell`, and what they leave in the background does not outlive the run.
pub(super) fn commands_run(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "commands-run", |_| {
        let command = "echo run > by-command.txt; (setsid sleep 1000 >/dev/null 2>&1 &)";
        vec![Turn::Use(cli.shell(command)), say(DONE)]
    });
    let scene = scene.set("permissions", "\"shell\"");
    scene.call("implement", "Implement it.").exits(0).denied(&[]);
    assert!(scene.has("project/by-command.txt"));
}

/// Commands do not run where `permissions` is `write`. Codex has no other tool to look with: it runs them in its
/// sandbox, with the workspace and the change's folder to write to.
pub(super) fn no_commands_unless_allowed(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "no-commands-unless-allowed", |root| {
        let command = format!("echo run > {}/by-command.txt", root.display());
        vec![Turn::Use(cli.shell(&command)), say(DONE)]
    });
    let scene = scene.permissive().set("permissions", "\"write\"");
    let outcome = scene.call("implement", "Implement it.");
    outcome.exits(0);
    assert!(!scene.has("by-command.txt"), "{outcome:#?}");
    if cli != Cli::Codex {
        let shell = cli.shell("").name;
        outcome.denied(&[shell]);
        let offered = &scene.server.asked()[0].tools;
        assert!(!offered.iter().any(|tool| tool == shell), "{offered:?}");
    }
}

/// Nothing is written outside of the workspace and the change's folder.
pub(super) fn nothing_outside(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "nothing-outside-is-written", |root| {
        let elsewhere = ["outside.txt", "home/outside.txt", "changes/outside.txt"];
        let uses = elsewhere.map(|path| Turn::Use(cli.write(&root.join(path), "outside")));
        uses.into_iter().chain([say(DONE)]).collect()
    });
    // A rule of the user's that allows Claude Code to write anywhere is the user's own will, and counts.
    let scene = if cli == Cli::Claude { scene } else { scene.permissive() };
    let scene = scene.set("permissions", "\"write\"");
    let outcome = scene.call("implement", "Implement it.");
    outcome.exits(0);
    for path in ["outside.txt", "home/outside.txt", "changes/outside.txt"] {
        assert!(!scene.has(path), "{path}: {outcome:#?}");
    }
    match cli {
        // The kernel refuses, and Codex tells of a failure.
        Cli::Codex => outcome.denied(&[]),
        Cli::Claude | Cli::Gemini | Cli::Copilot => {
            outcome.denied(&[cli.write(&scene.root, "").name; 3])
        }
    };
}

/// In challenge and review nothing is written, in the workspace or elsewhere, by any tool.
pub(super) fn judge_writes_nothing(suite: &Suite, cli: Cli) {
    for phase in ["challenge", "review"] {
        let scene = Scene::new(suite, cli, &format!("a-judge-writes-nothing-{phase}"), |root| {
            let command = format!("echo run > {}/project/by-command.txt", root.display());
            vec![
                Turn::Use(cli.write(&root.join("project/written.txt"), "no")),
                Turn::Use(cli.write(&root.join("changes/demo/written.txt"), "no")),
                Turn::Use(cli.shell(&command)),
                say(PASS),
            ]
        });
        let scene = scene.permissive();
        let outcome = scene.call(phase, "Judge it.");
        outcome.exits(0);
        for path in ["project/written.txt", "changes/demo/written.txt", "project/by-command.txt"] {
            assert!(!scene.has(path), "{path}: {outcome:#?}");
        }
        let asked = scene.server.asked();
        assert_eq!(asked.len(), 4, "every tool was answered: {outcome:#?}");
        let (write, shell) = (cli.write(&scene.root, "").name, cli.shell("").name);
        match cli {
            // The kernel refuses, and Codex tells of failures.
            Cli::Codex => outcome.denied(&[]),
            Cli::Claude | Cli::Gemini | Cli::Copilot => outcome.denied(&[write, write, shell]),
        };
    }
}

/// What a project brings for a CLI to run does not run where commands are not allowed: else an agent that may only write
/// could have the next one run what it wrote.
pub(super) fn project_runs_nothing(suite: &Suite, cli: Cli) {
    for (phase, answer) in [("implement", DONE), ("review", PASS)] {
        let scene = Scene::new(suite, cli, &format!("the-project-runs-nothing-{phase}"), |_| {
            vec![say(answer)]
        });
        for (path, text) in cli.running_files() {
            scene.put(&format!("project/{path}"), &text);
        }
        // In the sandbox commands are allowed by default, and these two still take nothing from the project.
        let scene = match cli {
            Cli::Claude | Cli::Codex => scene,
            Cli::Gemini | Cli::Copilot => scene.set("permissions", "\"write\""),
        };
        scene.call(phase, "Do it.").exits(0);
        for ran in ["ran-by-hook", "ran-by-server"] {
            assert!(!scene.has(&format!("project/{ran}")), "{ran} in {phase}");
        }
        if cli == Cli::Codex {
            assert!(!scene.has("home/.codex/config.toml"), "it trusts the project from now on");
        }
    }
}
