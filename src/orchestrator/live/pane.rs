//! The screen of one agent: started when it is needed, waited for until it takes input, and typed into.

use std::path::Path;
use std::time::Duration;

use super::session::{LiveError, LiveSession};
use crate::models::hash::Hash;
use crate::models::run::{Invocation, PaneOrder};
use crate::orchestrator::run_folder::RunFolder;
use crate::process::{self, Cancel};
use crate::tmux::{Look, Pane, TmuxError};

/// How often a screen is looked at.
pub(super) const POLL: Duration = Duration::from_millis(150);
/// How often a screen is looked at until an agent must be ready; it is typed into then, come what may.
const LOOKS_UNTIL_READY: u32 = 200;
/// How often a screen is looked at until typed text must be seen.
const LOOKS_UNTIL_TYPED: u32 = 20;
/// How often in a row a screen must be the same to count as calm.
const CALM: u32 = 3;

/// What an agent is started with in a pane.
pub(super) struct Start<'s> {
    pub(super) name: &'s str,
    pub(super) workspace: &'s Path,
    pub(super) invocation: &'s Invocation,
    /// The agentd binary, which stands between the terminal and the agent.
    pub(super) guard: &'s Path,
}

impl Start<'_> {
    /// Tells one start from another: an agent that was started otherwise, or in a folder that is gone, is not the same.
    fn mark(&self) -> String {
        use std::os::unix::fs::MetadataExt as _;
        let Invocation { program, args, .. } = self.invocation;
        let place = self.workspace.metadata().map(|folder| (folder.dev(), folder.ino())).ok();
        let (program, workspace) = (program.display(), self.workspace.display());
        Hash::of(format!("{program} {args:?} {workspace} {place:?}")).to_string()
    }
}

impl LiveSession {
    /// Gives the pane of an agent that runs as it should, and starts it where there is none.
    pub(super) fn ready_pane(&self, start: &Start<'_>) -> Result<Pane, LiveError> {
        self.open()?;
        let mark = start.mark();
        match self.pane(start.name)? {
            Some(pane) if !pane.is_dead && pane.mark == mark => return Ok(pane),
            Some(pane) => self.end_pane(&pane)?,
            None => {}
        }
        let folder = self.folder().map_err(LiveError::Folder)?;
        let own = folder.join(start.name);
        process::lay_out(start.invocation, &own)?;
        let Invocation { program, args, env, .. } = start.invocation;
        let order = PaneOrder {
            program: program.clone(),
            args: args.clone(),
            env: env.clone(),
            workspace: start.workspace.into(),
            own: own.into(),
        };
        // It holds the environment: the pane removes it as soon as it is read.
        let name = format!("{}.json", start.name);
        let order = serde_json::to_vec(&order).unwrap_or_default();
        RunFolder::at(&folder).write(&name, &order).map_err(LiveError::Folder)?;
        let program = [start.guard.into(), "__pane".into(), folder.join(name).into()];
        let look = Look { name: start.name, folder: start.workspace, program: &program };
        self.tmux.new_window(&self.name, &mark, look)?;
        let started = self.pane(start.name)?;
        started.ok_or_else(|| {
            let (what, reason) = ("new-window".to_owned(), "the window is gone".to_owned());
            TmuxError::Refused { what, reason }.into()
        })
    }

    /// Types messages into a pane, each when its agent is calm; says no when it was cancelled.
    pub(super) async fn type_all(
        &self,
        pane: &Pane,
        messages: &[String],
        cancel: &Cancel,
    ) -> Result<bool, TmuxError> {
        for message in messages {
            if !self.calm(pane, cancel).await? {
                return Ok(false);
            }
            let before = self.tmux.screen(pane)?;
            self.tmux.type_text(pane, message)?;
            // A screen that takes text and Enter at once may take them for text with a line break.
            for _ in 0..LOOKS_UNTIL_TYPED {
                if !cancel.sleep(POLL).await {
                    return Ok(false);
                }
                if self.tmux.screen(pane)? != before {
                    break;
                }
            }
            self.tmux.press_enter(pane)?;
        }
        Ok(true)
    }

    /// Waits until a pane shows something and goes on showing it, within bounds; says no when it was cancelled.
    async fn calm(&self, pane: &Pane, cancel: &Cancel) -> Result<bool, TmuxError> {
        let (mut last, mut same) = (String::new(), 0);
        for _ in 0..LOOKS_UNTIL_READY {
            let screen = self.tmux.screen(pane)?;
            same = if screen == last && !screen.trim().is_empty() { same + 1 } else { 0 };
            if same >= CALM {
                break;
            }
            last = screen;
            if !cancel.sleep(POLL).await {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
