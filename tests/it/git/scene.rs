//! A user's repository to work on, and what must not change in it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use agentd::engine::git::{At, Branch, Commit, Git, Owner, Repository, Workspace};

use crate::support::install;

pub(crate) const BRANCH: &str = "agentd/add-login";

/// A home folder, a repository with one commit on `main`, and a place for workspaces.
pub(crate) struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    /// Sets up a repository that is not without difficulties, whose user git knows.
    pub(crate) fn new() -> Self {
        let scene = Self::empty();
        scene.write("src/main.rs", "fn main() {}\n");
        scene.write(".gitignore", "target/\n*.log\n");
        scene.write("target/built", "ignored");
        scene.write("bytes.bin", [0, 159, 146, 150, 0]);
        scene.write("two\nlines", "newline");
        symlink("src/main.rs", scene.root().join("link")).unwrap();
        scene.git(&["config", "user.name", "Ada"]);
        scene.git(&["config", "user.email", "ada@example.com"]);
        scene.commit("start");
        scene
    }

    /// Sets up a repository without a commit, and without a user.
    pub(crate) fn empty() -> Self {
        let scene = Self { folder: tempfile::tempdir().unwrap() };
        for folder in ["home", "repo"] {
            fs::create_dir(scene.path(folder)).unwrap();
        }
        scene.git(&["init", "--quiet", "--initial-branch=main", "."]);
        scene
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.path("repo")
    }

    pub(crate) fn environment(&self) -> Vec<(OsString, OsString)> {
        let path = std::env::var_os("PATH").unwrap();
        vec![
            ("PATH".into(), path),
            ("HOME".into(), self.path("home").into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ]
    }

    pub(crate) fn repository(&self) -> Repository {
        Repository::find(&self.root(), &Git::new(self.environment())).unwrap()
    }

    /// Makes the workspace of the change, and gives the commit that it begins with.
    pub(crate) fn workspace(&self) -> (Workspace, Commit) {
        let repository = self.repository();
        let start = repository.head().unwrap();
        let workspace = Workspace::open(&repository, &self.path("state/w"), at(&start)).unwrap();
        (workspace, start)
    }

    /// Writes a file of the user's, and the folders that it needs.
    pub(crate) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        write(&self.root().join(path), bytes);
    }

    /// Runs git as the user, without hooks, and gives what it prints.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.root(), arguments)
    }

    pub(crate) fn git_in(&self, folder: &Path, arguments: &[&str]) -> String {
        let quiet = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];
        let output = self.user_git(folder).args(quiet).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    pub(crate) fn user_git(&self, folder: &Path) -> Command {
        let mut command = Command::new("git");
        command.env_clear().envs(self.environment()).env("GIT_OPTIONAL_LOCKS", "0");
        command.current_dir(folder);
        command
    }

    pub(crate) fn commit(&self, message: &str) -> Commit {
        self.git(&["add", "--all"]);
        self.git(&["-c", "commit.gpgSign=false", "commit", "--quiet", "-m", message]);
        self.repository().head().unwrap()
    }

    /// Everything of the user's that git or a person could see: files, modes, times, index, branch, settings, status.
    pub(crate) fn checkout(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut seen = BTreeMap::new();
        let mut folders = vec![self.root()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let data = fs::symlink_metadata(&path).unwrap();
                if path.ends_with(".git") {
                    continue;
                }
                let mut about = format!("{:o} {:?} ", data.permissions().mode(), data.modified());
                if data.is_symlink() {
                    about.push_str(&fs::read_link(&path).unwrap().to_string_lossy());
                } else if data.is_dir() {
                    folders.push(path.clone());
                }
                let mut about = about.into_bytes();
                if data.is_file() {
                    about.extend(fs::read(&path).unwrap());
                }
                seen.insert(path, about);
            }
        }
        for file in ["index", "HEAD", "config", "refs/heads/main", "logs/HEAD"] {
            let path = self.root().join(".git").join(file);
            seen.insert(path.clone(), fs::read(path).unwrap_or_default());
        }
        seen.insert("status".into(), self.git(&["status", "--porcelain", "--ignored"]).into());
        seen.insert("stash".into(), self.git(&["stash", "list"]).into());
        seen
    }
}

/// A workspace on the change's branch.
pub(crate) fn at(commit: &Commit) -> At<'_> {
    let branch = Some(Branch { name: BRANCH, owner: Owner::Anybody });
    At { commit, branch, attributes: commit }
}

/// A workspace that is only read.
pub(crate) fn at_commit(commit: &Commit) -> At<'_> {
    At { commit, branch: None, attributes: commit }
}

/// Where agentd keeps what it knows of a workspace.
pub(crate) fn own_state(scene: &Scene, name: &str) -> PathBuf {
    scene.root().join(".git/agentd/workspaces").join(name)
}

pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Writes a program that leaves a mark and succeeds, with what it reads as its output.
pub(crate) fn write_program(path: &Path, mark: &Path) {
    let (mark, name) = (mark.display(), path.file_name().unwrap().display());
    install(path, format!("#!/bin/sh\necho {name} \"$@\" >>'{mark}'\nexit 0\n"), 0o755);
}

pub(crate) fn bytes(name: &[u8]) -> PathBuf {
    OsStr::from_bytes(name).into()
}
