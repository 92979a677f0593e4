//! A message to an agent that belongs to no phase: it names the file with the prompt, or is the prompt itself. Whose
//! turn it is, and what is to come of it, is known elsewhere.

use std::path::Path;

use super::call::Call;
use super::caller::Orchestrator;
use super::error::RunError;
use super::markers::Answer;
use super::phase::PhaseOutcome;
use super::watch::Event;
use crate::models::agent::Permissions;
use crate::models::mcp_server::McpServer;
use crate::prompt::confined::ConfinedFolder;

/// A message to an agent, and what is kept of it.
#[derive(Clone, Copy, Debug)]
pub struct AgentMessage<'e> {
    /// Names the run: `runs/NNN-NAME`.
    pub name: &'e str,
    /// What it is a part of, for sums over runs.
    pub part: &'e str,
    /// What the agent reads on its standard input.
    pub text: &'e str,
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

impl AgentMessage<'_> {
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
    pub async fn send(&self, message: &AgentMessage<'_>) -> Result<PhaseOutcome, RunError> {
        let (reply, run) = self.call_patiently(&self.about(message), message.text).await?;
        if !reply.denied.is_empty() {
            self.watch.event(&Event::Denied { tools: &reply.denied });
        }
        let blocked = Answer::read(&reply.text).blocked();
        let (text, usage) = (reply.text, reply.usage);
        Ok(PhaseOutcome { text, blocked, usage, run, ..PhaseOutcome::default() })
    }

    /// Returns whether an earlier run has left an answer to such a message.
    pub fn has_answer_to(&self, message: &AgentMessage<'_>) -> bool {
        self.about(message).find_left_over().is_some()
    }

    pub(super) fn about<'a>(&'a self, message: &'a AgentMessage<'a>) -> Call<'a> {
        Call {
            orchestrator: self,
            name: message.name.to_owned(),
            part: message.part,
            change: message.change,
            permissions: message.permissions,
            template: (message.template.to_owned(), message.template_hash.to_owned()),
            left_out: &[],
            step: None,
            message: Some(message),
        }
    }
}
