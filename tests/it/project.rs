//! A project to run agents in: a folder with a change, an agent whose program is agentd's own offline agent, and what
//! came of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use agentd::Phase;
use agentd::catalog::CATALOG;
use agentd::models::agent::{AgentSettings, Format, Protocol, Shape};
use agentd::orchestrator::{Orchestrator, PhaseOutcome, Place, RunError};
use rustix::process::Signal;
use tempfile::TempDir;

use crate::process::scene::{Mark, runtime};
use crate::ran::Ran;

/// The binary that is tested, which is the agent too.
pub(crate) const AGENTD: &str = env!("CARGO_BIN_EXE_agentd");

/// The CLIs that the offline agent speaks.
pub(crate) const CLIS: [&str; 5] = ["text", "claude", "gemini", "codex", "copilot"];

/// A project with the change `add-login`.
pub(crate) struct Project {
    folder: TempDir,
    pub(crate) mark: Mark,
}

impl Project {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Self { folder, mark: Mark::new() };
        fs::create_dir_all(project.path("agentd/changes/add-login")).expect("the change");
        project.file("agentd/project.md", "A web shop.\n");
        project
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Gives a path in the change's folder.
    pub(crate) fn change(&self, path: &str) -> PathBuf {
        self.path("agentd/changes/add-login").join(path)
    }

    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        fs::write(&path, content).expect("the file is written");
        path
    }

    pub(crate) fn read(&self, path: &str) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Lists the folders of runs.
    pub(crate) fn runs(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.change("runs")) else { return Vec::new() };
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let mut folders: Vec<_> = paths.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    }

    /// Says how often a script was followed that begins with `count calls`.
    pub(crate) fn calls(&self) -> usize {
        fs::read(self.path("calls")).map_or(0, |bytes| bytes.len())
    }

    /// Gives an agent that speaks a CLI's output; with a script it follows that. Its command line carries the mark.
    pub(crate) fn agent(&self, cli: &str, script: Option<&str>) -> AgentSettings {
        let protocol = match cli {
            "claude" => Protocol::Claude,
            "gemini" => Protocol::Gemini,
            "codex" => Protocol::Codex,
            "copilot" => Protocol::Copilot,
            _ => Protocol::Offline,
        };
        let command = self.command(cli, script);
        AgentSettings { command, ..AgentSettings::new(cli, protocol) }
    }

    /// Gives an agent that a configuration describes and that answers in text.
    pub(crate) fn described(&self, script: Option<&str>) -> AgentSettings {
        let shape = Shape { output: Format::Text, ..Shape::default() };
        let command = self.command("text", script);
        AgentSettings { command, ..AgentSettings::new("described", Protocol::Described(shape)) }
    }

    fn command(&self, cli: &str, script: Option<&str>) -> Vec<String> {
        let words = [AGENTD, "offline-agent", "--speak", cli];
        let mut command: Vec<_> = words.map(str::to_owned).to_vec();
        if let Some(script) = script {
            let script = script.replace("MARK", &self.mark.0);
            let path = self.file(&format!("script-{}", self.mark.0), script);
            command.extend(["--script".to_owned(), path.display().to_string()]);
        }
        command
    }

    pub(crate) fn orchestrator(&self, agent: AgentSettings) -> Orchestrator {
        Orchestrator::new(agent, self.place()).with_first_pause(Duration::from_millis(20))
    }

    pub(crate) fn place(&self) -> Place {
        let mut place = Place::new(self.folder.path(), AGENTD);
        place.environment = vec![("PATH".into(), std::env::var_os("PATH").expect("a PATH"))];
        place
    }

    /// Runs a phase of the change with an agent.
    pub(crate) fn run(&self, agent: AgentSettings, phase: Phase) -> Result<PhaseOutcome, RunError> {
        let change = "add-login".parse().expect("an id");
        let orchestrator = self.orchestrator(agent);
        runtime().block_on(orchestrator.run(&change, CATALOG.step(phase), "Add login"))
    }

    /// Sets up `agentd call` with an agent `fake` as the user's configuration describes it.
    pub(crate) fn call(&self, phase: Phase, agent: &AgentSettings, more: &str) -> Command {
        let cli = match &agent.protocol {
            Protocol::Offline => "cli = \"offline\"\n".to_owned(),
            Protocol::Described(_) => String::new(),
            _ => format!("cli = \"{}\"\n", agent.name),
        };
        let config = format!("[agents.fake]\n{cli}command = {:?}\n{more}\n", agent.command);
        self.file("user.toml", config);
        self.agentd(&["call", phase.word(), "add-login", "Add login", "--agent", "fake"])
    }

    /// Sets up a command that sees this project alone, and no configuration of whoever runs the test.
    pub(crate) fn agentd(&self, arguments: &[&str]) -> Command {
        let mut command = interruptible(AGENTD);
        command.args(arguments).current_dir(self.folder.path());
        command.env_clear().env("PATH", std::env::var_os("PATH").expect("a PATH"));
        command.env("HOME", self.path("home")).env("AGENTD_CONFIG", self.path("user.toml"));
        // What holds without the sandbox is shown here; `process::sandbox` and `workflow::hostile` show what holds with it.
        command.env("AGENTD_SANDBOX", "off");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// Sets up a program that signals reach, also where the tests themselves run in the background of a script or under `nohup`,
/// which have them ignored by all that are started there.
pub(crate) fn interruptible(program: &str) -> Command {
    let bit = |signal: Signal| 1_u64 << (signal.as_raw() - 1);
    let listened = bit(Signal::INT) | bit(Signal::TERM) | bit(Signal::HUP);
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map(str::trim);
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or_default();
    if ignored & listened == 0 {
        return Command::new(program);
    }
    let mut command = Command::new("/usr/bin/env");
    command.arg("--default-signal=INT,TERM,HUP").arg(program);
    command
}

/// Runs a command to its end.
pub(crate) fn ran(command: &mut Command) -> Ran {
    ended(command.spawn().expect("it starts"))
}

/// Waits for the end of a command.
pub(crate) fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Reads the JSON of a run's file.
pub(crate) fn json(path: &Path) -> serde_json::Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).expect("JSON")
}
