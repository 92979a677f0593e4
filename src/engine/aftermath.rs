//! What an agent has left behind once it has answered: it is looked at before the answer itself counts.

use std::path::Path;

use log::warn;

use super::attempt::Reply;
use super::driver::{Driver, UnderWay};
use super::error::EngineError;
use super::event::Event;
use super::ground::Ground;
use super::snapshot::Snapshot;
use super::strays;

impl Driver<'_> {
    /// Looks at what an answer has left behind, before the answer itself counts.
    pub(super) fn look_after(
        &mut self,
        work: &UnderWay,
        ground: &Ground,
        reply: Result<Reply, EngineError>,
    ) -> Result<Reply, EngineError> {
        if self.change.restore_journal()? {
            warn!("the agent changed the journal of `{}`, which was restored", self.change.id);
        }
        let reply = reply?;
        let scene = strays::Scene {
            step: &work.step,
            agent: &work.agent,
            worktree: &ground.worktree,
            start: &ground.start,
            change: &self.change.folder,
            before: &ground.before,
            run: &reply.run,
        };
        let restored = strays::take_back(&scene)?;
        self.tell_put_back(&restored);
        Ok(reply)
    }

    /// Restores files of the change that several agents at once have left as strays, and reports them.
    pub(super) fn put_back(
        &self,
        before: &Snapshot,
        is_stray: impl Fn(&Path) -> bool,
    ) -> Result<(), EngineError> {
        let kept = self.last_run_folder()?.join("elsewhere");
        let files = strays::put_back(before, &self.change.folder, &kept, is_stray)?;
        self.tell_put_back(&files);
        Ok(())
    }

    /// Reports files that were restored.
    pub(super) fn tell_put_back(&self, files: &[String]) {
        if !files.is_empty() {
            self.watch.event(&Event::PutBack { files });
        }
    }
}
