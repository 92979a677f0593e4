//! A message to an agent that belongs to no phase: it names the file with the prompt, or is the prompt itself. Whose
//! turn it is, and what is to come of it, is known elsewhere.

use std::path::{Path, PathBuf};

use super::ask::{Ask, Work};
use super::caller::Orchestrator;
use super::error::RunError;
use super::markers::Answer;
use super::watch::Event;
use crate::models::agent::Permissions;
use crate::models::mcp_server::McpServer;
use crate::models::usage::UsageMetrics;
use crate::prompt::confined::ConfinedFolder;

/// A message to an agent, and what is kept of it.
#[derive(Clone, Copy, Debug)]
pub struct Errand<'e> {
    /// Names the run: `runs/NNN-NAME`.
    pub name: &'e str,
    /// What it is a part of, for sums over runs.
    pub part: &'e str,
    /// What the agent reads on its standard input.
    pub message: &'e str,
    /// The prompt that stands behind it, which the run's folder keeps as it is.
    pub prompt: &'e str,
    /// The file that the message names, below the change's folder; it is there whenever the message is sent.
    pub file: &'e str,
    /// The template of the prompt.
    pub template: &'e str,
    /// The hash of the template.
    pub template_hash: &'e str,
    /// The change's folder.
    pub change: &'e Path,
    /// The most that the agent may do.
    pub permissions: Permissions,
    /// The server with the tools by which it hands in its work.
    pub server: Option<&'e McpServer>,
}

/// What came of a message.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The agent's final message.
    pub text: String,
    /// What the agent needs from a person before it can go on.
    pub blocked: Option<String>,
    /// What it cost.
    pub usage: UsageMetrics,
    /// The folder of the run that answered.
    pub run: PathBuf,
}

impl Errand<'_> {
    /// The prompt's name in the run's folder.
    pub const PROMPT: &'static str = "prompt.md";

    /// Puts the prompt into its file again: what an attempt has left was taken back, and the file with it.
    pub(super) fn lay_out(&self) -> Result<(), RunError> {
        if self.file.is_empty() {
            return Ok(());
        }
        let io = |source| RunError::Io { what: "write", path: self.change.join(self.file), source };
        let folder = ConfinedFolder::open(self.change).map_err(io)?;
        let written = folder.replace(self.file, self.prompt.as_bytes());
        written.map_err(|fault| io(std::io::Error::other(fault.to_string())))
    }
}

impl Orchestrator {
    /// Sends a message, again after a while where the reason for a failure may pass, and gives the agent's answer.
    pub async fn send(&self, errand: &Errand<'_>) -> Result<Answered, RunError> {
        let (reply, run) = self.ask_patiently(&self.about(errand), errand.message).await?;
        if !reply.denied.is_empty() {
            self.watch.event(&Event::Denied { tools: &reply.denied });
        }
        let blocked = Answer::read(&reply.text).blocked();
        Ok(Answered { text: reply.text, blocked, usage: reply.usage, run })
    }

    /// Says whether an earlier run has left an answer to such a message.
    pub fn has_answer_to(&self, errand: &Errand<'_>) -> bool {
        self.about(errand).find_left_over().is_some()
    }

    pub(super) fn about<'a>(&'a self, errand: &'a Errand<'a>) -> Ask<'a> {
        Ask {
            orchestrator: self,
            work: Work::Errand(errand),
            change: errand.change,
            permissions: errand.permissions,
            left_out: &[],
        }
    }
}
