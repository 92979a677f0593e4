//! The files of a change that are checked: read once, bounded, then plain data.

use std::collections::BTreeMap;
use std::ops::Bound;

use thiserror::Error;

use crate::flow::{Leaves, Validator, covers};
use crate::prompt::confined::ConfinedFolder;
use crate::template::IncludeFault;

pub(super) const PROPOSAL: &str = "proposal.md";
pub(super) const SPECS: &str = "specs/";
pub(super) const TASKS: &str = "tasks.md";
pub(super) const IMPLEMENTATION: &str = "IMPLEMENTATION.md";
pub(crate) const ARCHIVED_CHANGELOG: &str = "archive/changelog.md";
pub(crate) const ARCHIVED_SPECS: &str = "archive/specs/";

/// The most files that are read of one folder.
const MOST_FILES: usize = 256;

/// The files of a change, by their paths below its folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeFiles {
    texts: BTreeMap<String, String>,
}

/// Why the files of a change cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FilesError {
    /// A file cannot be read, or must not be.
    #[error("cannot read `{path}`: {fault}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        fault: IncludeFault,
    },
    /// There are too many files.
    #[error("`{folder}` contains more than {limit} files")]
    TooMany {
        /// The folder.
        folder: String,
        /// How many there may be.
        limit: usize,
    },
}

impl ChangeFiles {
    /// Reads the files that agents write from a change's folder; those that are not there are left out.
    pub fn read(folder: &ConfinedFolder) -> Result<Self, FilesError> {
        Self::chosen(folder, &[], |_| true)
    }

    fn chosen(
        folder: &ConfinedFolder,
        leaves: &[Leaves],
        is_chosen: impl Fn(&str) -> bool,
    ) -> Result<Self, FilesError> {
        let mut paths: Vec<String> =
            [PROPOSAL, TASKS, IMPLEMENTATION, ARCHIVED_CHANGELOG].map(str::to_owned).to_vec();
        for file in leaves.iter().filter(|file| file.validator == Validator::Text) {
            match file.path.split_once("/*") {
                None => paths.push(file.path.to_string()),
                Some((below, ending)) => {
                    let unreadable =
                        |fault| FilesError::Unreadable { path: below.to_owned(), fault };
                    let names = folder.list(below, ending).map_err(unreadable)?;
                    paths.extend(names.iter().map(|name| format!("{below}/{name}")));
                }
            }
        }
        paths.retain(|path| is_chosen(path));
        for specs in [SPECS, ARCHIVED_SPECS] {
            if !is_chosen(&format!("{specs}any.md")) {
                continue;
            }
            let unreadable = |fault| FilesError::Unreadable { path: specs.to_owned(), fault };
            let names = folder.list(specs, ".md").map_err(unreadable)?;
            if names.len() > MOST_FILES {
                return Err(FilesError::TooMany { folder: specs.to_owned(), limit: MOST_FILES });
            }
            paths.extend(names.iter().map(|name| format!("{specs}{name}")));
        }
        let together = |fault| FilesError::Unreadable { path: SPECS.to_owned(), fault };
        folder.size_together(&paths, 0).map_err(together)?;
        let mut files = Self::default();
        for path in paths {
            let unreadable = |fault| FilesError::Unreadable { path: path.clone(), fault };
            if let Some(text) = folder.read(&path).map_err(unreadable)? {
                files.texts.insert(path, text);
            }
        }
        Ok(files)
    }

    /// Reads what a step leaves, and nothing else, from the folder of its agent.
    pub fn left_in(folder: &ConfinedFolder, leaves: &[Leaves]) -> Result<Self, FilesError> {
        let is_left = |path: &str| leaves.iter().any(|file| covers(&file.path, path));
        Self::chosen(folder, leaves, is_left)
    }

    /// Returns these files with those of another folder in their places, as far as these are meant.
    #[must_use]
    pub fn overlaid(mut self, other: Self, is_meant: impl Fn(&str) -> bool) -> Self {
        self.texts.retain(|path, _| !is_meant(path));
        self.texts.extend(other.texts.into_iter().filter(|(path, _)| is_meant(path)));
        self
    }

    /// Adds a file, or puts it in another's place.
    #[must_use]
    pub fn with(mut self, path: &str, text: impl Into<String>) -> Self {
        self.texts.insert(path.to_owned(), text.into());
        self
    }

    /// Takes a file away.
    #[must_use]
    pub fn without(mut self, path: &str) -> Self {
        self.texts.remove(path);
        self
    }

    /// Lists every file with its text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns the text of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Lists the files directly below a folder, which is written with a `/` at its end: name and text.
    pub(crate) fn below<'f>(&'f self, folder: &'f str) -> impl Iterator<Item = (&'f str, &'f str)> {
        let from = self.texts.range::<str, _>((Bound::Included(folder), Bound::Unbounded));
        from.map_while(move |(path, text)| Some((path.strip_prefix(folder)?, text.as_str())))
            .filter(|(name, _)| !name.contains('/'))
    }
}
