//! Runs the commands of a document as its reader would: one after the other, in one home, with the offline agent. What
//! differs from run to run (places, hashes, dates, durations, sizes) is written the same each time.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use super::settled::settled_line;

/// The binary that is tested.
const AGENTD: &str = env!("CARGO_BIN_EXE_agentd");

/// The programs that a reader's shell finds; no agent is among them.
const PROGRAMS: [&str; 14] = [
    "bash", "cat", "dirname", "env", "git", "grep", "head", "ls", "mkdir", "rm", "sed", "sh",
    "sleep", "tail",
];

/// Where the reader seems to be at home.
const HOME: &str = "/home/ada";

/// A reader at work.
pub(super) struct Session {
    home: TempDir,
    folder: PathBuf,
    tmux: Option<PathBuf>,
}

impl Session {
    /// Begins in a home with the repository `shop`, which has one commit.
    pub(super) fn begin() -> Self {
        let home = tempfile::tempdir().expect("a home");
        let programs = home.path().join(".programs");
        fs::create_dir(&programs).expect("a folder for programs");
        symlink(AGENTD, programs.join("agentd")).expect("a link to agentd");
        for name in PROGRAMS {
            symlink(found(name), programs.join(name)).expect("a link to a program");
        }
        let tmux = find("tmux");
        if let Some(tmux) = &tmux {
            symlink(tmux, programs.join("tmux")).expect("a link to tmux");
        }
        let folder = home.path().to_owned();
        let mut session = Self { home, folder, tmux };
        for command in [
            "git init --quiet --initial-branch=main shop && cd shop",
            "git config user.name Ada && git config user.email ada@example.com",
            "echo '# Shop' > README.md && git add --all && git commit --quiet --message Begin",
            "cd ..",
        ] {
            let (output, code) = session.run(command);
            assert_eq!(code, Some(0), "{command}\n{output}");
        }
        session
    }

    /// Goes into the repository, where these files are written.
    pub(super) fn with_files(mut self, files: &[(&str, &str)]) -> Self {
        self.folder = self.home.path().join("shop");
        for (name, text) in files {
            let path = self.folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("written");
        }
        self
    }

    /// Says whether there is a tmux here.
    pub(super) const fn has_tmux(&self) -> bool {
        self.tmux.is_some()
    }

    /// Runs a command line, and gives what it printed and its exit code. Where it changes the folder, the next one is
    /// run there.
    pub(super) fn run(&mut self, line: &str) -> (String, Option<i32>) {
        let (home, last) = (self.home.path(), self.home.path().join(".folder"));
        let script =
            format!("exec 2>&1\n{line}\ncode=$?\npwd > '{}'\nexit $code\n", last.display());
        let output = Command::new("bash")
            .args(["-c", &script])
            .current_dir(&self.folder)
            .env_clear()
            .env("PATH", home.join(".programs"))
            .env("HOME", home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("AGENTD_AGENT", "offline")
            .env("TMUX_TMPDIR", home)
            .output()
            .expect("bash runs");
        let folder = fs::read_to_string(&last).expect("the folder is told");
        self.folder = PathBuf::from(folder.trim_end());
        (self.settled(&String::from_utf8_lossy(&output.stdout)), output.status.code())
    }

    /// Writes what differs from run to run the same each time.
    fn settled(&self, text: &str) -> String {
        let home = fs::canonicalize(self.home.path()).expect("the home is there");
        let agentd = fs::canonicalize(AGENTD).expect("agentd is there");
        let text = text
            .replace(&*home.to_string_lossy(), HOME)
            .replace(&*self.home.path().to_string_lossy(), HOME)
            .replace(&*agentd.to_string_lossy(), "/usr/local/bin/agentd");
        text.split_inclusive('\n').map(settled_line).collect()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(tmux) = &self.tmux {
            let server = ["-L", "agentd", "kill-server"];
            // There is none, unless a command of the document has failed.
            let _ = Command::new(tmux).args(server).env("TMUX_TMPDIR", self.home.path()).output();
        }
    }
}

fn found(name: &str) -> PathBuf {
    find(name).unwrap_or_else(|| panic!("`{name}` is needed"))
}

fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").expect("a PATH");
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(name));
    places.find(|place| place.is_file())
}
