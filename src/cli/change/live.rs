//! The live session of a change: opening, reporting, typing and closing.

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
    /// Show every member of a team in a tmux session, and type its prompts there.
    #[arg(long)]
    pub(super) tmux: bool,
    /// Leave that session open when the run ends; the next run continues in it.
    #[arg(long)]
    pub(super) keep_session: bool,
}

impl LiveOptions {
    /// Refuses options that only flows with roles have.
    pub(super) fn reject_without_roles(self) -> Outcome {
        let option = match self {
            Self { tmux: true, .. } => "--tmux",
            Self { keep_session: true, .. } => "--keep-session",
            Self { tmux: false, keep_session: false } => return Ok(()),
        };
        let message = format!("`{option}` needs a flow with roles, and this change has no roles");
        Err(Failure::usage(
            message,
            format!("leave out `{option}`, or start a new change with `--flow team`"),
        ))
    }
}

/// Fails unless the requested delivery to the team is possible.
pub(super) fn check(setup: &Setup) -> Outcome {
    if setup.team.delivery != Handover::Tmux {
        return Ok(());
    }
    LiveSession::check(&setup.environment).map_err(|error| {
        Failure::precondition(error.to_string(), "install tmux 3.0 or later, or leave out `--tmux` and `delivery = \"tmux\"` in `[team]`")
    })
}

/// Opens the requested session and reports it. Without one, closes the session of an earlier run, so that no old agent
/// keeps working.
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
    screen.line("session", &format!("attach with `{}`", session.attach()), Tone::Plain);
    let folder = session.folder().or_fail("cannot create", &change.state)?;
    let progress = folder.join(LiveSession::PROGRESS);
    Ok(Arc::new(SessionLog { screen: Arc::clone(screen), progress }))
}

/// Returns whether agents have work to do before the change waits for a person or is archived.
fn needs_agents(history: &History) -> bool {
    let Position::Step(id) = history.state.position else { return false };
    matches!(history.flow.step(id).kind, StepKind::Agent | StepKind::Lanes | StepKind::Checks)
}

/// Closes the session of a change when the run ends.
pub(super) fn end(setup: &Setup, change: &Change, screen: &Screen) -> Outcome {
    if close(&session(setup, change), &change.state)? {
        screen.line("session", "closed, with every agent in it", Tone::Plain);
    }
    Ok(())
}

/// Closes the session of a cancelled change.
pub(super) fn end_given_up(id: &ChangeId, state: &Path) -> Outcome {
    close(&LiveSession::of(id.as_str(), state, &configuration::environment()), state)?;
    Ok(())
}

/// Returns the session of a change, which is identified by the folder of the change's state.
fn session(setup: &Setup, change: &Change) -> LiveSession {
    LiveSession::of(change.id.as_str(), &change.state, &setup.environment)
}

/// Closes a session, and returns whether there was one.
fn close(session: &LiveSession, state: &Path) -> Outcome<bool> {
    let has_been = state.join("runs/live").is_dir();
    Ok(has_been && session.is_possible() && session.close()?)
}

/// Shows events on the screen and in the session's control window.
struct SessionLog {
    screen: Arc<Screen>,
    progress: PathBuf,
}

impl Watch for SessionLog {
    fn event(&self, event: &Event<'_>) {
        self.screen.event(event);
        // A failure to show it there is reported here; the change continues.
        if let Ok(mut file) = own::append(&self.progress) {
            for line in lines_for(event) {
                let _ = writeln!(file, "{:<12} {}", line.label, safe(&line.text));
            }
        }
    }
}
