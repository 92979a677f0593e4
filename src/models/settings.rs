//! What a configuration says of a project's work beyond its agents, checked.

use std::time::Duration;

use serde::Deserialize;

use super::command::CommandLine;
use super::units;
use crate::template::words::words;

/// How a change is verified.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Verify {
    /// The commands that must end well before a change is done.
    pub commands: Vec<CommandLine>,
    /// Those among the evidence that look for weaknesses; they must end well too.
    pub security: Vec<CommandLine>,
    /// How long each may take.
    #[serde(deserialize_with = "units::read")]
    pub timeout: Duration,
    /// What happens where checks fail before the change.
    pub baseline: RedBaseline,
}

words! {
    /// What happens where checks fail before a change begins.
    #[derive(Default)]
    RedBaseline {
        /// The change stops, and a person chooses.
        #[default]
        Stop = "stop",
        /// The change must make them pass.
        Fix = "fix",
        /// They may fail afterwards too, if a person approves of that.
        Tolerate = "tolerate",
    }
}

words! {
    /// What happens where a judge is of the same vendor as whoever made what it judges.
    #[derive(Default)]
    SameVendor {
        /// A run says so.
        #[default]
        Warn = "warn",
        /// A run does not begin.
        Refuse = "refuse",
    }
}

/// What a change may cost before a person is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// How often a plan is made.
    pub plan_rounds: u32,
    /// How often it is implemented.
    pub implement_rounds: u32,
    /// The most that a change may cost, in US dollars; no limit unless given.
    pub max_cost_usd: Option<f64>,
    /// The most tokens that a change may take; no limit unless given.
    pub max_tokens: Option<u64>,
    /// The most bytes of a file that is taken from a workspace.
    pub max_file: u64,
}

/// What goes into prompts beside the change's own files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Context {
    /// Whether an agent's thoughts go into the next round of the same phase.
    pub thoughts: bool,
    /// The most bytes of a change's diff.
    pub max_diff: u64,
    /// The most bytes of what the commands that verify a change print.
    pub max_evidence: u64,
}

/// How a change's workspace is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct WorkspaceSettings {
    /// The commands that are run in a new one.
    pub setup: Vec<CommandLine>,
}

/// How a team brings a change on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Team {
    /// Whether a product manager comes before the architect.
    pub product_manager: bool,
    /// Whether one coder carries out every plan.
    pub single_coder: bool,
    /// How many coders work at once.
    pub max_parallel: u32,
    /// How often the work is reviewed before a person is asked.
    pub review_rounds: u32,
    /// How a prompt reaches an agent.
    pub delivery: Handover,
}

words! {
    /// How a prompt reaches an agent.
    #[derive(Default)]
    Handover {
        /// The agent is told which file to read.
        #[default]
        File = "file",
        /// The agent is sent the prompt itself.
        Stdin = "stdin",
        /// The agent's own screen is in a tmux session, and the message is typed into it.
        Tmux = "tmux",
    }
}
