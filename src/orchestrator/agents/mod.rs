//! The agents: a folder for each CLI that we know, one for those that a configuration describes. What a CLI is like stands in
//! its file of facts; the code beside it is pure: a request becomes an invocation, and what the program printed becomes a
//! reply or an error.

mod bounded_text;
mod call;
mod claude;
mod codex;
mod copilot;
mod environment;
mod error;
mod events;
mod facts;
mod failure;
mod gemini;
pub mod install;
mod json;
mod progress;
mod prompt_limit;
mod refusal;
mod transcript;

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use call::{Call, Mode};
use events::Printed;
use facts::Facts;

use crate::models::agent::{AgentSettings, Permissions, Protocol};
use crate::models::mcp_server::McpServer;
use crate::models::run::{Invocation, OWN};
use crate::models::usage::UsageMetrics;

pub use environment::belongs_to_agents;
pub use error::AgentError;
pub use refusal::check;
pub use transcript::Transcript;

/// The file in a run's folder that an agent is asked to write its own report to, where it can.
pub const REPORT: &str = "own/report.json";

/// Returns the model by whose price a call is counted, where neither the CLI nor the configuration names one.
pub(super) fn assumed_model(protocol: &Protocol) -> Option<&'static str> {
    Facts::of(protocol).call.assumed_model.as_deref()
}

/// One CLI: how it is called and what it prints.
#[derive(Clone, Copy)]
pub struct Adapter {
    facts: &'static Facts,
    cli: &'static dyn Cli,
}

/// What a CLI needs beside its facts.
trait Cli: Sync {
    /// Returns a prompt as the CLI must be given it.
    fn stdin(&self, prompt: &str) -> String {
        prompt.to_owned()
    }

    /// Adds what no fact says to a command line.
    fn complete(&self, request: &Request<'_>, call: &mut Call);

    /// Returns why a run failed, by the message of its error if it told one, where that is not told as others do.
    fn failure(&self, _message: Option<&str>, _exit: &Exit<'_>) -> Option<AgentError> {
        None
    }
}

/// Any other program, as a configuration describes it, and agentd's own offline agent.
struct Other;

impl Cli for Other {
    fn complete(&self, _: &Request<'_>, _: &mut Call) {}
}

/// Returns the adapter for what an agent understands and prints.
pub fn adapter(protocol: &Protocol) -> Adapter {
    let cli: &dyn Cli = match protocol {
        Protocol::Claude => &claude::Claude,
        Protocol::Gemini => &gemini::Gemini,
        Protocol::Codex => &codex::Codex,
        Protocol::Copilot => &copilot::Copilot,
        Protocol::Offline | Protocol::Described(_) => &Other,
    };
    Adapter { facts: Facts::of(protocol), cli }
}

impl Adapter {
    /// Puts the invocation together, or says why the agent cannot take this prompt.
    pub fn invocation(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        check(request.settings)?;
        let stdin = self.cli.stdin(request.prompt);
        prompt_limit::check(request, self.facts, &stdin)?;
        self.call(request, Mode::Headless, stdin)
    }

    /// Puts together what a person would start in a terminal, with the same leave and environment; the prompt is not used.
    pub fn interactive(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        check(request.settings)?;
        self.call(request, Mode::Interactive, String::new())
    }

    fn call(
        &self,
        request: &Request<'_>,
        mode: Mode,
        stdin: String,
    ) -> Result<Invocation, AgentError> {
        let mut call = Call::begin(request, mode, self.facts)?;
        self.cli.complete(request, &mut call);
        Ok(call.invocation(stdin))
    }

    /// Lists the questions that the screen of this agent may ask and that are confirmed for the user: what is chosen on
    /// them gives the agent no more leave than it has, and is remembered nowhere.
    pub fn dialogs(&self, level: Permissions) -> Vec<&'static Dialog> {
        let call = &self.facts.call;
        call.dialogs.iter().chain(&call.level(level).dialogs).collect()
    }

    /// Lists where it keeps its state; a path that begins with `~/` lies in the user's home.
    pub fn state(&self) -> &'static [String] {
        &self.facts.state
    }

    /// Lists where other CLIs keep theirs.
    pub fn state_of_others(&self) -> Vec<String> {
        let others = Facts::all().filter(|other| other.program != self.facts.program);
        others.flat_map(|other| other.state.iter().cloned()).collect()
    }

    /// Returns the variable that names the folder of its state.
    pub fn home(&self) -> Option<&'static str> {
        self.facts.call.home.as_deref()
    }

    /// Starts reading a run of this agent.
    pub fn transcript(&self, settings: &AgentSettings) -> Transcript {
        let printed = match &settings.protocol {
            Protocol::Described(shape) => Cow::Owned(Printed::described(shape)),
            Protocol::Claude
            | Protocol::Gemini
            | Protocol::Codex
            | Protocol::Copilot
            | Protocol::Offline => Cow::Borrowed(&self.facts.printed),
        };
        Transcript::new(self.cli, printed)
    }
}

/// Lists where the CLIs that are known keep their state.
pub fn state_of_all() -> Vec<String> {
    Facts::all().flat_map(|facts| facts.state.iter().cloned()).collect()
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
    /// Variables that say where tools keep what they fetch and build.
    pub tools: &'a [(OsString, OsString)],
    /// A server of tools that the agent gets for this run, all of which it may use.
    pub server: Option<&'a McpServer>,
    /// Whether agentd's sandbox confines the agent.
    pub is_confined: bool,
}

impl Request<'_> {
    /// Returns whether the project may bring commands of its own, such as hooks: only where somebody has allowed commands.
    fn admits_project(&self) -> bool {
        self.permissions == Permissions::Shell && !self.settings.runs_commands
    }

    /// Returns the place of a file that the agent finds in the run's folder, or leaves there.
    fn own(&self, path: impl AsRef<Path>) -> PathBuf {
        self.run_folder.join(OWN).join(path)
    }
}

/// A question on an agent's screen, known by what it shows; Enter confirms what is chosen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Dialog(Vec<String>);

impl Dialog {
    /// Returns whether a screen shows it.
    pub fn is_on(&self, screen: &str) -> bool {
        self.0.iter().all(|words| screen.contains(words))
    }
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
