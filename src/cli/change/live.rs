//! The live session of a change on the command line: opened, told of, written to and closed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::super::configuration;
use super::super::failure::{Failure, Kind, Outcome};
use crate::engine::change::Change;
use crate::engine::event::{Event, Watch};
use crate::engine::history::History;
use crate::engine::setup::Setup;
use crate::files::own::{self, Refused};
use crate::flow::{Kind as StepKind, Position};
use crate::models::settings::Handover;
use crate::orchestrator::live::{LiveError, LiveSession};
use crate::output::screen::Screen;
use crate::output::shown::shown;
use crate::output::story::{Tone, tell};

/// The options of a live session.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct LiveOptions {
    /// Show every member of a team at work in a tmux session, and type to it what it is told.
    #[arg(long)]
    pub(super) tmux: bool,
    /// Leave that session open when the run has ended; the next run goes on in it.
    #[arg(long)]
    pub(super) keep_session: bool,
}

impl LiveOptions {
    /// Says what becomes of the session.
    pub(super) const fn afterwards(self) -> Afterwards {
        if self.keep_session { Afterwards::Kept } else { Afterwards::Closed }
    }

    /// Refuses what only flows with roles have.
    pub(super) fn refuse_without_roles(self) -> Outcome {
        let option = match self {
            Self { tmux: true, .. } => "--tmux",
            Self { keep_session: true, .. } => "--keep-session",
            Self { tmux: false, keep_session: false } => return Ok(()),
        };
        let message = format!("`{option}` is for a flow with roles, and this change has none");
        Err(Failure::new(Kind::Usage, message)
            .help(format!("leave `{option}` out, or begin another change with `--flow team`")))
    }
}

/// What becomes of a session when the run has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Afterwards {
    /// It is closed.
    #[default]
    Closed,
    /// It stays.
    Kept,
}

/// Makes sure that a team can be told in the way that is asked for.
pub(super) fn check(setup: &Setup) -> Outcome {
    if setup.team.delivery != Handover::Tmux {
        return Ok(());
    }
    LiveSession::check(&setup.environment).map_err(|error| {
        Failure::new(Kind::Precondition, error.to_string())
            .help("install tmux 3.0 or later, or leave out `--tmux` and `delivery = \"tmux\"` of `[team]`")
    })
}

/// Makes ready for the way in which a team is told: with tmux, a session is opened and told of; without, one that an
/// earlier run has left is closed, so that nobody works beside us.
pub(super) fn begin(
    setup: &Setup,
    change: &Change,
    screen: &Arc<Screen>,
) -> Outcome<Arc<dyn Watch>> {
    let session = session(setup, change);
    let has_roles = change.history.flow.steps.iter().any(|step| step.role().is_some());
    let is_live = setup.team.delivery == Handover::Tmux && has_roles;
    if !is_live || !needs_agents(&change.history) {
        if !is_live {
            close_if_there(&session, &change.folder, screen)?;
        }
        return Ok(Arc::clone(screen) as Arc<dyn Watch>);
    }
    check(setup)?;
    session.open().map_err(|error| unusable(&error))?;
    screen.line("session", &format!("look at it with `{}`", session.attach()), Tone::Plain);
    let folder =
        session.folder().map_err(|error| Failure::io("cannot make", &change.folder, &error))?;
    let progress = folder.join(LiveSession::PROGRESS);
    Ok(Arc::new(Told { screen: Arc::clone(screen), progress }))
}

/// Returns whether agents have work to do before the change waits for a person or is put away.
fn needs_agents(history: &History) -> bool {
    match history.state.position {
        Position::Step(id) => {
            matches!(
                history.flow.step(id).kind,
                StepKind::Agent | StepKind::Lanes | StepKind::Checks
            )
        }
        Position::Paused { .. }
        | Position::Blocked(_)
        | Position::Archived
        | Position::Rejected(_)
        | Position::Cancelled => false,
    }
}

/// Closes the session of a change when the run has ended, unless it is to be kept.
pub(super) fn end(
    setup: &Setup,
    change: &Change,
    screen: &Screen,
    afterwards: Afterwards,
) -> Outcome {
    let session = session(setup, change);
    match afterwards {
        Afterwards::Closed => close_if_there(&session, &change.folder, screen),
        Afterwards::Kept => Ok(()),
    }
}

/// Closes the session of a change that was given up.
pub(super) fn end_given_up(change: &Change) -> Outcome {
    if !change.folder.join("runs/live").is_dir() {
        return Ok(());
    }
    let environment = configuration::environment();
    let folder = &change.folder;
    let session = LiveSession::of(change.id.as_str(), folder, &environment);
    if session.is_possible() {
        session.close(folder).map_err(|error| unusable(&error))?;
    }
    Ok(())
}

/// Means the session of a change; it is marked with the folder that the change had while it was worked on.
fn session(setup: &Setup, change: &Change) -> LiveSession {
    LiveSession::of(change.id.as_str(), &setup.project.change(&change.id), &setup.environment)
}

fn close_if_there(session: &LiveSession, folder: &Path, screen: &Screen) -> Outcome {
    let has_been = folder.join("runs/live").is_dir();
    if has_been
        && session.is_possible()
        && session.close(folder).map_err(|error| unusable(&error))?
    {
        screen.line("session", "closed, with every agent in it", Tone::Plain);
    }
    Ok(())
}

fn unusable(error: &LiveError) -> Failure {
    if let LiveError::Folder(source) = error
        && Refused::is(source)
    {
        return Failure::refused(error.to_string());
    }
    let help = "`tmux -L agentd ls` shows the sessions of agentd";
    Failure::new(Kind::Precondition, error.to_string()).help(help)
}

/// Shows what happens on the screen, and in the session's control window.
struct Told {
    screen: Arc<Screen>,
    progress: PathBuf,
}

impl Watch for Told {
    fn event(&self, event: &Event<'_>) {
        self.screen.event(event);
        // What cannot be shown there is shown here; the change goes on.
        if let Ok(mut file) = own::append(&self.progress) {
            for line in tell(event) {
                let _ = writeln!(file, "{:<12} {}", line.label, shown(&line.text));
            }
        }
    }
}
