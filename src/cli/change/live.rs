//! The live session of a change: opened, reported, written to and closed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::flow::has_roles;
use crate::cli::configuration;
use crate::cli::{Failure, Outcome, PathContext as _};
use crate::engine::change::Change;
use crate::engine::event::{Event, Watch};
use crate::engine::history::History;
use crate::engine::setup::Setup;
use crate::files::own;
use crate::flow::{Kind as StepKind, Position};
use crate::models::change::ChangeId;
use crate::models::settings::Handover;
use crate::orchestrator::live::LiveSession;
use crate::output::human::{Tone, lines_for};
use crate::output::sanitize::safe;
use crate::output::screen::Screen;

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
    /// Refuses what only flows with roles have.
    pub(super) fn reject_without_roles(self) -> Outcome {
        let option = match self {
            Self { tmux: true, .. } => "--tmux",
            Self { keep_session: true, .. } => "--keep-session",
            Self { tmux: false, keep_session: false } => return Ok(()),
        };
        let message = format!("`{option}` is for a flow with roles, and this change has none");
        Err(Failure::usage(
            message,
            format!("leave `{option}` out, or begin another change with `--flow team`"),
        ))
    }
}

/// Fails unless a team can be reached in the way that is asked for.
pub(super) fn check(setup: &Setup) -> Outcome {
    if setup.team.delivery != Handover::Tmux {
        return Ok(());
    }
    LiveSession::check(&setup.environment).map_err(|error| {
        Failure::precondition(error.to_string(), "install tmux 3.0 or later, or leave out `--tmux` and `delivery = \"tmux\"` of `[team]`")
    })
}

/// Opens the session that is asked for and reports it. Without one, closes what an earlier run has left, so that nobody works
/// beside us.
pub(super) fn begin(
    setup: &Setup,
    change: &Change,
    screen: &Arc<Screen>,
) -> Outcome<Arc<dyn Watch>> {
    let session = session(setup, change);
    let is_live = setup.team.delivery == Handover::Tmux && has_roles(&change.history.flow);
    if !is_live {
        end(setup, change, screen)?;
    }
    if !is_live || !needs_agents(&change.history) {
        return Ok(Arc::clone(screen) as Arc<dyn Watch>);
    }
    check(setup)?;
    session.open()?;
    screen.line("session", &format!("look at it with `{}`", session.attach()), Tone::Plain);
    let folder = session.folder().or_fail("cannot make", &change.state)?;
    let progress = folder.join(LiveSession::PROGRESS);
    Ok(Arc::new(SessionLog { screen: Arc::clone(screen), progress }))
}

/// Returns whether agents have work to do before the change waits for a person or is put away.
fn needs_agents(history: &History) -> bool {
    let Position::Step(id) = history.state.position else { return false };
    matches!(history.flow.step(id).kind, StepKind::Agent | StepKind::Lanes | StepKind::Checks)
}

/// Closes the session of a change when the run has ended.
pub(super) fn end(setup: &Setup, change: &Change, screen: &Screen) -> Outcome {
    if close(&session(setup, change), &change.state)? {
        screen.line("session", "closed, with every agent in it", Tone::Plain);
    }
    Ok(())
}

/// Closes the session of a change that was given up.
pub(super) fn end_given_up(id: &ChangeId, state: &Path) -> Outcome {
    close(&LiveSession::of(id.as_str(), state, &configuration::environment()), state)?;
    Ok(())
}

/// Returns the session of a change, which is marked with the folder of the change's state.
fn session(setup: &Setup, change: &Change) -> LiveSession {
    LiveSession::of(change.id.as_str(), &change.state, &setup.environment)
}

/// Closes a session, and returns whether there was one.
fn close(session: &LiveSession, state: &Path) -> Outcome<bool> {
    let has_been = state.join("runs/live").is_dir();
    Ok(has_been && session.is_possible() && session.close()?)
}

/// Shows what happens on the screen, and in the session's control window.
struct SessionLog {
    screen: Arc<Screen>,
    progress: PathBuf,
}

impl Watch for SessionLog {
    fn event(&self, event: &Event<'_>) {
        self.screen.event(event);
        // What cannot be shown there is shown here; the change goes on.
        if let Ok(mut file) = own::append(&self.progress) {
            for line in lines_for(event) {
                let _ = writeln!(file, "{:<12} {}", line.label, safe(&line.text));
            }
        }
    }
}
