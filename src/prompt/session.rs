//! The session folder, from which `[[include:…]]` reads, and beyond which it never gets.

use std::cell::{Cell, RefCell};
use std::io;
use std::path::Path;

use super::confined::{ConfinedFolder, LARGEST_FILE, LARGEST_TOGETHER};
use super::legible;
use crate::template::{IncludeFault, Includes};

/// A folder whose files may be included; links and `..` that lead out of it are refused.
///
/// A file is added as text: what is no UTF-8, or no character for a document, becomes U+FFFD with a warning, and for a
/// binary file there is a note.
#[derive(Debug)]
pub struct Session {
    folder: ConfinedFolder,
    absent: RefCell<Vec<String>>,
    /// How much was added until now.
    bytes: Cell<u64>,
}

impl Session {
    /// Opens a session folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        let folder = ConfinedFolder::open(path)?;
        Ok(Self { folder, absent: RefCell::default(), bytes: Cell::new(0) })
    }

    /// Returns whether a file was asked for and is not there.
    pub fn lacks(&self, path: &str) -> bool {
        self.absent.borrow().iter().any(|absent| absent == path)
    }

    /// Returns the folder itself, for facts about it other than the text of its files.
    pub const fn folder(&self) -> &ConfinedFolder {
        &self.folder
    }
}

impl Includes for Session {
    fn read(&self, path: &str) -> Result<Option<String>, IncludeFault> {
        let mut text = String::new();
        Ok(self.append(path, &mut text)?.then_some(text))
    }

    fn append(&self, path: &str, out: &mut String) -> Result<bool, IncludeFault> {
        let start = out.len();
        let limit = LARGEST_FILE.min(LARGEST_TOGETHER.saturating_sub(self.bytes.get()));
        let is_there = match legible::append(&self.folder, path, path, limit, out) {
            Err(IncludeFault::TooLarge(_)) if limit < LARGEST_FILE => {
                self.folder.size_together([path], self.bytes.get())?;
                return Err(IncludeFault::TooLarge(limit));
            }
            appended => appended?,
        };
        self.bytes.update(|bytes| bytes.saturating_add((out.len() - start) as u64));
        if !is_there {
            self.absent.borrow_mut().push(path.to_owned());
        }
        Ok(is_there)
    }
}
