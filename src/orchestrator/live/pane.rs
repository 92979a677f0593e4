//! The screen of one agent: started when it is needed, and used again while it runs as it should.

use std::path::Path;

use super::session::{LiveError, LiveSession};
use crate::models::hash::Hash;
use crate::models::run::{Invocation, PaneOrder};
use crate::models::sandbox::Grant;
use crate::orchestrator::run_folder::RunFolder;
use crate::process;
use crate::tmux::{Look, Pane, TmuxError};

/// What an agent is started with in a pane.
pub(super) struct Start<'s> {
    pub(super) name: &'s str,
    pub(super) workspace: &'s Path,
    pub(super) invocation: &'s Invocation,
    /// What the agent is confined to.
    pub(super) grant: Option<&'s Grant>,
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
        let grant = self.grant;
        Hash::of(format!("{program} {args:?} {workspace} {place:?} {grant:?}")).to_string()
    }
}

impl LiveSession {
    /// Returns the pane of an agent that runs as it should, and starts it where there is none.
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
        process::lay_out(start.invocation, start.grant, &own)?;
        let Invocation { program, args, env, .. } = start.invocation;
        let order = PaneOrder {
            program: program.clone(),
            args: args.clone(),
            env: env.clone(),
            workspace: start.workspace.into(),
            own: own.into(),
            is_confined: start.grant.is_some(),
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
}
