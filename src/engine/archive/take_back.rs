//! Taking back what archives of a change wrote into the project: what they replaced is kept in the change's state, by its hash.

use std::collections::BTreeSet;
use std::path::Path;

use super::changelog::without;
use super::error::ArchiveError;
use super::place::{CHANGELOG, Moved, Place, SPECS, io_error};
use super::plan::{ArchivePlan, FileStep, Step};
use crate::engine::expected::ARCHIVED_CHANGELOG;
use crate::files::{make_private_folder, own, replace_atomically};
use crate::models::hash::Hash;

/// No spec and no changelog is read beyond this size.
const LARGEST: u64 = 64 << 20;

/// What was taken back, by paths below `agentd/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenBack {
    /// What is again as it was.
    pub restored: Vec<String>,
    /// What somebody else has written to since, and stays as it is.
    pub left: Vec<String>,
}

/// Keeps what a plan replaces, before it is applied; `root` is the project's folder `agentd/`, and `kept` the folder to keep it in.
pub fn keep_replaced(plan: &ArchivePlan, root: &Path, kept: &Path) -> Result<(), ArchiveError> {
    let place = Place::open(root)?;
    for (path, step) in plan.steps().filter_map(file_of) {
        let Some(old) = step.old.as_ref().filter(|old| **old != step.new) else { continue };
        let Some(bytes) = place.read(&path)?.filter(|bytes| Hash::of(bytes) == *old) else {
            continue;
        };
        let copy = kept.join(old.as_str());
        let written = make_private_folder(kept).and_then(|()| replace_atomically(&copy, &bytes));
        written.map_err(|source| io_error("write", &copy.display().to_string(), source))?;
    }
    Ok(())
}

/// Takes back what the archives of a change wrote, given all plans in their order. A file is restored only where it is still as an
/// archive left it; of a changelog that others wrote to as well, the entry is removed. What is done already is left as it is,
/// so that this can be called again after a crash.
pub fn take_back(
    plans: &[ArchivePlan],
    root: &Path,
    kept: &Path,
) -> Result<TakenBack, ArchiveError> {
    let mut taken = TakenBack::default();
    if plans.is_empty() {
        return Ok(taken);
    }
    let place = Place::open(root)?;
    let _lock = place.lock()?;
    let files = plans.iter().flat_map(ArchivePlan::steps).filter_map(file_of);
    let paths: BTreeSet<_> = files.map(|(path, _)| path).collect();
    for path in paths {
        let steps: Vec<_> = plans.iter().rev().filter_map(|plan| step_for(plan, &path)).collect();
        match restored(&place, &path, &steps, kept)? {
            Found::Restored => taken.restored.push(path),
            Found::AsBefore => {}
            Found::Changed if path == CHANGELOG && remove_entry(&place, plans)? => {
                taken.restored.push(path);
            }
            Found::Changed => taken.left.push(path),
        }
    }
    Ok(taken)
}

/// Moves a change that was taken back from the archive to where it is worked on.
pub fn move_back(plan: &ArchivePlan, root: &Path) -> Result<(), ArchiveError> {
    let place = Place::open(root)?;
    let _lock = place.lock()?;
    let open = format!("changes/{}", plan.change);
    match place.moved(&open, &plan.target())? {
        Moved::Already => place.rename(&plan.target(), &open),
        Moved::NotYet => Ok(()),
        Moved::Neither => Err(ArchiveError::Changed { path: open }),
    }
}

/// What became of a file.
enum Found {
    Restored,
    AsBefore,
    Changed,
}

/// Restores a file; the steps are those of the last plan first.
fn restored(
    place: &Place,
    path: &str,
    steps: &[&FileStep],
    kept: &Path,
) -> Result<Found, ArchiveError> {
    let now = place.hash(path)?;
    let mut before = now.clone();
    for step in steps {
        if before.as_ref() == Some(&step.new) {
            before.clone_from(&step.old);
        }
    }
    if before == now {
        let is_known = now.is_none() || steps.iter().any(|step| step.old == now);
        return Ok(if is_known { Found::AsBefore } else { Found::Changed });
    }
    let Some(hash) = before else {
        return place.remove(path).map(|()| Found::Restored);
    };
    let copy = kept.join(hash.as_str());
    let bytes = own::read(&copy, LARGEST)
        .map_err(|source| io_error("read", &copy.display().to_string(), source))?;
    match bytes.filter(|bytes| Hash::of(bytes) == hash) {
        Some(bytes) => place.write(path, &bytes).map(|()| Found::Restored),
        None => Ok(Found::Changed),
    }
}

/// Removes the entry of a change from a changelog, if it stands there once as it was written.
fn remove_entry(place: &Place, plans: &[ArchivePlan]) -> Result<bool, ArchiveError> {
    let Some(changelog) = place.changelog()? else { return Ok(false) };
    for plan in plans.iter().rev() {
        for folder in [plan.target(), format!("changes/{}", plan.change)] {
            let Some(entry) = place.read(&format!("{folder}/{ARCHIVED_CHANGELOG}"))? else {
                continue;
            };
            let entry = String::from_utf8_lossy(&entry);
            if let Some(text) = without(&changelog, &plan.change, &plan.title, &entry) {
                return place.write(CHANGELOG, text.as_bytes()).map(|()| true);
            }
        }
    }
    Ok(false)
}

fn step_for<'p>(plan: &'p ArchivePlan, path: &str) -> Option<&'p FileStep> {
    plan.steps().filter_map(file_of).find(|(own, _)| own == path).map(|(_, step)| step)
}

/// Returns the file that a step writes.
fn file_of(step: Step<'_>) -> Option<(String, &FileStep)> {
    match step {
        Step::Spec(spec) => Some((format!("{SPECS}{}", spec.name.file()), &spec.file)),
        Step::Changelog(file) => Some((CHANGELOG.to_owned(), file)),
        Step::Move => None,
    }
}
