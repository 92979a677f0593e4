//! How an agent is set up: what a configuration says of it, checked.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

#[cfg(feature = "cli")]
use super::wildcard::matches;
use crate::flow::{Step, Subject};
use crate::template::Agent;

/// An agent that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSettings {
    /// Its name: a key of the configuration.
    pub name: String,
    /// What it understands on its command line and prints.
    pub protocol: Protocol,
    /// The templates that serve it.
    pub family: Agent,
    /// The program, and arguments that come before all others.
    pub command: Vec<String>,
    /// The model to ask for; its own choice unless given.
    pub model: Option<String>,
    /// More arguments.
    pub args: Vec<String>,
    /// More variables of its environment.
    pub env: BTreeMap<String, String>,
    /// Whether it sees only the variables that `env_pass` lets through.
    pub env_clear: bool,
    /// Which variables are passed on under `env_clear`; `*` stands for any characters.
    pub env_pass: Vec<String>,
    /// How long a run may take.
    pub timeout: Duration,
    /// How long a run may be silent; for ever unless given.
    pub idle_timeout: Option<Duration>,
    /// The most that it is ever allowed to do.
    pub permissions: Permissions,
    /// Whether it runs commands in steps that write code, whatever its permissions: nobody set them, and the sandbox holds it.
    pub runs_commands: bool,
    /// Whether it runs without the user's own settings, in a state folder of the run.
    pub isolated: bool,
    /// The largest prompt in bytes, where that is less than what the CLI takes.
    pub max_prompt: Option<u64>,
    /// How often a run is repeated that failed for a passing reason.
    pub retries: u32,
    /// How it hands over files.
    pub delivers: Delivers,
}

impl AgentSettings {
    /// How long a run may take unless said otherwise.
    pub const TIMEOUT: Duration = Duration::from_mins(30);
    /// How often a run is repeated unless said otherwise.
    pub const RETRIES: u32 = 2;

    /// Returns whether `env_pass` names a variable.
    #[cfg(feature = "cli")]
    pub(crate) fn lets_through(&self, name: &str) -> bool {
        self.env_pass.iter().any(|pattern| matches(pattern, name))
    }

    /// Returns what it may do in a step.
    #[must_use]
    pub fn permissions_in(&self, step: &Step) -> Permissions {
        let raised = self.runs_commands && step.writes_code();
        let most = if raised { Permissions::Shell } else { self.permissions };
        most.in_step(step)
    }

    /// Returns whether another agent is the same vendor's. Of a program that a configuration describes nothing is known.
    pub fn shares_vendor(&self, other: &Self) -> bool {
        let is_known = !matches!(self.protocol, Protocol::Offline | Protocol::Described(_));
        is_known && self.protocol == other.protocol
    }

    /// Sets up an agent as it is by default: the program has the agent's name.
    pub fn new(name: &str, protocol: Protocol) -> Self {
        let (family, delivers) = match &protocol {
            Protocol::Claude => (Agent::Claude, Delivers::Files),
            Protocol::Gemini => (Agent::Gemini, Delivers::Files),
            Protocol::Codex => (Agent::Codex, Delivers::Files),
            Protocol::Copilot | Protocol::Offline => (Agent::Base, Delivers::Files),
            Protocol::Described(_) => (Agent::Base, Delivers::Nothing),
        };
        Self {
            name: name.to_owned(),
            protocol,
            family,
            command: vec![name.to_owned()],
            model: None,
            args: Vec::new(),
            env: BTreeMap::new(),
            env_clear: false,
            env_pass: Vec::new(),
            timeout: Self::TIMEOUT,
            idle_timeout: None,
            permissions: Permissions::default(),
            runs_commands: false,
            isolated: false,
            max_prompt: None,
            retries: Self::RETRIES,
            delivers,
        }
    }
}

/// What an agent understands on its command line and prints.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there are as many as agents are configured")]
pub enum Protocol {
    /// Claude Code.
    Claude,
    /// Gemini CLI.
    Gemini,
    /// Codex CLI.
    Codex,
    /// GitHub Copilot CLI.
    Copilot,
    /// The agent in this very binary, behind which there is no model.
    Offline,
    /// Any other program, as the configuration describes it.
    Described(Shape),
}

/// What a program prints that has no adapter of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Shape {
    /// The format of its standard output.
    pub output: Format,
    /// Where the answer is: a JSON pointer such as `/result/text`.
    pub text: Option<String>,
    /// Where an error message is; a run in which it is found has failed.
    pub error: Option<String>,
    /// Where tokens are counted.
    pub usage: UsagePointers,
    /// Which part of the answer a line of JSON lines holds.
    pub lines: Lines,
}

/// The formats of a program's standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The answer itself.
    #[default]
    Text,
    /// One JSON value.
    Json,
    /// A JSON value on each line.
    #[serde(alias = "jsonl")]
    JsonLines,
}

/// Which part of the answer a line of JSON lines holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lines {
    /// The whole of it; the last one counts.
    #[default]
    Last,
    /// A piece of it; all are joined.
    Joined,
}

/// Where a program's JSON output counts tokens; each is a JSON pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct UsagePointers {
    /// What the counts are of, where they are of a part: the id of a message.
    pub of: Option<String>,
    /// Tokens read anew.
    pub input: Option<String>,
    /// Tokens read from a cache.
    #[serde(alias = "cache_read")]
    pub cache_read: Option<String>,
    /// Tokens written to a cache.
    #[serde(alias = "cache_write")]
    pub cache_write: Option<String>,
    /// Tokens written, reasoning among them.
    pub output: Option<String>,
    /// Tokens of reasoning.
    pub reasoning: Option<String>,
    /// The cost in US dollars.
    #[serde(alias = "cost_usd")]
    pub cost_usd: Option<String>,
    /// All that was read or written: what the output leaves out of it is reasoning.
    pub total: Option<String>,
    /// Whether the input is counted with what is read from the cache and written to it.
    pub input_with_cache: bool,
}

/// What an agent is allowed to do, from least to most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Permissions {
    /// Read files.
    Read,
    /// Write files in the workspace and in the change's folder too.
    #[default]
    Write,
    /// Run commands too.
    Shell,
}

impl Permissions {
    /// Returns what an agent with these permissions may do in a step: one that only judges never writes, and only one that
    /// changes or tests code runs commands. A role hands its work in as files, whatever it does.
    #[must_use]
    pub fn in_step(self, step: &Step) -> Self {
        let runs_commands = step.writes_code() || step.judges == Some(Subject::Code);
        match (step.is_document(), step.judges, runs_commands) {
            (true, Some(_), true) if self == Self::Shell => Self::Shell,
            (true, Some(_), _) => Self::Read,
            (true, None, true) => self,
            (true, None, false) => self.min(Self::Write),
            (false, _, true) => self.max(Self::Write),
            (false, _, false) => Self::Write,
        }
    }
}

/// How an agent hands over the files it makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Delivers {
    /// It writes them itself, with its own tools.
    #[default]
    Files,
    /// It prints them in its answer, and agentd writes them into the change's folder.
    Text,
    /// It makes none: it can only challenge and review.
    Nothing,
}
