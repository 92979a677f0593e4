//! The session folder, from which `[[include:…]]` reads, and beyond which it never gets.

use std::io;
use std::path::Path;

use super::confined::ConfinedFolder;
use crate::template::{IncludeFault, Includes};

/// A folder whose files may be included; links and `..` that lead out of it are refused.
#[derive(Debug)]
pub struct Session {
    folder: ConfinedFolder,
}

impl Session {
    /// Opens a session folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { folder: ConfinedFolder::open(path)? })
    }
}

impl Includes for Session {
    fn read(&self, path: &str) -> Result<Option<String>, IncludeFault> {
        self.folder.read(path)
    }
}
