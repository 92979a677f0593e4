//! What is known of one call of an agent, `meta.json` in the run's folder: for logs and sums.

use serde::{Deserialize, Serialize};

use super::usage::UsageMetrics;

/// What is known of one call of an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunMeta {
    /// The version of this record.
    pub version: u32,
    /// The phase.
    pub phase: String,
    /// The agent.
    pub agent: String,
    /// The model that answered, else the one that was asked for.
    pub model: Option<String>,
    /// The template of the system prompt.
    pub template: String,
    /// Its hash.
    pub template_hash: String,
    /// The size of the prompt.
    pub prompt_bytes: usize,
    /// Its hash.
    pub prompt_sha256: String,
    /// What did not fit into it, by name.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// When it was sent, in milliseconds since 1970.
    pub started_ms: u64,
    /// What it cost; none without an answer.
    pub usage: Option<UsageMetrics>,
    /// The verdict of the answer, where the phase asks for one and it has one.
    pub verdict: Option<String>,
    /// The tools that the agent wanted to use and was not allowed to.
    #[serde(default)]
    pub denied: Vec<String>,
    /// Why there is no answer.
    pub error: Option<String>,
}

impl RunMeta {
    /// The version that is written.
    pub const VERSION: u32 = 1;
    /// The file's name in the run's folder.
    pub const FILE: &'static str = "meta.json";
}
