//! The project of the current folder: its root and repository, its configuration, and the locations of its changes.

use std::env;
use std::path::{Path, PathBuf};

use super::configuration;
use super::errors::BEGIN_ANOTHER;
use super::failure::{Failure, Kind, Outcome, PathContext as _};
use super::state_dir::state_dir;
use crate::config::{Config, Locations, Override};
use crate::engine::change::{Change, ChangeError};
use crate::engine::git::{Git, Repository};
use crate::engine::history::History;
use crate::engine::journal;
use crate::engine::lock::Lock;
use crate::engine::project::{Location, Project, Whereabouts};
use crate::engine::repository_id;
use crate::files::own;
use crate::flow::{ConfiguredLimit, Limit};
use crate::models::change::ChangeId;

/// The project in the current folder.
pub(super) struct ProjectContext {
    pub(super) project: Project,
    pub(super) repository: Repository,
}

/// A change that was read without locking it.
pub(super) struct ReadChange {
    pub(super) folder: PathBuf,
    pub(super) state: PathBuf,
    pub(super) history: History,
}

impl ReadChange {
    pub(super) fn at(Location { folder, state }: Location) -> Outcome<Self> {
        Ok(Self { history: read_history(&state)?, folder, state })
    }

    /// Returns which process works on the change. A command that only reads does not wait for the lock.
    pub(super) fn holder(&self) -> Outcome<Option<String>> {
        if self.history.is_over() {
            return Ok(None);
        }
        Ok(Lock::holder(&self.state).map_err(ChangeError::from)?)
    }
}

/// Reads the history of a change from its state folder, without locking the change.
pub(super) fn read_history(state: &Path) -> Outcome<History> {
    let (records, _) = journal::read(state).map_err(ChangeError::from)?;
    let broken = |broken| ChangeError::Broken { folder: state.to_owned(), broken };
    let history = History::of(&records).map_err(broken)?;
    history.ok_or_else(|| {
        let message = format!("the change in `{}` has no request yet", state.display());
        Failure::new(Kind::Precondition, message)
    })
}

impl ProjectContext {
    /// Finds the project of the current folder. A project whose folders are links is refused: agentd writes there.
    pub(super) fn find() -> Outcome<Self> {
        let context = Self::find_to_read()?;
        reject_links(&context.project)?;
        Ok(context)
    }

    /// Finds the project of the current folder, for commands that only read beside its changes.
    pub(super) fn find_to_read() -> Outcome<Self> {
        let repository =
            Repository::find(&current_dir()?, &Git::new(configuration::environment()))?;
        // Links that lead to a project belong to the user. Below its root no link is followed.
        let resolve = |path: &Path| own::root(path).or_fail("cannot find", path);
        let root = resolve(repository.root())?;
        let (git_dir, common) = (resolve(repository.git_dir())?, resolve(repository.common())?);
        Ok(Self { project: Project::of(root, &git_dir, &common), repository })
    }

    /// Finds a change, wherever it is.
    pub(super) fn location(&self, id: &ChangeId) -> Outcome<Location> {
        match self.whereabouts(id)? {
            Whereabouts::Open(location) | Whereabouts::Archived(location) => Ok(location),
            Whereabouts::Nowhere => Err(no_such_change(id)),
        }
    }

    /// Finds a change, also if only its folder exists yet.
    pub(super) fn location_or_folder(&self, id: &ChangeId) -> Outcome<Location> {
        let location = self.project.location(id);
        reject_link(&location.folder)?;
        if location.folder.is_dir() { Ok(location) } else { self.location(id) }
    }

    pub(super) fn whereabouts(&self, id: &ChangeId) -> Outcome<Whereabouts> {
        reject_link(&self.project.change(id))?;
        self.project.find(id).or_fail("cannot read", &self.project.states())
    }

    /// Finds a change whose documents are in the right place: the rebase of an archived change may have been
    /// interrupted before they were moved back.
    pub(super) fn settled(&self, id: &ChangeId) -> Outcome<Whereabouts> {
        let found = self.whereabouts(id)?;
        if let Whereabouts::Archived(location) = &found
            && read_history(&location.state).is_ok_and(|it| !it.is_over() && it.applying.is_none())
        {
            drop(Change::hold(id, &self.project)?);
            return self.whereabouts(id);
        }
        Ok(found)
    }

