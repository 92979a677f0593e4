//! Sets up what the commands about changes need: the project and its repository, and for those that run something the
//! configuration, trusted, with an agent for each phase.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::super::configuration;
use super::super::failure::{Failure, Kind, Outcome};
use super::super::state_folder::{made_state_folder, state_folder};
use super::super::trust::ensure_trusted;
use super::agents;
use super::flow::ChosenFlow;
use crate::config::{Config, Locations, Override};
use crate::engine::change::{Change, ChangeError};
use crate::engine::git::{Git, GitError, Repository};
use crate::engine::planted::refuse_planted_in_project;
use crate::engine::project::{Project, Whereabouts};
use crate::engine::setup::Setup;
use crate::files::own;
use crate::flow::{ConfiguredLimit, Flow, Limit, Step, StepId, StepSet};
use crate::models::agent::AgentSettings;
use crate::models::change::ChangeId;
use crate::models::hash::Hash;
use crate::output::secrets;
use crate::template::{OwnTemplate, Phase, Role};

/// The options of commands that run agents.
#[derive(Clone, Debug, Default, Args)]
pub(in super::super) struct AgentOptions {
    /// The agent of a step (`plan=claude`, `coder=claude`), or of all (`claude`). May be given more than once.
    #[arg(long = "agent", value_name = "[STEP=]NAME")]
    pub(super) agents: Vec<String>,
    /// Stop when the change has cost so many US dollars.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub(super) max_cost: Option<f64>,
    /// Stop when the change has used so many tokens.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_tokens: Option<u64>,
}

impl AgentOptions {
    /// Has an agent do one step; without one, whom the configuration names.
    pub(in super::super) fn of_step(step: &str, agent: Option<&str>) -> Self {
        let agents = agent.map(|agent| format!("{step}={agent}")).into_iter().collect();
        Self { agents, ..Self::default() }
    }
}

fn dollars(word: &str) -> Result<f64, String> {
    let amount = word.parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount > 0.0);
    amount.ok_or_else(|| "it is a number of US dollars above 0, such as 2.50".to_owned())
}

/// The project in the current folder, for commands that only look.
pub(in super::super) struct Room {
    pub(in super::super) project: Project,
    pub(super) repository: Repository,
}

impl Room {
    /// Finds the project that the current folder is in. One whose folders are links is refused: agentd writes there.
    pub(in super::super) fn find() -> Outcome<Self> {
        let room = Self::look()?;
        refuse_links(&room.project)?;
        Ok(room)
    }

    /// Finds the project that the current folder is in, for those who only read beside its changes.
    pub(in super::super) fn look() -> Outcome<Self> {
        let here = env::current_dir().map_err(|error| {
            Failure::new(Kind::Io, format!("cannot find out the current folder: {error}"))
        })?;
        let git = Git::new(configuration::environment());
        let repository = Repository::find(&here, &git)?;
        // Links that lead to a project are its user's own. Below its root none is followed.
        let root = own::root(repository.root())
            .map_err(|error| Failure::io("cannot find", repository.root(), &error))?;
        Ok(Self { project: Project::at(root), repository })
    }

    /// Finds the folder of a change, wherever it is.
    pub(in super::super) fn folder(&self, id: &ChangeId) -> Outcome<PathBuf> {
        match self.whereabouts(id)? {
            Whereabouts::Open(path) | Whereabouts::Archived(path) => Ok(path),
            Whereabouts::Nowhere => Err(no_such_change(id)),
        }
    }

    pub(in super::super) fn whereabouts(&self, id: &ChangeId) -> Outcome<Whereabouts> {
        refuse_link(&self.project.change(id))?;
        let archive = self.project.archive();
        self.project.find(id).map_err(|error| Failure::io("cannot read", &archive, &error))
    }

    /// Returns how many rounds a limit of a flow allows. A configuration that cannot be read sets no limit here: whoever runs
    /// something learns of it.
    pub(in super::super) fn rounds(&self, limit: Limit) -> u32 {
        let config = configured(self, &AgentOptions::default());
        match (limit, config) {
            (Limit::Fixed(rounds), _) => rounds,
            (Limit::Configured(_), Err(_)) => u32::MAX,
            (Limit::Configured(ConfiguredLimit::Plan), Ok((config, _))) => {
                config.limits.plan_rounds
            }
            (Limit::Configured(ConfiguredLimit::Implement), Ok((config, _))) => {
                config.limits.implement_rounds
            }
            (Limit::Configured(ConfiguredLimit::Review), Ok((config, _))) => {
                config.team.review_rounds
            }
        }
    }

