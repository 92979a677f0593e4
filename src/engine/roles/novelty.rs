//! Whether a step that was taken before has come to anything this time: what an earlier round has left is no answer to what
//! is asked now, and whoever means to keep it hands it over once more.

use super::files::left_over;
use crate::engine::documents::Documents;
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::engine::expected::FileFault;
use crate::engine::schedule::PLANNING;
use crate::flow::Step;
use crate::handoff::submissions;
use crate::prompt::confined::ConfinedFolder;

impl Driver<'_> {
    /// Returns a fault if a file is as it was before the step and nothing else was handed over.
    pub(super) fn left_as_it_was(
        &self,
        step: &Step,
        file: &str,
        (before, papers): (&Documents, &ConfinedFolder),
    ) -> Result<Option<FileFault>, EngineError> {
        let now = papers.read_bytes(file).map_err(self.unusable(file))?;
        let is_the_same = now.is_some() && now.as_deref() == before.bytes(file);
        if !is_the_same
            || self.is_handed_over(step, papers)?
            || self.is_planned_anew(step, before, papers)?
        {
            return Ok(None);
        }
        let message = "it is as it was before, and nothing was handed over";
        let help = "do what is asked now; if it is to stay as it is, hand it over once more";
        Ok(Some(FileFault::new(file, None, message, help)))
    }

    /// Returns whether anything was handed over since the step began: all that was before is forgotten by then.
    fn is_handed_over(&self, step: &Step, papers: &ConfinedFolder) -> Result<bool, EngineError> {
        let folder = step.folder().unwrap_or_default();
        if !left_over(step, papers).map_err(self.unusable(folder))?.is_empty() {
            return Ok(true);
        }
        let submitted = submissions(papers, folder);
        Ok(!submitted.map_err(self.unusable(folder))?.is_empty())
    }

    /// Returns whether any plan, its tasks or the schedule are not as they were.
    fn is_planned_anew(
        &self,
        step: &Step,
        before: &Documents,
        papers: &ConfinedFolder,
    ) -> Result<bool, EngineError> {
        if !step.makes_schedule() {
            return Ok(false);
        }
        for name in papers.list(PLANNING, "").map_err(self.unusable(PLANNING))? {
            if ["plan_", "tasks_", "execution_plan.yaml"].iter().any(|it| name.starts_with(it)) {
                let path = format!("{PLANNING}/{name}");
                let now = papers.read_bytes(&path).map_err(self.unusable(&path))?;
                if now.as_deref() != before.bytes(&path) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
