//! What the files of a change must look like after each phase: text in, faults out.
//!
//! `files` reads them, `document` finds sections in one, and each kind of file has its rules in a file of its own.
//! What is asked for is the data that the skeletons are made of, so that nobody is asked for one thing and held to
//! another.

mod ask;
mod changelog;
mod document;
mod fault;
mod files;
mod implementation;
mod placeholder;
mod proposal;
mod sections;
mod spec;
mod tasks;

use std::collections::BTreeSet;

pub use ask::ask_for_files;
pub use fault::FileFault;
pub use files::{ChangeFiles, FilesError};
pub use proposal::title;

use crate::flow::{Leaves, Step, Validator, covers};
use crate::models::spec::{InvalidSpecName, SpecName};

pub(crate) use files::{ARCHIVED_CHANGELOG, ARCHIVED_SPECS};
use files::{IMPLEMENTATION, PROPOSAL, SPECS, TASKS};

/// Lists everything that is wrong with the files that a step leaves, sorted by path and line.
///
/// ```
/// use agentd::{Phase, catalog::CATALOG, engine::expected::{ChangeFiles, check}};
///
/// let files = ChangeFiles::default().with("proposal.md", "# Proposal: Login\n\n## Problem\n");
/// let faults = check(CATALOG.step(Phase::Plan), &files);
/// assert_eq!(faults.last().unwrap().to_string(), "tasks.md: the file is missing");
/// assert!(faults.iter().any(|fault| fault.line == Some(3)), "the section holds nothing");
/// assert!(check(CATALOG.step(Phase::Review), &files).is_empty());
/// ```
pub fn check(step: &Step, files: &ChangeFiles) -> Vec<FileFault> {
    let mut faults: Vec<_> = step.leaves.iter().flat_map(|file| left(file, files)).collect();
    faults.sort();
    faults.dedup();
    faults
}

/// Lists what is wrong with what a step leaves by one of its patterns.
fn left(file: &Leaves, files: &ChangeFiles) -> Vec<FileFault> {
    match file.validator {
        Validator::Proposal => with_text(files, &file.path, |text| proposal::check(PROPOSAL, text)),
        Validator::Spec => of_specs(files).0,
        Validator::Tasks => {
            // The requirements are known only when the specs are right.
            let (faults, ids) = of_specs(files);
            let known = faults.is_empty().then_some(&ids);
            with_text(files, TASKS, |text| tasks::check(TASKS, text, known))
        }
        Validator::Implementation => implement(files),
        Validator::Archive => archive(files),
        Validator::Text => of_text(file, files),
        // A role hands these in, and whoever takes them checks them.
        Validator::Schedule => Vec::new(),
    }
}

/// A text is there and is not empty; of a pattern one file is enough.
fn of_text(file: &Leaves, files: &ChangeFiles) -> Vec<FileFault> {
    if !file.path.contains('*') {
        return with_text(files, &file.path, |_| Vec::new());
    }
    let mut texts = files.texts().filter(|(path, _)| covers(&file.path, path)).peekable();
    if texts.peek().is_none() {
        return vec![FileFault::missing(&file.path)];
    }
    let empty = texts.filter(|(_, text)| text.trim().is_empty());
    empty.map(|(path, _)| FileFault::empty(path)).collect()
}

fn of_specs(files: &ChangeFiles) -> (Vec<FileFault>, BTreeSet<String>) {
    let (mut faults, ids) = specs(files, SPECS);
    if files.below(SPECS).next().is_none() {
        faults.push(no_spec(SPECS));
    }
    (faults, ids)
}

fn implement(files: &ChangeFiles) -> Vec<FileFault> {
    let tasks_md = files.get(TASKS).unwrap_or_default();
    let mut faults = with_text(files, TASKS, |text| tasks::check(TASKS, text, None));
    let ids = faults.is_empty().then(|| tasks::ids(tasks_md));
    faults.extend(with_text(files, IMPLEMENTATION, |text| {
        implementation::check(IMPLEMENTATION, text, ids.as_deref())
    }));
    faults
}

fn archive(files: &ChangeFiles) -> Vec<FileFault> {
    let mut faults =
        with_text(files, ARCHIVED_CHANGELOG, |text| changelog::check(ARCHIVED_CHANGELOG, text));
    for (file, _) in files.below(SPECS) {
        let path = format!("{ARCHIVED_SPECS}{file}");
        if files.get(&path).is_none() {
            faults.push(FileFault::missing(&path));
        }
    }
    if files.below(SPECS).next().is_none() && files.below(ARCHIVED_SPECS).next().is_none() {
        faults.push(no_spec(ARCHIVED_SPECS));
    }
    faults.extend(specs(files, ARCHIVED_SPECS).0);
    faults
}

/// Checks all specs of a folder, and gives the ids of their requirements.
fn specs(files: &ChangeFiles, folder: &str) -> (Vec<FileFault>, BTreeSet<String>) {
    let (mut faults, mut ids) = (Vec::new(), BTreeSet::new());
    for (file, text) in files.below(folder) {
        let (found, its) = one_spec(folder, file, text);
        faults.extend(found);
        ids.extend(its);
    }
    (faults, ids)
}

fn no_spec(folder: &str) -> FileFault {
    FileFault::new(folder, None, "there is no spec", "write a file for each capability")
}

fn one_spec(folder: &str, file: &str, text: &str) -> (Vec<FileFault>, BTreeSet<String>) {
    let path = format!("{folder}{file}");
    let (mut faults, ids) = if text.trim().is_empty() {
        (vec![FileFault::empty(&path)], BTreeSet::new())
    } else {
        spec::check(&path, text)
    };
    if let Err(error) = SpecName::of_file(file) {
        faults.push(FileFault::new(&path, None, &error.to_string(), InvalidSpecName::HELP));
    }
    (faults, ids)
}

/// Checks a file's text, if there is any.
fn with_text(
    files: &ChangeFiles,
    path: &str,
    check: impl FnOnce(&str) -> Vec<FileFault>,
) -> Vec<FileFault> {
    match files.get(path) {
        None => vec![FileFault::missing(path)],
        Some(text) if text.trim().is_empty() => vec![FileFault::empty(path)],
        Some(text) => check(text),
    }
}
