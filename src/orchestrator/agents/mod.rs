//! The agents: one file for each CLI that we know, one for those that a configuration describes. Each is pure:
//! a request becomes an invocation, and what the program printed becomes a reply or an error.

mod arguments;
mod call;
mod claude;
mod codex;
mod copilot;
mod described;
mod environment;
mod error;
mod failure;
mod gathered;
mod gemini;
pub mod install;
mod json;
mod progress;
mod size;

use std::ffi::OsString;
use std::path::Path;

use crate::models::agent::{AgentSettings, Permissions, Protocol};
use crate::models::mcp_server::McpServer;
use crate::models::run::Invocation;
use crate::models::usage::UsageMetrics;

pub use arguments::check;
pub use error::AgentError;

/// The file in a run's folder that an agent is asked to write its own report to, where it can.
pub const REPORT: &str = "report.json";

/// Gives the adapter for what an agent understands and prints.
pub fn adapter(protocol: &Protocol) -> &'static dyn Adapter {
    match protocol {
        Protocol::Claude => &claude::Claude,
        Protocol::Gemini => &gemini::Gemini,
        Protocol::Codex => &codex::Codex,
        Protocol::Copilot => &copilot::Copilot,
        Protocol::Offline | Protocol::Described(_) => &described::Described,
    }
}

/// What an adapter needs to know to put an invocation together.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// How the agent is set up.
    pub settings: &'a AgentSettings,
    /// The prompt's document.
    pub prompt: &'a str,
    /// What the agent may do in this run.
    pub permissions: Permissions,
    /// The folder that the agent runs in.
    pub workspace: &'a Path,
    /// A folder outside the workspace that the agent may write to as well.
    pub extra_folder: Option<&'a Path>,
    /// A folder for this run's own files.
    pub run_folder: &'a Path,
    /// The environment that agentd itself runs in.
    pub environment: &'a [(OsString, OsString)],
    /// A server of tools that the agent gets for this run, all of which it may use.
    pub server: Option<&'a McpServer>,
}

/// A question on an agent's screen, known by what it shows; Enter confirms what is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialog(&'static [&'static str]);

impl Dialog {
    /// Says whether a screen shows it.
    pub fn is_on(&self, screen: &str) -> bool {
        self.0.iter().all(|words| screen.contains(words))
    }
}

/// One CLI: how it is called and what it prints.
pub trait Adapter: Sync {
    /// Puts the invocation together, or says why the agent cannot take this prompt.
    fn invocation(&self, request: &Request<'_>) -> Result<Invocation, AgentError>;

    /// Puts together what a person would start in a terminal, with the same leave and environment; the prompt is not used.
    fn interactive(&self, request: &Request<'_>) -> Result<Invocation, AgentError>;

    /// Lists the questions that the screen of this agent may ask and that are confirmed for the user: what is chosen on
    /// them gives the agent no more leave than it has, and is remembered nowhere.
    fn dialogs(&self, _: Permissions) -> &'static [Dialog] {
        &[]
    }

    /// Starts reading a run of this agent.
    fn transcript(&self, settings: &AgentSettings) -> Box<dyn Transcript>;
}

/// Reads what an agent prints, as it prints it.
pub trait Transcript: Send {
    /// Takes the next line of standard output, without its line break; gives what there is to show of it.
    fn line(&mut self, line: &str) -> Option<Progress>;

    /// Gives the reply or says why there is none, once the program has exited.
    fn finish(&mut self, exit: &Exit<'_>) -> Result<Reply, AgentError>;

    /// Gives what was used as far as it was told until now, also where no reply comes of it; `report` is what is in the
    /// run's [`REPORT`].
    fn usage(&self, report: Option<&str>) -> Option<UsageMetrics>;
}

/// A sign of life, for people who watch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// What the agent does or says, in a few words of its own.
    pub activity: String,
    /// How many tokens it has written so far, where it tells.
    pub output_tokens: Option<u64>,
}

/// How an agent's program exited.
#[derive(Clone, Copy, Debug)]
pub struct Exit<'a> {
    /// Its exit code.
    pub code: i32,
    /// The end of what it printed on standard error.
    pub stderr: &'a str,
    /// What is in the run's [`REPORT`], if the agent wrote one.
    pub report: Option<&'a str>,
}

/// An agent's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The final message.
    pub text: String,
    /// What it cost; the duration is not known here.
    pub usage: UsageMetrics,
    /// The model that answered, where the agent tells.
    pub model: Option<String>,
    /// The tools that the agent wanted to use and was not allowed to.
    pub denied: Vec<String>,
}
