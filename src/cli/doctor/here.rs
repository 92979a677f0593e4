//! What there is round the agents: git, the repository, the configuration's files and the guard.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::probe::{Prober, Shown};
use crate::config::{Locations, PROJECT_FILE};
use crate::models::run::{End, Invocation};
use crate::orchestrator::Place;
use crate::orchestrator::agents::install::Version;

/// What was found out about this place.
pub(super) struct Here {
    pub(super) git: Git,
    pub(super) repository: Repository,
    /// The configuration's files that are there; they are right, or there would be no diagnosis.
    pub(super) config: Vec<PathBuf>,
    /// Why the guard does not work, if it does not.
    pub(super) guard: Option<String>,
}

/// Whether there is git.
pub(super) enum Git {
    There(Option<Version>),
    Missing,
    Fails(String),
}

/// Whether this folder is in a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repository {
    WithCommit,
    WithoutCommit,
    None,
}

/// Looks round.
pub(super) async fn examine(locations: &Locations, place: &Place, prober: &Prober) -> Here {
    let (git, guard) = match git(place, prober, &["--version"]).await {
        Ok(shown) => (version(&shown), None),
        Err(reason) => (Git::Fails("the guard does not work".to_owned()), Some(reason)),
    };
    let repository = match git {
        Git::There(_) => repository(place, prober).await,
        Git::Missing | Git::Fails(_) => Repository::None,
    };
    let files = locations.user.iter().cloned().chain([locations.root.join(PROJECT_FILE)]);
    Here { git, repository, config: files.filter(|path| path.is_file()).collect(), guard }
}

fn version(shown: &Shown) -> Git {
    match &shown.end {
        End::NotFound => Git::Missing,
        End::Exited { code: 0 } => Git::There(Version::read(&shown.stdout)),
        End::NotExecutable { reason } => Git::Fails(reason.clone()),
        End::Exited { .. }
        | End::Killed { .. }
        | End::TimedOut
        | End::Idle
        | End::Cancelled
        | End::TooMuchOutput => Git::Fails(format!("`git --version` fails {}", shown.first_line())),
    }
}

async fn repository(place: &Place, prober: &Prober) -> Repository {
    let succeeds =
        async |args: &[&str]| git(place, prober, args).await.is_ok_and(|shown| shown.is_well());
    if succeeds(&["rev-parse", "--verify", "--quiet", "HEAD"]).await {
        Repository::WithCommit
    } else if succeeds(&["rev-parse", "--git-dir"]).await {
        Repository::WithoutCommit
    } else {
        Repository::None
    }
}

async fn git(place: &Place, prober: &Prober, args: &[&str]) -> Result<Shown, String> {
    let args = args.iter().map(OsString::from).collect();
    let env = place.environment.clone();
    let run = |_: &Path| Invocation { program: "git".into(), args, env, ..Invocation::default() };
    prober.run(run).await
}
