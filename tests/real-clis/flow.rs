//! A world for a whole change: a repository with work of the user's under way, a home, a model server for each CLI that
//! takes part, and `agentd run` in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::cli::Cli;
use crate::left_behind::left_behind;
use crate::model::player::{Judges, Player};
use crate::model::server::Server;
use crate::suite::Suite;

/// The change.
pub(crate) const CHANGE: &str = "add-greeting";

/// What is asked for.
const REQUEST: &str = "Add a script that greets everyone named on its command line";

/// What checks the change: the test that it brings.
const CHECK: &str = "sh agentd-demo/add-greeting.test.sh";

/// A world for a whole change.
pub(crate) struct Flow<'a> {
    suite: &'a Suite,
    pub(crate) root: PathBuf,
    pub(crate) servers: Vec<(Cli, Server)>,
}

impl<'a> Flow<'a> {
    /// Sets it up with some CLIs. With one alone that does every phase; with more each does what it does by default.
    pub(crate) fn new(suite: &'a Suite, name: &str, clis: &[Cli], judges: Judges) -> Self {
        let root = suite.scratch.join(name);
        if root.exists() {
            fs::remove_dir_all(&root).expect("the last run's files can be removed");
        }
        let serve = |cli: &Cli| {
            let kept = root.join("asked").join(cli.name());
            (*cli, Server::start(cli.api(), Box::new(Player::new(*cli, judges)), kept))
        };
        let flow = Self { suite, servers: clis.iter().map(serve).collect(), root };
        for folder in ["home", "tmp"] {
            fs::create_dir_all(flow.root.join(folder)).expect("a folder");
        }
        for (path, text) in clis.iter().flat_map(|cli| cli.user_files()) {
            flow.put(&format!("home/{path}"), &text);
        }
        flow.put("project/README.md", "# Greetings\n");
        flow.put("project/agentd/project.md", "Greetings: POSIX shell scripts, with tests.\n");
        flow.put("project/agentd/config.toml", &flow.config());
        flow.git(&["init", "--quiet", "--initial-branch=main"]);
        flow.git(&["add", "--all"]);
        flow.git(&["commit", "--quiet", "--message", "Begin"]);
        // Work of the user's that is under way.
        flow.put("project/README.md", "# Greetings\n\nTo be continued.\n");
        flow.put("project/staged.txt", "staged\n");
        flow.git(&["add", "staged.txt"]);
        flow.put("project/untracked.txt", "untracked\n");
        flow
    }

    fn config(&self) -> String {
        // The check fails until the change brings its test.
        let mut config = format!("[verify]\nbaseline = \"fix\"\ncommands = [{CHECK:?}]\n");
        if let [(cli, _)] = self.servers.as_slice() {
            config.push_str("\n[phases]\n");
            for phase in ["plan", "challenge", "implement", "review", "archive"] {
                config.push_str(&format!("{phase} = \"{}\"\n", cli.name()));
            }
        }
        for (cli, server) in &self.servers {
            let (name, level) = (cli.name(), cli.implements_with());
            config.push_str(&format!("\n[agents.{name}]\nretries = 0\ntimeout = \"100s\"\n"));
            config.push_str(&format!("permissions = \"{level}\"\n{}", cli.settings(server.port)));
        }
        config
    }

    /// The user's checkout.
    pub(crate) fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        let folder = path.parent().expect("a path below the root");
        fs::create_dir_all(folder).expect("a folder");
        fs::write(&path, text).expect("a file");
    }

    /// Runs the change, and makes sure that no process is left of it.
    pub(crate) fn run(&self) -> Output {
        let output = self.agentd(&["run", CHANGE, REQUEST]);
        let left = left_behind(&self.root);
        assert!(left.is_empty(), "left behind: {left:?}\n{}", shown(&output));
        output
    }

    /// Runs agentd in the project.
    pub(crate) fn agentd(&self, words: &[&str]) -> Output {
        let mut command = self.suite.agentd(&self.root);
        command.args(words).env("AGENTD_STATE", self.root.join("state"));
        for (cli, server) in &self.servers {
            command.envs(cli.environment(server.port));
        }
        command.output().expect("agentd runs")
    }

    /// Runs git in the project, and gives what it prints.
    pub(crate) fn git(&self, words: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=A User", "-c", "user.email=user@localhost"])
            .args(words)
            .current_dir(self.project())
            .env("HOME", self.root.join("home"))
            .output()
            .expect("git runs");
        assert!(output.status.success(), "git {words:?}: {}", shown(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Gives all that a run must leave alone: every file but agentd's, the index, the branch and what it is at.
    pub(crate) fn checkout(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.project(), &self.project(), &mut found);
        let outside = ["--", ".", ":!agentd"];
        for words in [&["rev-parse", "HEAD"][..], &["symbolic-ref", "HEAD"], &["ls-files", "-s"]] {
            found.insert(words.join(" "), self.git(words).into_bytes());
        }
        let status = self.git(&[&["status", "--porcelain"][..], &outside].concat());
        found.insert("status".to_owned(), status.into_bytes());
        found
    }

    /// Gives the folder of the archived change.
    pub(crate) fn archived(&self) -> PathBuf {
        let archive = self.project().join("agentd/archive");
        let entries = fs::read_dir(&archive).expect("an archive").flatten();
        let mut folders: Vec<_> = entries.map(|entry| entry.path()).collect();
        assert_eq!(folders.len(), 1, "{folders:?}");
        folders.remove(0)
    }
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).expect("a path below").display().to_string();
        if name == ".git" || name == "agentd" {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
}

/// Gives what a command printed, for a fault.
pub(crate) fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}\n{}{}", output.status, text(&output.stdout), text(&output.stderr))
}

/// Reads a file of JSON.
pub(crate) fn json(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).expect("JSON")
}
