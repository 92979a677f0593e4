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
pub struct Occasion<'a> {
    /// The change's folder.
    pub change: &'a Path,
    /// The folder for this run's own files.
    pub run_folder: &'a Path,
    /// The prompt's document.
    pub prompt: &'a str,
    /// A server of tools that the agent gets for this run.
    pub server: Option<&'a McpServer>,
}

impl Orchestrator {
    /// Returns the program that a step would run, with its arguments, its environment and its files.
    pub fn invocation(
        &self,
        step: &Step,
        occasion: &Occasion<'_>,
    ) -> Result<Invocation, AgentError> {
        self.permitted(self.agent.permissions.in_step(step), occasion)
    }

    /// Gives the program to run with these permissions.
    pub(super) fn permitted(
        &self,
        permissions: Permissions,
        occasion: &Occasion<'_>,
    ) -> Result<Invocation, AgentError> {
        adapter(&self.agent.protocol).invocation(&self.request(permissions, occasion))
    }

    /// Gives the program that a person would start in a terminal, with these permissions.
    pub(super) fn interactive(
        &self,
        permissions: Permissions,
        occasion: &Occasion<'_>,
    ) -> Result<Invocation, AgentError> {
        adapter(&self.agent.protocol).interactive(&self.request(permissions, occasion))
    }

    fn request<'r>(&'r self, permissions: Permissions, occasion: &'r Occasion<'r>) -> Request<'r> {
        let Self { agent, place, .. } = self;
        Request {
            settings: agent,
            prompt: occasion.prompt,
            permissions,
            workspace: &place.workspace,
            extra_folder: (permissions > Permissions::Read).then_some(occasion.change),
            run_folder: occasion.run_folder,
            environment: &place.environment,
            server: occasion.server,
        }
    }
}
