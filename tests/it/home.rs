//! A user with a home, a project and nothing else: where the commands about configuration are tried.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use tempfile::TempDir;

use crate::project::interruptible;
use crate::ran::Ran;

/// A home and a project.
pub(crate) struct Home {
    folder: TempDir,
    project: OsString,
    variables: Vec<(String, String)>,
}

impl Home {
    /// Makes an empty home and an empty project that is no git repository.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Self { folder, project: "shop".into(), variables: Vec::new() };
        for folder in ["home", "shop", "bin"] {
            fs::create_dir_all(home.folder.path().join(folder)).expect("made");
        }
        home
    }

    /// Makes the project a git repository.
    pub(crate) fn with_git(self) -> Self {
        self.git(&["init", "-q"]);
        self
    }

    /// Gives the project's folder another name.
    pub(crate) fn rename_project(&mut self, name: &OsStr) {
        fs::rename(self.root(), self.folder.path().join(name)).expect("renamed");
        name.clone_into(&mut self.project);
    }

    /// Runs git in the project, and gives what it prints.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(self.root())
            .env("HOME", self.path("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join(&self.project)
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Sets a variable of the environment.
    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes a file of the project.
    pub(crate) fn file(self, path: &str, text: &str) -> Self {
        self.write(path, text);
        self
    }

    /// Writes a file of the project, now.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// Adds to the user's own configuration, which needs no trust.
    pub(crate) fn configure(&self, text: &str) {
        let path = self.path("home/.config/agentd/config.toml");
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, format!("{before}\n{text}\n")).expect("written");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).expect("a file")
    }

    /// Lists the workspaces of all changes, in order.
    pub(crate) fn workspaces(&self) -> Vec<PathBuf> {
        let below = |folder: &Path| -> Vec<PathBuf> {
            let entries = fs::read_dir(folder).into_iter().flatten();
            entries.map(|entry| entry.expect("an entry").path()).collect()
        };
        let projects = below(&self.path("home/.local/state/agentd/workspaces"));
        let mut all: Vec<_> = projects.iter().flat_map(|project| below(project)).collect();
        all.sort();
        all
    }

    pub(crate) fn agentd(&self, arguments: &[&str]) -> Ran {
        self.agentd_in(&self.root(), arguments)
    }

    pub(crate) fn agentd_in(&self, folder: &Path, arguments: &[&str]) -> Ran {
        Ran::from(
            self.command(folder, arguments).stdin(Stdio::null()).output().expect("agentd runs"),
        )
    }

    /// Starts agentd, and leaves it to whoever started it.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(&self.root(), arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("agentd runs")
    }

    /// Runs agentd within a limit that a shell sets.
    pub(crate) fn agentd_within(&self, limit: &str, arguments: &[&str]) -> Ran {
        self.agentd_by(&format!("{limit}; exec \"$0\" \"$@\""), arguments)
    }

    /// Runs agentd with little memory, and kills it where it does not end soon.
    pub(crate) fn agentd_bounded(&self, arguments: &[&str]) -> Ran {
        self.agentd_by("ulimit -v 4000000; exec timeout -s KILL 60 \"$0\" \"$@\"", arguments)
    }

    fn agentd_by(&self, script: &str, arguments: &[&str]) -> Ran {
        let agentd = env!("CARGO_BIN_EXE_agentd");
        let mut shell = Command::new("sh");
        shell.args(["-c", script, agentd]).args(arguments).current_dir(self.root());
        let own = self.command(&self.root(), &[]);
        shell.env_clear().envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
        Ran::from(shell.output().expect("a shell"))
    }

    /// Runs agentd on a terminal on which this is typed; what it prints there is its standard error.
    pub(crate) fn agentd_on_terminal(&self, arguments: &[&str], typed: &str) -> Ran {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("it can be opened");
        let name = ptsname(&terminal, Vec::new()).expect("it has a name");
        let open = || -> OwnedFd {
            let path = name.to_str().expect("UTF-8");
            File::options().read(true).write(true).open(path).expect("it opens").into()
        };
        let mut command = self.command(&self.root(), arguments);
        command.stdin(Stdio::from(open())).stderr(Stdio::from(open())).stdout(Stdio::piped());
        let child = command.spawn().expect("agentd runs");
        // Our own ends of the terminal: it is gone when agentd has closed its.
        drop(command);
        let mut terminal = File::from(terminal);
        terminal.write_all(typed.as_bytes()).expect("typed");
        let mut shown = Vec::new();
        // A terminal that nobody holds any more reads as an error.
        let _ = terminal.read_to_end(&mut shown);
        let output = child.wait_with_output().expect("it ends");
        Ran::from(Output { stderr: shown, ..output })
    }

    fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = interruptible(env!("CARGO_BIN_EXE_agentd"));
        command
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .env("HOME", self.path("home"))
            // What holds without the sandbox is shown here; `process::sandbox` and `workflow::hostile` show what holds with it.
            .env("AGENTD_SANDBOX", "off")
            // A repository round the folder of temporary files is none of ours.
            .env("GIT_CEILING_DIRECTORIES", self.folder.path())
            .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", self.path("bin").display()))
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}
