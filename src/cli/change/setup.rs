//! Prepares what the engine needs to run a change: the trusted configuration, with an agent for each step.

use std::sync::Arc;

use super::agents::{self, Agents};
use super::vendors::refuse_shared;
use crate::cli::agent_options::AgentOptions;
use crate::cli::configuration::{self, ensure_confinable};
use crate::cli::flows::load::FoundFlow;
use crate::cli::state_dir::ensure_state_dir;
use crate::cli::trust::ensure_trusted;
use crate::cli::{Outcome, PathContext as _, ProjectContext, ensure_nameable};
use crate::config::{Config, Locations};
use crate::engine::git::{Confinement, GitError};
use crate::engine::history::History;
use crate::engine::planted::refuse_planted_in_project;
use crate::engine::repository_id;
use crate::engine::setup::Setup;
use crate::flow::{Step, StepId, StepSet};
use crate::models::sandbox::Grant;
use crate::output::redact;

/// What a change still needs.
#[derive(Clone, Copy, Default)]
pub(crate) struct Needed<'n> {
    /// The steps, which must have an agent.
    pub(super) steps: StepSet,
    /// What happened until now.
    pub(super) begun: Option<&'n History>,
}

/// Prepares everything needed to continue a change. The steps of `needed` must have an agent.
pub(crate) fn set_up(
    context: ProjectContext,
    options: &AgentOptions,
    flow: &FoundFlow,
    Needed { steps: needed, begun }: Needed<'_>,
) -> Outcome<Setup> {
    let root = &context.project.root;
    ensure_nameable(root)?;
    if let Err((path, error)) = refuse_planted_in_project(root, &flow.flow) {
        return Err(error).or_fail("cannot use", &path);
    }
    let (config, locations) = context.configured(options.overrides())?;
    ensure_trusted(&config, &locations.root)?;
    let agents = agents::choose(&config, &options.by_slot(&flow.flow)?, &flow.flow, needed)?;
    let of_needed = |(id, step): (StepId, &Step)| {
        needed.contains(id).then(|| agents.settings.get(step.slot.as_ref())).flatten()
    };
    refuse_shared(&config, &flow.flow, (&agents.settings, needed), begun)?;
    options.ensure_priced(&config, flow.flow.numbered().filter_map(of_needed))?;
    ensure_workspaces(&context)?;
    ensure_confinable(&config)?;
    assemble(context, options, (config, &locations), flow, agents)
}

/// Prepares what is needed to show what would be sent. Nothing is run or written, so neither trust nor an installed
/// agent is needed.
pub(crate) fn set_up_to_look(
    context: ProjectContext,
    options: &AgentOptions,
    flow: &FoundFlow,
) -> Outcome<Setup> {
    let (config, locations) = context.configured(options.overrides())?;
    let agents = agents::prefer(&config, &options.by_slot(&flow.flow)?, &flow.flow)?;
    assemble(context, options, (config, &locations), flow, agents)
}

/// Creates the folder of agentd's state, unless workspaces in it would be inside the repository, and records which
/// repository they belong to.
fn ensure_workspaces(context: &ProjectContext) -> Outcome {
    let (path, project) = (context.workspaces()?, &context.project);
    if path.starts_with(&project.root) {
        return Err(GitError::Inside { path, root: project.root.clone() }.into());
    }
    let claimed = repository_id::claim(&project.state, &ensure_state_dir()?);
    claimed.or_fail("cannot use the record of workspaces in", &project.state)?;
    Ok(())
}

fn assemble(
    context: ProjectContext,
    options: &AgentOptions,
    (config, locations): (Config, &Locations),
    flow: &FoundFlow,
    Agents { settings: agents, reasons }: Agents,
) -> Outcome<Setup> {
    redact::add_agents(agents.values());
    let hidden = locations.user.iter().cloned().chain([context.project.state.clone()]);
    let sandbox = configuration::sandbox(&config, hidden.collect())?;
    let confinement = sandbox.as_ref().map(|sandbox| {
        let Grant { write, hidden, .. } = sandbox.for_agent(Vec::new(), &[]);
        Confinement { write, hidden }
    });
    Ok(Setup {
        workspaces: context.workspaces()?,
        project: context.project,
        repository: context
            .repository
            .confined_by(confinement)
            .with_largest_file(config.limits.max_file),
        guard: locations.executable.clone(),
        environment: configuration::environment(),
        agents,
        reasons,
        templates: Arc::clone(&flow.templates),
        limits: options.limits(&config),
        team: config.team,
        prices: config.prices,
        verify: config.verify,
        context: config.context,
        workspace: config.workspace,
        sandbox: sandbox.map(Arc::new),
    })
}