    /// Reads the configuration in force.
    pub(super) fn config(&self) -> Outcome<Config> {
        configured(self, &AgentOptions::default()).map(|(config, _)| config)
    }

    /// Holds a change that is being worked on.
    pub(super) fn hold(&self, id: &ChangeId) -> Outcome<Change> {
        match self.whereabouts(id)? {
            Whereabouts::Open(path) => Ok(Change::hold(id, &path)?),
            Whereabouts::Archived(path) => Err(archived(id, &path)),
            Whereabouts::Nowhere => Err(no_such_change(id)),
        }
    }
}

/// Finds the folder of a change also where nothing has happened in it yet but that somebody made it.
pub(in super::super) fn change_folder(room: &Room, id: &ChangeId) -> Outcome<PathBuf> {
    let folder = room.project.change(id);
    refuse_link(&folder)?;
    if folder.is_dir() { Ok(folder) } else { room.folder(id) }
}

/// Refuses a project in which a link stands in the place of a folder that agentd writes to.
pub(in super::super) fn refuse_links(project: &Project) -> Outcome {
    project.link().map_or(Ok(()), |link| Err(Failure::link(&link)))
}

/// Refuses a link in the place of a folder.
pub(in super::super) fn refuse_link(folder: &Path) -> Outcome {
    if folder.is_symlink() { Err(Failure::link(folder)) } else { Ok(()) }
}

pub(super) fn no_such_change(id: &ChangeId) -> Failure {
    Failure::new(Kind::Precondition, format!("there is no change `{id}` here"))
        .help(format!("`agentd list` shows the changes; `agentd run {id} \"…\"` begins one"))
}

pub(super) fn archived(id: &ChangeId, path: &Path) -> Failure {
    ChangeError::Archived { id: id.clone(), folder: path.to_owned() }.into()
}

/// Sets up all that is needed to go on with a change. The steps of `needed` must have an agent.
pub(super) fn set_up(
    room: Room,
    options: &AgentOptions,
    flow: &ChosenFlow,
    needed: StepSet,
) -> Outcome<Setup> {
    let (config, locations) = trusted(&room, options, &flow.flow)?;
    let named = named_in(options, &flow.flow)?;
    let agents = agents::choose(&config, &named, &flow.flow, needed)?;
    let of_needed = |(id, step): (StepId, &Step)| {
        needed.contains(id).then(|| agents.get(step.slot.as_ref())).flatten()
    };
    let in_use = flow.flow.numbered().filter_map(of_needed);
    refuse_unpriced(options, &config, in_use)?;
    let state = state_beside(&room)?;
    let templates = Arc::clone(&flow.templates);
    Ok(assembled(room, options, config, &state, locations.executable, (agents, templates)))
}

/// Makes the folder of agentd's state, unless worktrees in it would be inside of the repository.
fn state_beside(room: &Room) -> Outcome<PathBuf> {
    let (path, root) = (worktrees_of(&room.project)?, &room.project.root);
    if path.starts_with(root) {
        return Err(GitError::Inside { path, root: root.clone() }.into());
    }
    made_state_folder()
}

/// Sets up what is needed to show what would be sent. Nothing is run, so that neither trust nor an installed agent is
/// needed, and nothing is written.
pub(in super::super) fn set_up_to_look(
    room: Room,
    options: &AgentOptions,
    flow: &ChosenFlow,
) -> Outcome<Setup> {
    let (config, locations) = configured(&room, options)?;
    let agents = agents::prefer(&config, &named_in(options, &flow.flow)?, &flow.flow)?;
    let state = state_folder()?;
    let templates = Arc::clone(&flow.templates);
    Ok(assembled(room, options, config, &state, locations.executable, (agents, templates)))
}

/// Reads the configuration for commands that run agents. A project that holds what agentd does not open is refused.
fn trusted(room: &Room, options: &AgentOptions, flow: &Flow) -> Outcome<(Config, Locations)> {
    refuse_unnameable(&room.project.root)?;
    refuse_planted_in_project(&room.project.root, flow)
        .map_err(|(path, error)| Failure::io("cannot use", &path, &error))?;
    let (config, locations) = configured(room, options)?;
    ensure_trusted(&config, &locations.root)?;
    Ok((config, locations))
}

/// Refuses a folder that no prompt can name: told another name, an agent would write its files somewhere else.
pub(in super::super) fn refuse_unnameable(folder: &Path) -> Outcome {
    if folder.to_str().is_some() {
        return Ok(());
    }
    let message =
        format!("the path `{}` cannot stand in a prompt: it is not UTF-8", folder.display());
    Err(Failure::new(Kind::Precondition, message)
        .help("move the project to a folder with a plain name"))
}

