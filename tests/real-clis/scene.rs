//! One case's own world: a project under git, a change beside it, a home, a model server, and agentd run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::cli::Cli;
use crate::left_behind::left_behind;
use crate::model::behaviour::{Mind, Script, Turn};
use crate::model::server::Server;
use crate::suite::Suite;

/// The change that every case works on.
pub(crate) const CHANGE: &str = "demo";

/// A case's own world.
pub(crate) struct Scene<'a> {
    suite: &'a Suite,
    pub(crate) cli: Cli,
    pub(crate) root: PathBuf,
    pub(crate) server: Server,
    settings: String,
    variables: Vec<(&'static str, String)>,
}

/// What came of a call.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stderr: String,
    /// What was printed; null where agentd failed.
    pub(crate) report: Value,
}

impl<'a> Scene<'a> {
    /// Sets a case up.
    pub(crate) fn new(
        suite: &'a Suite,
        cli: Cli,
        case: &str,
        turns: impl FnOnce(&Path) -> Vec<Turn>,
    ) -> Self {
        Self::with(suite, cli, case, |root| Box::new(Script::new(turns(root))))
    }

    /// Sets a case up with a model that decides on its answers.
    pub(crate) fn with(
        suite: &'a Suite,
        cli: Cli,
        case: &str,
        mind: impl FnOnce(&Path) -> Box<dyn Mind>,
    ) -> Self {
        let root = suite.scratch.join(format!("{}-{case}", cli.name()));
        if root.exists() {
            fs::remove_dir_all(&root).expect("the last run's files can be removed");
        }
        let scene = Self {
            suite,
            cli,
            server: Server::start(cli.api(), mind(&root), root.join("asked")),
            root,
            settings: "retries = 0\ntimeout = \"100s\"\n".to_owned(),
            variables: Vec::new(),
        };
        for folder in ["home", "tmp", "project"] {
            fs::create_dir_all(scene.root.join(folder)).expect("a folder");
        }
        scene.put("project/agentd/project.md", "A demonstration.\n");
        scene.put("project/src/lib.rs", "//! Nothing yet.\n");
        scene.put("changes/demo/proposal.md", "# Proposal\n\nGreet people.\n");
        scene.put("changes/demo/specs/greeting.md", "# Greeting\n\n- R1: it greets.\n");
        scene.put("changes/demo/tasks.md", "# Tasks\n\n- [ ] 1.1 Greet\n  requirements: R1\n");
        for (path, text) in cli.user_files() {
            scene.put(&format!("home/{path}"), &text);
        }
        let git = Command::new("git")
            .args(["init", "-q"])
            .current_dir(scene.project())
            .env("HOME", scene.root.join("home"))
            .status();
        assert!(git.is_ok_and(|status| status.success()), "git init");
        scene
    }

    /// Adds keys to the agent's settings; those that stand there already are replaced.
    pub(crate) fn set(mut self, key: &str, value: &str) -> Self {
        let start = format!("{key} = ");
        let kept = self.settings.lines().filter(|line| !line.starts_with(&start));
        self.settings = kept.map(|line| format!("{line}\n")).collect();
        self.settings.push_str(&format!("{start}{value}\n"));
        self
    }

    /// Adds a variable to agentd's environment.
    pub(crate) fn variable(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// Puts user's settings there that allow all that the CLI can be told to allow.
    pub(crate) fn permissive(self) -> Self {
        for (path, text) in self.cli.permissive_files() {
            self.put(&format!("home/{path}"), &text);
        }
        self
    }

    /// The folder that the agent works in.
    pub(crate) fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// The change's folder, which is outside of the workspace.
    pub(crate) fn change(&self) -> PathBuf {
        self.root.join("changes").join(CHANGE)
    }

    /// Writes a file.
    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        let folder = path.parent().expect("a path below the root");
        fs::create_dir_all(folder).expect("a folder");
        fs::write(&path, text).expect("a file");
    }

    /// Says whether a file is there.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Runs `agentd call`, and makes sure that nothing is left of it.
    pub(crate) fn call(&self, phase: &str, instructions: &str) -> Outcome {
        self.put("instructions.txt", instructions);
        let outcome = self.agentd(&["call", phase, CHANGE, "@../instructions.txt", "--json"]);
        let left = left_behind(&self.root);
        assert!(left.is_empty(), "left behind: {left:?}\n{outcome:#?}");
        let report = serde_json::from_str(&outcome.1).unwrap_or_default();
        Outcome { code: outcome.0, stderr: outcome.2, report }
    }

    /// Gives the document that such a call sends.
    pub(crate) fn document(&self, phase: &str) -> String {
        let (code, stdout, stderr) =
            self.agentd(&["call", phase, CHANGE, "@../instructions.txt", "--dry-run"]);
        assert_eq!(code, 0, "{stderr}");
        stdout
    }

    fn agentd(&self, words: &[&str]) -> (i32, String, String) {
        let name = self.cli.name();
        let port = self.server.port;
        let config = format!("[agents.{name}]\n{}{}", self.settings, self.cli.settings(port));
        // The user's own file needs no trust, which a project's does.
        self.put("home/.config/agentd/config.toml", &config);
        let output = self
            .suite
            .agentd(&self.root)
            .args(words)
            .args(["--agent", name, "--changes"])
            .arg(self.root.join("changes"))
            .envs(self.cli.environment(port))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .output()
            .expect("agentd runs");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }
}

impl Outcome {
    /// Makes sure of the exit code.
    pub(crate) fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Makes sure that the error message holds some words.
    pub(crate) fn says(&self, words: &str) -> &Self {
        assert!(self.stderr.contains(words), "no {words:?} in {self:#?}");
        self
    }

    /// Makes sure that some tools were reported as denied, in this order, and no others.
    pub(crate) fn denied(&self, tools: &[&str]) -> &Self {
        assert_eq!(self.report["denied"], serde_json::json!(tools), "{self:#?}");
        self
    }
}
