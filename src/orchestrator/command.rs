//! The program that a phase runs, complete, before anything is run.

use std::path::Path;

use super::agents::{AgentError, Request, adapter};
use super::caller::Orchestrator;
use crate::flow::Step;
use crate::models::agent::Permissions;
use crate::models::mcp_server::McpServer;
use crate::models::run::Invocation;

/// What is different in each run of an agent.
#[derive(Clone, Copy, Debug)]
pub struct RunContext<'a> {
    /// The change's folder.
    pub change: &'a Path,
    /// The folder for this run's own files.
    pub run_folder: &'a Path,
    /// The prompt's document.
    pub prompt: &'a str,
    /// A server of tools that the agent gets for this run.
    pub server: Option<&'a McpServer>,
}

/// The variable that names the folder in which an agent leaves its documents.
pub(crate) const OUTBOX: &str = "AGENTD_OUTBOX";

/// Adds the folder of documents to what an agent's programs find in their environment.
fn with_outbox(mut invocation: Invocation, occasion: &RunContext<'_>) -> Invocation {
    invocation.env.retain(|(name, _)| name != OUTBOX);
    invocation.env.push((OUTBOX.into(), occasion.change.into()));
    invocation
}

impl Orchestrator {
    /// Returns the program that a step would run, with its arguments, its environment and its files.
    pub fn invocation(
        &self,
        step: &Step,
        occasion: &RunContext<'_>,
    ) -> Result<Invocation, AgentError> {
        self.command_with(self.agent.permissions_in(step), occasion)
    }

    /// Returns the program to run with these permissions.
    pub(super) fn command_with(
        &self,
        permissions: Permissions,
        occasion: &RunContext<'_>,
    ) -> Result<Invocation, AgentError> {
        let request = self.request(permissions, occasion);
        adapter(&self.agent.protocol).invocation(&request).map(|made| with_outbox(made, occasion))
    }

    /// Returns the program that a person would start in a terminal, with these permissions.
    pub(super) fn interactive(
        &self,
        permissions: Permissions,
        occasion: &RunContext<'_>,
    ) -> Result<Invocation, AgentError> {
        let request = self.request(permissions, occasion);
        adapter(&self.agent.protocol).interactive(&request).map(|made| with_outbox(made, occasion))
    }

    fn request<'r>(
        &'r self,
        permissions: Permissions,
        occasion: &'r RunContext<'r>,
    ) -> Request<'r> {
        let Self { agent, place, .. } = self;
        Request {
            settings: agent,
            prompt: occasion.prompt,
            permissions,
            workspace: &place.workspace,
            extra_folder: (permissions > Permissions::Read).then_some(occasion.change),
            run_folder: occasion.run_folder,
            environment: &place.environment,
            tools: &place.tools,
            server: occasion.server,
            is_confined: place.sandbox.is_some(),
        }
    }
}
