//! A project to run agentd in: its files, programs that stand in for agents, and an environment of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::ran::Ran;
use crate::support::install;

/// A project, and what agentd finds round it.
pub(crate) struct Sandbox {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Sandbox {
    /// Makes an empty project with no program but those of the system.
    pub(crate) fn new() -> Self {
        let project =
            Self { folder: tempfile::tempdir().expect("a folder"), variables: Vec::new() };
        for folder in ["bin", "home", "tmp", "work"] {
            fs::create_dir(project.folder.path().join(folder)).expect("a folder");
        }
        project
    }

    /// Gives the project's root.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Gives the folder for temporary files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// Writes a file of the project.
    pub(crate) fn file(self, path: &str, text: &str) -> Self {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        fs::write(path, text).expect("the file is written");
        self
    }

    /// Installs a shell script as a program.
    pub(crate) fn program(self, name: &str, script: &str) -> Self {
        self.installed(name, script, 0o755)
    }

    /// Installs a shell script with a mode of its own.
    pub(crate) fn installed(self, name: &str, script: &str, mode: u32) -> Self {
        install(&self.path_of(name), format!("#!/bin/sh\n{script}\n"), mode);
        self
    }

    /// Says where a program is installed.
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.folder.path().join("bin").join(name)
    }

    /// Sets a variable of the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Trusts what the project's file says now.
    pub(crate) fn trusted(self) -> Self {
        drop(self.run(&["trust", "--yes"]).exits(0));
        self
    }

    /// Runs agentd in the project.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let bin = self.folder.path().join("bin");
        let output = Command::new(env!("CARGO_BIN_EXE_agentd"))
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
            .env("HOME", self.folder.path().join("home"))
            .env("TMPDIR", self.temporary())
            .envs(self.variables.iter().cloned())
            .stdin(Stdio::null())
            .output()
            .expect("agentd runs");
        output.into()
    }
}