fn configured(room: &Room, options: &AgentOptions) -> Outcome<(Config, Locations)> {
    let root = room.project.root.clone();
    let locations = Locations { root, ..configuration::locations()? };
    let config = configuration::read(&locations, overrides(options))?;
    Ok((config, locations))
}

fn assembled(
    room: Room,
    options: &AgentOptions,
    config: Config,
    state: &Path,
    guard: PathBuf,
    (agents, templates): (BTreeMap<String, AgentSettings>, Arc<[OwnTemplate]>),
) -> Setup {
    secrets::add_agents(agents.values());
    let Room { project, repository } = room;
    let mut limits = config.limits;
    limits.max_cost_usd = options.max_cost.or(limits.max_cost_usd);
    limits.max_tokens = options.max_tokens.or(limits.max_tokens);
    Setup {
        worktrees: worktrees(state, &project.root),
        project,
        repository,
        guard,
        environment: configuration::environment(),
        agents,
        templates,
        team: config.team,
        prices: config.prices,
        verify: config.verify,
        limits,
        context: config.context,
        worktree: config.worktree,
    }
}

/// Gives the folder of a project's worktrees: named for the project, and for the place where it is.
pub(super) fn worktrees(state: &Path, root: &Path) -> PathBuf {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let hash = Hash::of(root.as_os_str().as_encoded_bytes());
    state.join("worktrees").join(format!("{name}-{}", &hash.as_str()[..12]))
}

/// Gives where the worktrees of a project are, without making anything.
pub(super) fn worktrees_of(project: &Project) -> Outcome<PathBuf> {
    Ok(worktrees(&state_folder()?, &project.root))
}

/// Makes settings of `--agent`, but for slots that only a flow knows.
fn overrides(options: &AgentOptions) -> Vec<Override> {
    let mut overrides = Vec::new();
    for word in &options.agents {
        let (tasks, agent) = if let Some((task, agent)) = word.split_once('=') {
            (known_task(task).into_iter().collect::<Vec<_>>(), agent)
        } else {
            let phases = Phase::WORDS.iter().map(|word| ["phases", *word]);
            let roles = Role::WORDS.iter().map(|word| ["roles", *word]);
            (phases.chain(roles).collect(), word.as_str())
        };
        overrides.extend(tasks.iter().map(|path| Override::flag("--agent", path, agent)));
    }
    overrides
}

/// Finds the setting that names the agent of a phase or a role.
fn known_task(word: &str) -> Option<[&'static str; 2]> {
    let phase = Phase::from_word(word).map(|phase| ["phases", phase.word()]);
    phase.or_else(|| Role::from_word(word).map(|role| ["roles", role.word()]))
}

/// Lists the agents that `--agent` names for slots that only this flow knows.
fn named_in(options: &AgentOptions, flow: &Flow) -> Outcome<BTreeMap<String, String>> {
    let mut named = BTreeMap::new();
    for word in &options.agents {
        let Some((task, agent)) = word.split_once('=') else { continue };
        if known_task(task).is_some() {
            continue;
        }
        let step = flow.steps.iter().find(|step| step.slot == task || step.name == task);
        let Some(step) = step else {
            let slots: Vec<_> = flow.steps.iter().filter(|step| step.prompt.is_some()).collect();
            let slots: Vec<_> = slots.iter().map(|step| step.slot.as_ref()).collect();
            let message = format!("`{task}` in `--agent {word}` is no phase, no role and no step");
            return Err(Failure::new(Kind::Usage, message).help(format!(
                "in the flow `{}` these are {}",
                flow.name,
                slots.join(", ")
            )));
        };
        named.insert(step.slot.to_string(), agent.to_owned());
    }
    Ok(named)
}

/// A limit on the cost means nothing where the cost of a model is not known.
fn refuse_unpriced<'a>(
    options: &AgentOptions,
    config: &Config,
    agents: impl Iterator<Item = &'a AgentSettings>,
) -> Outcome {
    use crate::models::agent::Protocol;
    if options.max_cost.or(config.limits.max_cost_usd).is_none() {
        return Ok(());
    }
    for agent in agents {
        let tells = matches!(agent.protocol, Protocol::Claude | Protocol::Offline);
        let model = agent.model.as_deref();
        if tells || model.is_some_and(|model| config.prices.contains_key(model)) {
            continue;
        }
        let model = model.unwrap_or("of its own choice");
        let message =
            format!("agent `{}` uses the model {model}, whose price is not known", agent.name);
        return Err(Failure::new(Kind::Precondition, message).help(
            "a limit on the cost needs prices: set `model` in `[agents.…]` and `[prices.\"MODEL\"]`, or use --max-tokens",
        ));
    }
    Ok(())
}
