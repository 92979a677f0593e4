//! What an agent has left behind once it has answered: it is looked at before the answer itself counts.

use std::path::Path;

use log::warn;

use super::driver::Driver;
use super::error::EngineError;
use super::event::Event;
use super::ground::Ground;
use super::strays;
use super::work::Work;
use crate::models::agent::AgentSettings;

impl Driver<'_> {
    /// Looks at what an answer has left behind, before the answer itself counts.
    pub(super) fn look_after<A>(
        &mut self,
        (work, agent): (Work, &AgentSettings),
        ground: &Ground,
        answered: Result<A, EngineError>,
        run: impl Fn(&A) -> &Path,
    ) -> Result<A, EngineError> {
        if self.change.restore_journal()? {
            warn!("the agent changed the journal of `{}`, which was put back", self.change.id);
        }
        let answered = answered?;
        let scene = strays::Scene {
            work,
            agent: &agent.name,
            may_run_commands: work.may_run_commands(agent.permissions),
            worktree: &ground.worktree,
            start: &ground.start,
            change: &self.change.folder,
            before: &ground.before,
            run: run(&answered),
        };
        let put_back = strays::take_back(&scene)?;
        self.tell_put_back(&put_back);
        Ok(answered)
    }

    /// Tells of files that were put back.
    pub(super) fn tell_put_back(&self, files: &[String]) {
        if !files.is_empty() {
            self.watch.event(&Event::PutBack { files });
        }
    }
}
