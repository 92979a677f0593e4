//! A user's repository with edits and hooks of its own, changes in it that the offline agent works on, and what must be
//! the same whatever happened on the way.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::project::{AGENTD, interruptible, json, ran};
use crate::ran::Ran;

/// The change that the tests are about.
pub(crate) const ID: &str = "add-login";
const REQUEST: &str = "Add a login page";

/// Runs every test script that the change brings, and leaves something behind.
const CHECK: &str = "for test in $(git ls-files '*test*.sh'); do sh \"$test\" || exit 1; done; echo x >left-by-checks";

/// A home folder, a state folder, and a repository whose user is in the middle of something.
pub(crate) struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let scene = Self { folder: tempfile::tempdir().expect("a folder") };
        scene.write(
            "notes/README",
            "What agents and checks leave for a test, where they could not write otherwise.",
        );
        let config = format!("{}[verify]\ncommands = [{CHECK:?}]\n", scene.sandbox());
        scene.write("user.toml", config);
        for folder in ["home", "repo"] {
            fs::create_dir_all(scene.path(folder)).expect("a folder");
        }
        scene.git(&["init", "--quiet", "--initial-branch=main", "."]);
        scene.write("repo/README.md", "# Shop\n");
        scene.write("repo/src/main.rs", "fn main() {}\n");
        scene.write("repo/.gitignore", "*.log\n");
        scene.write("repo/agentd/project.md", "A web shop.\n");
        scene.git(&["add", "--all"]);
        let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
        scene.git(&[&who[..], &["commit", "--quiet", "-m", "Begin"]].concat());
        scene.write("repo/README.md", "# Shop\n\nNot committed.\n");
        scene.write("repo/staged.rs", "// staged\n");
        scene.git(&["add", "staged.rs"]);
        scene.write("repo/staged.rs", "// staged, and edited since\n");
        scene.write("repo/untracked.txt", "mine\n");
        scene.write("repo/debug.log", "ignored\n");
        for hook in ["pre-commit", "post-commit", "post-checkout", "reference-transaction"] {
            let mark = scene.path("hooks-that-ran");
            let path = format!("repo/.git/hooks/{hook}");
            scene.write(&path, format!("#!/bin/sh\necho {hook} >>'{}'\n", mark.display()));
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(scene.path(&path), mode).expect("the mode is set");
        }
        scene
    }

    /// Returns the settings by which agents and checks may leave notes.
    pub(crate) fn sandbox(&self) -> String {
        let notes = self.path("notes").display().to_string();
        format!("[sandbox]\nwrite = [{notes:?}]\ncheck_write = [{notes:?}]\n")
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder").join(path)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        fs::write(path, text).expect("the file is written");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Runs git as the user, without hooks.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "core.hooksPath=/dev/null"]).args(arguments);
        command.env_clear().env("PATH", std::env::var_os("PATH").expect("a PATH"));
        command.env("HOME", self.path("home")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("GIT_OPTIONAL_LOCKS", "0").current_dir(self.path("repo"));
        let output = command.output().expect("git runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Has an agent `scripted` follow a script, in which `PATH/` stands for the scene's folder.
    pub(crate) fn script(&self, script: &str) {
        let folder = self.folder.path().display();
        self.write("script", script.replace("PATH/", &format!("{folder}/")));
        let command =
            [AGENTD, "offline-agent", "--speak", "claude", "--script"].map(str::to_owned).to_vec();
        let script = self.path("script").display().to_string();
        let command = [command, vec![script]].concat();
        let config = self.read("user.toml");
        let agent = format!("\n[agents.scripted]\ncli = \"claude\"\ncommand = {command:?}\n");
        self.write("user.toml", config + &agent);
    }

    /// Says how often a script was followed that begins with `count PATH/notes/calls`.
    pub(crate) fn calls(&self) -> usize {
        fs::read(self.path("notes/calls")).map_or(0, |bytes| bytes.len())
    }

    /// Sets up a command that sees this scene alone.
    pub(crate) fn agentd(&self, arguments: &[&str]) -> Command {
        self.command(AGENTD, arguments)
    }

    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = interruptible(program);
        command.args(arguments).current_dir(self.path("repo"));
        command.env_clear().env("PATH", std::env::var_os("PATH").expect("a PATH"));
        command.env("HOME", self.path("home")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("AGENTD_CONFIG", self.path("user.toml"));
        command.env("AGENTD_STATE", self.path("state"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Sets up `agentd run` of the change with the offline agent; the same command begins it and goes on with it.
    pub(crate) fn run(&self, more: &[&str]) -> Command {
        self.agentd(&[&["run", ID, REQUEST, "--agent", "offline"], more].concat())
    }

    /// Runs the change to its end, or as far as `more` says.
    pub(crate) fn runs(&self, more: &[&str]) -> Ran {
        ran(&mut self.run(more))
    }

    /// Gives the change's folder: where it is worked on, else in the archive.
    pub(crate) fn change(&self) -> PathBuf {
        let open = self.path("repo/agentd/changes").join(ID);
        if open.exists() {
            return open;
        }
        let archive = fs::read_dir(self.path("repo/agentd/archive"));
        let mut folders: Vec<_> =
            archive.into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
        assert!(folders.len() <= 1, "{folders:?}");
        folders.pop().unwrap_or(open)
    }

    /// Gives the folder of the change's state.
    pub(crate) fn state(&self) -> PathBuf {
        self.path("repo/.git/agentd/changes").join(ID)
    }

    pub(crate) fn journal(&self) -> Vec<u8> {
        fs::read(self.state().join("journal.jsonl")).unwrap_or_default()
    }

    /// Counts the entries of the journal.
    pub(crate) fn entries(&self) -> usize {
        self.journal()
            .split_inclusive(|byte| *byte == b'\n')
            .filter(|it| it.ends_with(b"\n"))
            .count()
    }

    /// Puts the journal back to what it was before its last entries.
    pub(crate) fn cut_journal(&self, from: &str) {
        let text = String::from_utf8(self.journal()).expect("text");
        let at = text.rfind(from).unwrap_or_else(|| panic!("{from} is not in {text}"));
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        fs::write(self.state().join("journal.jsonl"), &text[..line]).expect("it is written");
    }

    /// Puts all back to what it was before the last entries and the commit that they speak of, and takes the workspaces away.
    pub(crate) fn lose_the_desk(&self, from: &str) {
        self.cut_journal(from);
        fs::remove_dir_all(self.path("state/workspaces")).expect("they are removed");
        let branch = format!("refs/heads/agentd/{ID}");
        let parent = self.git(&["rev-parse", &format!("{branch}~1")]);
        self.git(&["update-ref", &branch, parent.trim()]);
    }

    /// Finds the workspace in which the change's code is written.
    pub(crate) fn workspace(&self) -> PathBuf {
        let projects = fs::read_dir(self.path("state/workspaces")).expect("workspaces");
        let mut desks = projects.map(|project| project.expect("an entry").path().join(ID));
        desks.find(|path| path.is_dir()).expect("a workspace")
    }

    /// Lists what happened, without what differs from one run to another.
    pub(crate) fn history(&self) -> Vec<String> {
        let text = String::from_utf8(self.journal()).expect("text");
        let word = |record: &Value, key: &str| record[key].as_str().unwrap_or("-").to_owned();
        let entry = |line: &str| {
            let record: Value = serde_json::from_str(line).expect("a record");
            ["event", "step", "outcome"].map(|key| word(&record, key)).join(" ")
        };
        // How often an agent is called says nothing about where a change is.
        text.lines().map(entry).filter(|entry| !entry.starts_with("called ")).collect()
    }

    /// Lists the runs of a name.
    pub(crate) fn runs_of(&self, name: &str) -> Vec<PathBuf> {
        self.all_runs().into_iter().filter(|(found, _)| found == name).map(|(_, run)| run).collect()
    }

    /// Lists all runs in order, with what they were for.
    fn all_runs(&self) -> Vec<(String, PathBuf)> {
        let entries = fs::read_dir(self.state().join("runs")).into_iter().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        let named = |path: PathBuf| {
            let (_, name) = path.file_name()?.to_str()?.split_once('-')?;
            Some((name.to_owned(), path))
        };
        paths.into_iter().filter_map(named).collect()
    }

    /// Counts the calls of agents that came to their end by themselves, by what they were for.
    pub(crate) fn answers(&self) -> BTreeMap<String, usize> {
        let mut answers = BTreeMap::new();
        for (name, run) in self.all_runs() {
            let end = run.join("end.json");
            if name != "verify" && end.exists() && json(&end)["end"]["end"] == "exited" {
                *answers.entry(name).or_default() += 1;
            }
        }
        answers
    }

    /// All of the user's that agentd must not touch: files, modes, times, index, branch, settings, hooks.
    pub(crate) fn checkout(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut seen = BTreeMap::new();
        let root = self.path("repo");
        let mut folders = vec![root.clone(), root.join(".git/hooks")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path == root.join(".git") || path == root.join("agentd") {
                    continue;
                }
                let data = fs::symlink_metadata(&path).expect("its data");
                let mut about = format!("{:o} {} ", data.mode(), data.mtime()).into_bytes();
                if data.is_dir() {
                    folders.push(path.clone());
                } else {
                    about.extend(fs::read(&path).expect("its bytes"));
                }
                seen.insert(path, about);
            }
        }
        for file in ["index", "HEAD", "config", "refs/heads/main", "logs/HEAD"] {
            let path = root.join(".git").join(file);
            seen.insert(path.clone(), fs::read(path).unwrap_or_default());
        }
        seen.insert("hooks".into(), fs::read(self.path("hooks-that-ran")).unwrap_or_default());
        seen
    }

    /// All that a change leaves at its end, without what differs from one run to another.
    pub(crate) fn outcome(&self) -> BTreeMap<String, String> {
        let mut left = BTreeMap::new();
        let agentd = self.path("repo/agentd");
        let change = self.change();
        assert!(change.starts_with(agentd.join("archive")), "{}", change.display());
        collect(&agentd, &agentd, &mut left);
        let date = change.file_name().expect("a name").to_string_lossy()[..10].to_owned();
        let outside = ["state.json"];
        let root = self.path("").display().to_string();
        let mut left: BTreeMap<_, _> = left
            .into_iter()
            .filter(|(path, _)| !outside.iter().any(|name| path.ends_with(name)))
            .map(|(path, text)| (path.replace(&date, "DATE"), steady(&text).replace(&root, "PATH")))
            .collect();
        let branch = format!("agentd/{ID}");
        left.insert("tree".into(), self.git(&["ls-tree", "-r", &branch]));
        let range = format!("main..{branch}");
        left.insert("log".into(), self.git(&["log", "--format=%an %cn %B", &range]));
        left.insert(
            "workspaces".into(),
            self.git(&["worktree", "list"]).lines().count().to_string(),
        );
        // Whether a report says the same as the one before depends on how long its checks took.
        let history = self.history().into_iter().filter(|line| !line.starts_with("documents"));
        left.insert("history".into(), history.collect::<Vec<_>>().join("\n"));
        left
    }

    /// Lists the processes that work in the scene or name it.
    pub(crate) fn processes(&self) -> Vec<String> {
        let root = self.path("").display().to_string();
        let root = root.trim_end_matches('/');
        let entries = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
        let about = |path: PathBuf| {
            let words = fs::read(path.join("cmdline")).ok()?;
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            let folder = fs::read_link(path.join("cwd")).unwrap_or_default();
            let is_ours = words.contains(root) || folder.starts_with(root);
            (is_ours && !words.is_empty()).then_some(words)
        };
        entries.filter_map(|entry| about(entry.path())).collect()
    }
}

/// Reads all files below a folder but for those of runs.
fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if !path.ends_with("runs") {
                collect(root, &path, files);
            }
            continue;
        }
        let name = path.strip_prefix(root).expect("below").display().to_string();
        let text = fs::read(&path).expect("its bytes");
        files.insert(name, String::from_utf8_lossy(&text).into_owned());
    }
}

/// Takes hashes of commits and times out of a text.
fn steady(text: &str) -> String {
    let word = |word: &str| {
        let inner = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_hash = inner.len() == 40 && inner.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_time = inner.contains('.') && inner.parse::<f64>().is_ok();
        if is_hash || is_time { word.replace(inner, "…") } else { word.to_owned() }
    };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Kills a process as nothing else does, and waits until it is gone.
pub(crate) fn kill(child: Child) -> Ran {
    let mut child = child;
    // It may have ended by itself.
    let _ = child.kill();
    crate::project::ended(child)
}
