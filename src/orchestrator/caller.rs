//! Who asks agents: with which agent, where, with what, and who is told of it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::budget::Budget;
use super::prompts::materials::Supplied;
use super::watch::{Unwatched, Watch};
use crate::models::agent::AgentSettings;
use crate::models::sandbox::Sandbox;
use crate::models::usage::Price;
use crate::process::Cancel;
use crate::template::OwnTemplate;

/// The first pause before an agent is asked again; each further one is four times as long.
const FIRST_PAUSE: Duration = Duration::from_secs(5);

/// Runs phases with one agent on one project.
#[derive(Clone)]
pub struct Orchestrator {
    pub(super) agent: AgentSettings,
    pub(super) place: Place,
    pub(super) prices: BTreeMap<String, Price>,
    pub(super) watch: Arc<dyn Watch>,
    pub(super) cancel: Cancel,
    /// What may still be spent.
    pub(super) budget: Arc<Budget>,
    /// What the context holds beside the change's files.
    pub(super) supplied: Vec<Supplied>,
    /// The templates of a project's own flow.
    pub(super) templates: Arc<[OwnTemplate]>,
    /// Runs that ended before agentd could make use of them, in order.
    pub(super) earlier: Vec<PathBuf>,
    pub(super) first_pause: Duration,
}

/// Where an orchestrator works, and with what.
#[derive(Clone, Debug)]
pub struct Place {
    /// The root of the user's project.
    pub project: PathBuf,
    /// The folder that agents work in: the project, or a workspace of it.
    pub workspace: PathBuf,
    /// The folder of all changes.
    pub changes: PathBuf,
    /// The folder that prompts name in its place, where a copy is read.
    pub named_changes: Option<PathBuf>,
    /// The folder of the state of all changes, in which runs are kept; without one, each change keeps its own.
    pub state: Option<PathBuf>,
    /// The agentd binary, which guards every agent.
    pub guard: PathBuf,
    /// The environment that agents get, but for what they must not see.
    pub environment: Vec<(OsString, OsString)>,
    /// More of it, which says where tools keep what they fetch and build.
    pub tools: Vec<(OsString, OsString)>,
    /// What confines agents, unless nothing does.
    pub sandbox: Option<Arc<Sandbox>>,
    /// The folder of what agents' tools keep for another run, if there is one.
    pub caches: Option<PathBuf>,
    /// The folder of what the project's setup fetches, if it does.
    pub fetched: Option<PathBuf>,
}

impl Place {
    /// Works in the project itself.
    pub fn new(project: impl Into<PathBuf>, guard: impl Into<PathBuf>) -> Self {
        let project = project.into();
        let (workspace, changes) = (project.clone(), project.join("agentd/changes"));
        Self {
            project,
            workspace,
            changes,
            named_changes: None,
            state: None,
            guard: guard.into(),
            environment: Vec::new(),
            tools: Vec::new(),
            sandbox: None,
            caches: None,
            fetched: None,
        }
    }

    /// Returns the folder in which the runs of a change are kept, given the folder of its documents.
    pub fn runs_of(&self, change: &Path) -> PathBuf {
        match (&self.state, change.file_name()) {
            (Some(state), Some(id)) => state.join(id),
            _ => change.to_owned(),
        }
    }

    /// Returns the folder of all changes as prompts name it.
    pub(super) fn named_changes(&self) -> &Path {
        self.named_changes.as_deref().unwrap_or(&self.changes)
    }
}

impl Orchestrator {
    /// Runs phases with an agent.
    pub fn new(agent: AgentSettings, place: Place) -> Self {
        Self {
            agent,
            place,
            prices: BTreeMap::new(),
            watch: Arc::new(Unwatched),
            cancel: Cancel::never(),
            budget: Arc::default(),
            supplied: Vec::new(),
            templates: Arc::default(),
            earlier: Vec::new(),
            first_pause: FIRST_PAUSE,
        }
    }

    /// Returns where it works, and with what.
    pub(crate) const fn place(&self) -> &Place {
        &self.place
    }

    /// Uses prices for models whose agents do not tell what they cost.
    #[must_use]
    pub fn with_prices(mut self, prices: BTreeMap<String, Price>) -> Self {
        self.prices = prices;
        self
    }

    /// Tells someone what happens.
    #[must_use]
    pub fn with_watch(mut self, watch: Arc<dyn Watch>) -> Self {
        self.watch = watch;
        self
    }

    /// Ends the agent when told to.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Spends no more than is allowed.
    #[must_use]
    pub fn with_budget(mut self, budget: Arc<Budget>) -> Self {
        self.budget = budget;
        self
    }

    /// Changes the pause before an agent is asked again.
    #[must_use]
    pub fn with_first_pause(mut self, pause: Duration) -> Self {
        self.first_pause = pause;
        self
    }

    /// Puts more into the context than the change's own files.
    #[must_use]
    pub fn with_supplied(mut self, supplied: Vec<Supplied>) -> Self {
        self.supplied = supplied;
        self
    }

    /// Uses the templates of a project's own flow.
    #[must_use]
    pub fn with_templates(mut self, templates: Arc<[OwnTemplate]>) -> Self {
        self.templates = templates;
        self
    }

    /// Makes use of runs that ended while agentd was gone, rather than asking the same again.
    #[must_use]
    pub fn with_earlier(mut self, runs: Vec<PathBuf>) -> Self {
        self.earlier = runs;
        self
    }
}
