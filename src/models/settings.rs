//! What a configuration says of a project's work beyond its agents, checked.

use std::time::Duration;

use super::command::CommandLine;

/// How a change is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verify {
    /// The commands that must end well before a change is done.
    pub commands: Vec<CommandLine>,
    /// Those among the evidence that look for weaknesses; they must end well too.
    pub security: Vec<CommandLine>,
    /// How long each may take.
    pub timeout: Duration,
}

/// What a change may cost before a person is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// How often a plan is made.
    pub plan_rounds: u32,
    /// How often it is implemented.
    pub implement_rounds: u32,
    /// The most that a change may cost, in US dollars; no limit unless given.
    pub max_cost_usd: Option<f64>,
    /// The most tokens that a change may take; no limit unless given.
    pub max_tokens: Option<u64>,
}

/// What goes into prompts beside the change's own files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Whether an agent's thoughts go into the next round of the same phase.
    pub thoughts: bool,
    /// The most bytes of a change's diff.
    pub max_diff: u64,
    /// The most bytes of what the commands that verify a change print.
    pub max_evidence: u64,
}

/// How a change's worktree is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree {
    /// The commands that are run in a new one.
    pub setup: Vec<CommandLine>,
}

/// How a team brings a change on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// How a prompt reaches an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handover {
    /// The agent is told which file to read.
    #[default]
    File,
    /// The agent is sent the prompt itself.
    Stdin,
    /// The agent's own screen is in a tmux session, and the message is typed into it.
    Tmux,
}