    /// Opens a change for reading.
    pub(super) fn read(&self, id: &ChangeId) -> Outcome<ReadChange> {
        ReadChange::at(self.location(id)?)
    }

    /// Locks a change that is open.
    pub(super) fn hold(&self, id: &ChangeId) -> Outcome<Change> {
        match self.settled(id)? {
            Whereabouts::Open(_) => Ok(Change::hold(id, &self.project)?),
            Whereabouts::Archived(location) => Err(archived(id, &location.folder)),
            Whereabouts::Nowhere => Err(no_such_change(id)),
        }
    }

    /// Reads the configuration in force, with the typed options as its strongest layer.
    pub(super) fn configured(&self, flags: Vec<Override>) -> Outcome<(Config, Locations)> {
        let root = self.project.root.clone();
        let locations = Locations { root, ..configuration::locations()? };
        let config = configuration::read(&locations, flags)?;
        Ok((config, locations))
    }

    /// Reads the configuration in force.
    pub(super) fn config(&self) -> Outcome<Config> {
        self.configured(Vec::new()).map(|(config, _)| config)
    }

    /// Returns how many rounds a limit of a flow allows. A configuration that cannot be read sets no limit here: a
    /// command that runs something reports it.
    pub(super) fn rounds(&self, limit: Limit) -> u32 {
        let of_config = |get: fn(&Config) -> u32| self.config().map_or(u32::MAX, |it| get(&it));
        match limit {
            Limit::Fixed(rounds) => rounds,
            Limit::Configured(ConfiguredLimit::Plan) => of_config(|it| it.limits.plan_rounds),
            Limit::Configured(ConfiguredLimit::Implement) => {
                of_config(|it| it.limits.implement_rounds)
            }
            Limit::Configured(ConfiguredLimit::Review) => of_config(|it| it.team.review_rounds),
        }
    }

    /// Returns where the workspaces of the repository are, without creating anything.
    pub(super) fn workspaces(&self) -> Outcome<PathBuf> {
        let state = state_dir()?;
        let id = repository_id::find(&self.project.state, &state);
        let id = id.or_fail("cannot use the record of workspaces in", &self.project.state)?;
        Ok(state.join("workspaces").join(id))
    }
}

/// Returns the current folder.
pub(super) fn current_dir() -> Outcome<PathBuf> {
    env::current_dir().map_err(|error| {
        Failure::new(Kind::Io, format!("cannot find out the current folder: {error}"))
    })
}

/// Refuses a project with a link in the place of a folder that agentd writes to.
pub(super) fn reject_links(project: &Project) -> Outcome {
    project.link().map_or(Ok(()), |link| Err(Failure::link(&link)))
}

/// Refuses a link in the place of a folder.
pub(super) fn reject_link(folder: &Path) -> Outcome {
    if folder.is_symlink() { Err(Failure::link(folder)) } else { Ok(()) }
}

/// Refuses a folder whose path cannot be written in a prompt: under another name, an agent would write its files
/// somewhere else.
pub(super) fn ensure_nameable(folder: &Path) -> Outcome {
    if folder.to_str().is_some() {
        return Ok(());
    }
    Err(Failure::precondition(
        format!("the path `{}` cannot be written in a prompt: it is not UTF-8", folder.display()),
        "move the project to a folder with a plain name",
    ))
}

pub(super) fn no_such_change(id: &ChangeId) -> Failure {
    Failure::precondition(
        format!("there is no change `{id}` here"),
        format!("`agentd list` shows the changes; `agentd run {id} \"…\"` starts one"),
    )
}

pub(super) fn archived(id: &ChangeId, folder: &Path) -> Failure {
    ChangeError::Archived { id: id.clone(), folder: folder.to_owned() }.into()
}

/// Refuses a cancelled change.
pub(super) fn given_up(id: &ChangeId) -> Failure {
    Failure::precondition(format!("change `{id}` was cancelled"), BEGIN_ANOTHER)
}
