//! What a submission stands on: the change's folder, and who hands it in.

use crate::prompt::confined::ConfinedFolder;
use crate::template::{IncludeFault, Role};

/// The change's folder as the check of a submission sees it.
#[derive(Debug)]
pub(super) struct Ground<'g> {
    /// The change's folder.
    pub(super) folder: &'g ConfinedFolder,
    /// Who hands it in.
    pub(super) role: Role,
    /// The tool that is used.
    pub(super) tool: super::Tool,
}

impl Ground<'_> {
    /// Says what is wrong with a file that must be there and hold something, if anything is.
    pub(super) fn lacks(&self, path: &str) -> Option<String> {
        match self.folder.read(path) {
            Ok(Some(text)) if !text.trim().is_empty() => None,
            Ok(Some(_)) => Some(format!("`{path}` is empty: write it first")),
            Ok(None) => Some(format!("`{path}` is not there: write it first")),
            Err(fault) => Some(format!("`{path}` cannot be read: {fault}")),
        }
    }

    /// Reads a file that may be missing.
    pub(super) fn read(&self, path: &str) -> Result<Option<String>, IncludeFault> {
        self.folder.read(path)
    }
}
