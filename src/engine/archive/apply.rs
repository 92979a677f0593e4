//! Doing what a plan says: each step once, however often it is tried.

use std::ops::ControlFlow;
use std::path::Path;

use super::changelog::merge;
use super::error::ArchiveError;
use super::place::{CHANGELOG, Moved, Place, SPECS};
use super::plan::{ArchivePlan, FileStep, Step};
use crate::engine::expected::{ARCHIVED_CHANGELOG, ARCHIVED_SPECS};
use crate::models::hash::Hash;

/// Puts a change away as planned; `root` is the project's folder `agentd/`. What is done already is left as it is, so
/// that this can be called again after a crash, with the same plan and the same result.
pub fn apply(plan: &ArchivePlan, root: &Path) -> Result<(), ArchiveError> {
    apply_watched(plan, root, |_| ControlFlow::Continue(()))
}

/// Puts a change away as [`apply`] does, and shows each step that is done to a watcher, which may say stop.
pub fn apply_watched(
    plan: &ArchivePlan,
    root: &Path,
    mut watch: impl FnMut(Step<'_>) -> ControlFlow<()>,
) -> Result<(), ArchiveError> {
    let place = Place::open(root)?;
    let _lock = place.lock()?;
    let archive = Archive { plan, place };
    // The move is the last step: when it is done, so is all else, whatever others have made of the files since.
    if archive.place.moved(&archive.change(), &plan.target())? == Moved::Already {
        return Ok(());
    }
    // Before the first step is done, all of them must be possible.
    let works = plan.steps().map(|step| archive.prepare(step)).collect::<Result<Vec<_>, _>>()?;
    for (step, work) in plan.steps().zip(works) {
        archive.perform(work)?;
        if watch(step).is_break() {
            return Err(ArchiveError::Stopped);
        }
    }
    Ok(())
}

/// What a step has to do.
enum Work<'p> {
    Nothing,
    Write { path: String, bytes: Vec<u8>, file: &'p FileStep },
    Move,
}

struct Archive<'p> {
    plan: &'p ArchivePlan,
    place: Place,
}

impl<'p> Archive<'p> {
    /// Returns what a step has to do. What is neither before nor after it is an error.
    fn prepare(&self, step: Step<'p>) -> Result<Work<'p>, ArchiveError> {
        match step {
            Step::Spec(spec) => {
                let name = spec.name.file();
                let source = format!("{}/{ARCHIVED_SPECS}{name}", self.change());
                let text = || self.place.text(&source);
                self.file(format!("{SPECS}{name}"), &spec.file, &source, text)
            }
            Step::Changelog(file) => {
                let source = format!("{}/{ARCHIVED_CHANGELOG}", self.change());
                let merged = || {
                    let (entry, old) = (self.place.text(&source)?, self.place.changelog()?);
                    Ok(merge(old.as_deref(), &self.plan.change, &self.plan.title, &entry))
                };
                self.file(CHANGELOG.to_owned(), file, &source, merged)
            }
            Step::Move => match self.place.moved(&self.change(), &self.plan.target())? {
                Moved::NotYet => Ok(Work::Move),
                Moved::Already => Ok(Work::Nothing),
                Moved::Neither => Err(ArchiveError::Changed { path: self.plan.target() }),
            },
        }
    }

    /// Returns what has to be done for a file, whose new text is made from `source` and must be what was planned.
    fn file(
        &self,
        path: String,
        file: &'p FileStep,
        source: &str,
        text: impl FnOnce() -> Result<String, ArchiveError>,
    ) -> Result<Work<'p>, ArchiveError> {
        if self.is_done(&path, file)? {
            return Ok(Work::Nothing);
        }
        let bytes = text()?.into_bytes();
        if Hash::of(&bytes) != file.new {
            return Err(ArchiveError::Changed { path: source.to_owned() });
        }
        Ok(Work::Write { path, bytes, file })
    }

    fn is_done(&self, path: &str, file: &FileStep) -> Result<bool, ArchiveError> {
        let now = self.place.hash(path)?;
        let is_done = now.as_ref() == Some(&file.new);
        if is_done || now == file.old {
            Ok(is_done)
        } else {
            Err(ArchiveError::Changed { path: path.to_owned() })
        }
    }

    fn perform(&self, work: Work<'_>) -> Result<(), ArchiveError> {
        match work {
            Work::Nothing => Ok(()),
            // Somebody may have written to it since the first look.
            Work::Write { path, file, .. } if self.is_done(&path, file)? => Ok(()),
            Work::Write { path, bytes, .. } => self.place.write(&path, &bytes),
            Work::Move => self.place.rename(&self.change(), &self.plan.target()),
        }
    }

    fn change(&self) -> String {
        format!("changes/{}", self.plan.change)
    }
}
