//! A request to an agent in the making, and what would be run for it.

use std::ffi::OsString;
use std::path::Path;

use agentd::models::agent::{AgentSettings, Permissions};
use agentd::models::mcp_server::McpServer;
use agentd::models::run::Invocation;
use agentd::orchestrator::agents::{AgentError, Request, adapter};

use super::recording::protocol;

/// The folder of the run in all of these requests.
pub(super) const RUN: &str = "/shop/agentd/changes/add-login/runs/001-plan";
/// The folder of the change.
pub(super) const CHANGE: &str = "/shop/agentd/changes/add-login";

/// A request in the making.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) settings: AgentSettings,
    prompt: String,
    permissions: Permissions,
    extra_folder: Option<&'static str>,
    environment: Vec<(OsString, OsString)>,
    server: Option<McpServer>,
}

/// Asks a CLI as it is set up by default.
pub(super) fn ask(cli: &str) -> Asked {
    asking(AgentSettings::new(cli, protocol(cli)))
}

/// Asks an agent.
pub(super) fn asking(settings: AgentSettings) -> Asked {
    Asked {
        settings,
        prompt: "<prompt>\n<instructions>Add login</instructions>\n</prompt>\n".to_owned(),
        permissions: Permissions::Write,
        extra_folder: None,
        environment: Vec::new(),
        server: None,
    }
}

impl Asked {
    pub(super) fn to(mut self, permissions: Permissions) -> Self {
        self.permissions = permissions;
        self
    }

    pub(super) fn prompt(mut self, prompt: &str) -> Self {
        prompt.clone_into(&mut self.prompt);
        self
    }

    pub(super) fn extra_folder(mut self, folder: Option<&'static str>) -> Self {
        self.extra_folder = folder;
        self
    }

    pub(super) fn environment(mut self, variables: &[(&str, &str)]) -> Self {
        self.environment.extend(variables.iter().map(|(name, value)| (name.into(), value.into())));
        self
    }

    pub(super) fn server(mut self, server: &McpServer) -> Self {
        self.server = Some(server.clone());
        self
    }

    pub(super) fn set(mut self, change: impl FnOnce(&mut AgentSettings)) -> Self {
        change(&mut self.settings);
        self
    }

    pub(super) fn result(&self) -> Result<Invocation, AgentError> {
        adapter(&self.settings.protocol).invocation(&self.request())
    }

    /// Gives what would be run on a terminal of its own.
    pub(super) fn interactive(&self) -> Invocation {
        let made = adapter(&self.settings.protocol).interactive(&self.request());
        made.unwrap_or_else(|error| panic!("{}: {error}", self.settings.name))
    }

    fn request(&self) -> Request<'_> {
        Request {
            settings: &self.settings,
            prompt: &self.prompt,
            permissions: self.permissions,
            workspace: Path::new("/shop"),
            extra_folder: self.extra_folder.map(Path::new),
            run_folder: Path::new(RUN),
            environment: &self.environment,
            server: self.server.as_ref(),
            is_confined: false,
            tools: &[],
        }
    }

    pub(super) fn invocation(&self) -> Invocation {
        self.result().unwrap_or_else(|error| panic!("{}: {error}", self.settings.name))
    }

    /// Gives the program and its arguments.
    pub(super) fn command(&self) -> Vec<String> {
        let invocation = self.invocation();
        let words = std::iter::once(&invocation.program).chain(&invocation.args);
        words.map(|word| word.to_str().expect("UTF-8").to_owned()).collect()
    }

    /// Gives the environment as `NAME=value`.
    pub(super) fn variables(&self) -> Vec<String> {
        let text = |text: &OsString| text.to_str().expect("UTF-8").to_owned();
        let invocation = self.invocation();
        invocation
            .env
            .iter()
            .map(|(name, value)| format!("{}={}", text(name), text(value)))
            .collect()
    }
}
