//! The environment of the agents: git, the repository, the configuration files and the guard.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::probe::{Prober, Shown};
use crate::cli::configuration::{Confinement, confinement};
use crate::config::{Locations, PROJECT_FILE};
use crate::models::run::{End, Invocation};
use crate::orchestrator::Place;
use crate::orchestrator::agents::install::Version;

/// What was found out about this place.
pub(super) struct Here {
    pub(super) git: Git,
    pub(super) repository: Repository,
    /// The existing configuration files; they are valid, or the diagnosis would have failed.
    pub(super) config: Vec<PathBuf>,
    /// Why the guard does not work, if it does not.
    pub(super) guard: Option<String>,
    /// What confines programs in a run.
    pub(super) sandbox: Confinement,
}

/// Whether git is installed.
#[derive(Default)]
pub(super) struct Git {
    /// The version that it prints.
    pub(super) version: Option<String>,
    /// Why it cannot be used.
    pub(super) trouble: Option<String>,
}

/// Whether this folder is in a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Repository {
    WithCommit,
    WithoutCommit,
    None,
}

/// Examines the place.
pub(super) async fn examine(locations: &Locations, place: &Place, prober: &Prober) -> Here {
    let (git, guard) = match git(place, prober, &["--version"]).await {
        Ok(shown) => (read(&shown), None),
        Err(reason) => {
            let trouble = Some("the guard does not work".to_owned());
            (Git { trouble, ..Git::default() }, Some(reason))
        }
    };
    let repository = match git.trouble {
        None => repository(place, prober).await,
        Some(_) => Repository::None,
    };
    let files = locations.user.iter().cloned().chain([locations.root.join(PROJECT_FILE)]);
    let config = files.filter(|path| path.is_file()).collect();
    let sandbox = confinement(place.sandbox.as_deref());
    Here { git, repository, config, guard, sandbox }
}

fn read(shown: &Shown) -> Git {
    let trouble = match &shown.end {
        End::Exited { code: 0 } => {
            let version = Version::read(&shown.stdout).map(|version| version.text);
            return Git { version, trouble: None };
        }
        End::NotFound => "git is not installed".to_owned(),
        End::NotExecutable { reason } => reason.clone(),
        End::Exited { .. }
        | End::Killed { .. }
        | End::TimedOut
        | End::Idle
        | End::Cancelled
        | End::TooMuchOutput => format!("`git --version` fails {}", shown.first_line()),
    };
    Git { version: None, trouble: Some(trouble) }
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
