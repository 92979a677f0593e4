//! A repository with a commit, a user's configuration, and agents that follow scripts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::home::Home;
use crate::project::AGENTD;
use crate::ran::Ran;
use crate::support::of_change;

/// The id of the change in these tests.
pub(super) const ID: &str = "add-login";

/// A repository and its user.
pub(super) struct Scene {
    pub(super) home: Home,
}

impl Scene {
    /// Makes a repository with one commit, and a user for whom the offline agent does every phase.
    pub(super) fn new() -> Self {
        let scene = Self::bare();
        scene.config("[phases]\nplan = \"offline\"\nchallenge = \"offline\"\nimplement = \"offline\"\nreview = \"offline\"\narchive = \"offline\"\n");
        scene
    }

    /// Makes a repository with one commit, and a user without any configuration.
    pub(super) fn bare() -> Self {
        let home = Home::new().with_git();
        for (name, value) in [("user.name", "Ada"), ("user.email", "ada@localhost")] {
            home.git(&["config", name, value]);
        }
        home.write("README.md", "# Shop\n");
        home.write("agentd/project.md", "# Project\n\nA web shop.\n");
        home.git(&["add", "--all"]);
        home.git(&["commit", "--quiet", "--message", "Begin"]);
        Self { home }
    }

    /// Adds to the user's own configuration, which needs no trust.
    pub(super) fn config(&self, text: &str) {
        self.home.configure(text);
    }

    /// Describes an agent that follows a script; `CHANGE` in it stands for its outbox, and `COUNT` for a file
    /// in which its calls are counted.
    pub(super) fn agent(&self, name: &str, script: &str) {
        self.agent_with(name, script, "");
    }

    /// The same, with more settings.
    pub(super) fn agent_with(&self, name: &str, script: &str, more: &str) {
        let script = script
            .replace("CHANGE/", "OUTBOX/")
            .replace("COUNT", &self.home.path(&format!("{name}.calls")).to_string_lossy());
        let path = self.home.path(&format!("{name}.script"));
        fs::write(&path, script).expect("written");
        let path = path.to_string_lossy();
        self.config(&format!(
            "[agents.{name}]\ncli = \"claude\"\ncommand = [{AGENTD:?}, \"offline-agent\", \"--speak\", \"claude\", \"--script\", {path:?}]\n{more}"
        ));
    }

    /// Says how often an agent was called that counts its calls.
    pub(super) fn calls(&self, name: &str) -> usize {
        fs::read(self.home.path(&format!("{name}.calls"))).map_or(0, |bytes| bytes.len())
    }

    /// Runs agentd in the repository.
    pub(super) fn agentd(&self, arguments: &[&str]) -> Ran {
        self.home.agentd(arguments)
    }

    /// Begins the change, or goes on with it.
    pub(super) fn run(&self, more: &[&str]) -> Ran {
        self.agentd(&[&["run", ID, "Add login"], more].concat())
    }

    /// Gives a path in the change's folder.
    pub(super) fn change(&self, path: &str) -> PathBuf {
        of_change(&self.home.root(), ID, path)
    }

    /// Finds the workspace in which the change's code is written.
    pub(super) fn workspace(&self) -> PathBuf {
        let mut all = self.home.workspaces().into_iter();
        all.find(|path| path.ends_with(ID)).expect("a workspace")
    }

    /// Gives the change's folder in the archive.
    pub(super) fn archived(&self) -> PathBuf {
        let archive = self.home.root().join("agentd/archive");
        let mut entries = fs::read_dir(archive).expect("an archive");
        entries.next().expect("a change").expect("an entry").path()
    }

    /// Reads a file of the change.
    pub(super) fn read(&self, path: &str) -> String {
        let path = self.change(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Reads the prompt of the first run with a name, such as `003-plan`.
    pub(super) fn prompt(&self, run: &str) -> String {
        self.read(&format!("runs/{run}/prompt.xml"))
    }

    /// Lists the runs of the change.
    pub(super) fn runs(&self) -> Vec<String> {
        let entries = fs::read_dir(self.change("runs")).expect("runs");
        let names = entries.map(|entry| entry.expect("an entry"));
        let mut names: Vec<_> = names
            .filter(|entry| entry.path().is_dir())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Says where the change is.
    pub(super) fn stage(&self) -> String {
        let status = self.agentd(&["status", ID, "--json"]).exits(0).json();
        status["stage"].as_str().expect("a stage").to_owned()
    }

    /// Takes down every file of the user's checkout but for `agentd/` and git's own.
    pub(super) fn checkout(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = tree(&self.home.root());
        files.retain(|path, _| !path.starts_with("agentd") && !path.starts_with(".git"));
        files
    }
}

/// Takes down every file below a folder, and every folder as one without content.
pub(crate) fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("below the root").to_owned();
            if path.is_dir() && !path.is_symlink() {
                found.insert(name, Vec::new());
                folders.push(path);
            } else {
                found.insert(name, fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}
