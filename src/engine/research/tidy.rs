//! What researchers wrote and must not have: kept, put back and named.

use std::path::Path;

use super::due::Due;
use super::inquiry::{Inquiry, RESEARCH};
use crate::engine::desks::Room;
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::engine::snapshot::Snapshot;

impl Driver<'_> {
    /// Puts back files of the change that researchers must not have written, when nobody else was at work.
    pub(super) fn tidy_after_research(
        &mut self,
        before: &Snapshot,
        due: &[Due],
    ) -> Result<(), EngineError> {
        self.change.restore_journal()?;
        let is_answer = |path: &Path| due.iter().any(|due| may_write(&due.inquiry, path));
        self.put_back(before, |path| !is_answer(path))
    }

    /// Puts back what researchers wrote in their room, which is there to be looked at.
    pub(super) fn tidy_research_room(&mut self) -> Result<(), EngineError> {
        let commit = self.code_commit()?;
        let room = self.room(Room::Research, &commit)?;
        let changed = room.changes_since(&commit)?;
        if changed.is_empty() {
            return Ok(());
        }
        room.save_patch(&commit, &self.last_run_folder()?.join("elsewhere.patch"))?;
        room.restore(&commit)?;
        let names: Vec<_> = changed.iter().map(|path| path.display().to_string()).collect();
        self.tell_put_back(&names);
        Ok(())
    }
}

/// A researcher writes in the folder of its topic, but not what is asked; its tool keeps records beside it.
fn may_write(inquiry: &Inquiry, path: &Path) -> bool {
    let is_own = path.starts_with(inquiry.file(""));
    let is_asked = [inquiry.file("request.md"), inquiry.file("request.yaml")]
        .iter()
        .any(|request| path == Path::new(request));
    (is_own && !is_asked) || path.starts_with(format!("{RESEARCH}/submissions"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_researcher_writes_its_answers_alone() {
        let inquiry = Inquiry::from_name("code-auth").unwrap();
        let may_write = |path: &str| may_write(&inquiry, Path::new(path));
        assert!(may_write("03_research/code-auth/summary.md"));
        assert!(may_write("03_research/submissions/submit_research_done-auth.json"));
        for path in [
            "03_research/code-auth/request.md",
            "03_research/code-authors/summary.md",
            "03_research/web-auth/summary.md",
            "04_planning/plan.md",
        ] {
            assert!(!may_write(path), "{path}");
        }
    }
}
