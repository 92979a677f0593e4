//! A recorded run of a CLI, read by its adapter as if it happened now.

use agentd::models::agent::{AgentSettings, Protocol};
use agentd::orchestrator::agents::{AgentError, Exit, Progress, Reply, adapter};

use crate::support::{read, repository};

/// What the server that the recordings were made with always answers.
pub(super) const ANSWER: &str = "<thought>x</thought>Hello <review>PASS</review>";

/// What a run of a CLI printed, and how it exited.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording {
    pub(super) cli: &'static str,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) report: Option<String>,
    pub(super) code: i32,
}

/// Finds a recording by its name: all of its files that are there.
pub(super) fn recording(cli: &'static str, name: &str) -> Recording {
    let file = |ending: &str| {
        let path = format!("tests/samples/{name}.{ending}");
        repository(&path).exists().then(|| read(&path))
    };
    let (stdout, stderr) = (file("stdout.jsonl"), file("stderr.txt"));
    assert!(stdout.is_some() || stderr.is_some(), "there is no recording {name}");
    let meta: serde_json::Value = file("meta.json")
        .map(|text| serde_json::from_str(&text).expect("JSON"))
        .unwrap_or_default();
    let code = meta["rc"].as_i64().unwrap_or(0);
    Recording {
        cli,
        stdout: stdout.unwrap_or_default(),
        stderr: stderr.unwrap_or_default(),
        report: file("report.json"),
        code: i32::try_from(code).expect("an exit code"),
    }
}

/// A run that was not recorded.
pub(super) fn printed(cli: &'static str, stdout: &str) -> Recording {
    Recording { cli, stdout: stdout.to_owned(), ..Recording::default() }
}

impl Recording {
    pub(super) fn exits(mut self, code: i32) -> Self {
        self.code = code;
        self
    }

    pub(super) fn stderr(mut self, text: &str) -> Self {
        text.clone_into(&mut self.stderr);
        self
    }

    /// Uses the exit code and standard error of another recording.
    pub(super) fn ends_as(mut self, name: &str) -> Self {
        let other = recording(self.cli, name);
        (self.code, self.stderr) = (other.code, other.stderr);
        self
    }

    /// Reads the run as its adapter does, line by line.
    pub(super) fn read(&self) -> (Vec<Progress>, Result<Reply, AgentError>) {
        let protocol = protocol(self.cli);
        let settings = AgentSettings::new(self.cli, protocol.clone());
        let mut transcript = adapter(&protocol).transcript(&settings);
        let shown = self.stdout.lines().filter_map(|line| transcript.line(line)).collect();
        let exit = Exit { code: self.code, stderr: &self.stderr, report: self.report.as_deref() };
        (shown, transcript.finish(&exit))
    }

    pub(super) fn result(&self) -> Result<Reply, AgentError> {
        self.read().1
    }

    pub(super) fn reply(&self) -> Reply {
        self.result().unwrap_or_else(|error| panic!("{}: {error}", self.cli))
    }

    pub(super) fn activities(&self) -> Vec<String> {
        self.read().0.into_iter().map(|progress| progress.activity).collect()
    }
}

/// Gives what a CLI that has an adapter understands.
pub(super) fn protocol(cli: &str) -> Protocol {
    match cli {
        "claude" => Protocol::Claude,
        "gemini" => Protocol::Gemini,
        "codex" => Protocol::Codex,
        "copilot" => Protocol::Copilot,
        other => panic!("{other} has no adapter"),
    }
}

/// The CLIs that have an adapter.
pub(super) const CLIS: [&str; 4] = ["claude", "gemini", "codex", "copilot"];
