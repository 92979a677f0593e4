//! The session folder, from which `[[include:…]]` reads, and beyond which it never gets.

use std::cell::RefCell;
use std::io;
use std::path::Path;

use super::confined::{ConfinedFolder, LARGEST_FILE};
use super::legible;
use crate::template::{IncludeFault, Includes};

/// A folder whose files may be included; links and `..` that lead out of it are refused.
///
/// A file is added as text: what is no UTF-8, or no character for a document, becomes U+FFFD with a warning, and for a
/// binary file there is a note.
#[derive(Debug)]
pub struct Session {
    folder: ConfinedFolder,
    // Every file passes through the same bytes on its way into a prompt.
    bytes: RefCell<Vec<u8>>,
    absent: RefCell<Vec<String>>,
}

impl Session {
    /// Opens a session folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        let folder = ConfinedFolder::open(path)?;
        Ok(Self { folder, bytes: RefCell::default(), absent: RefCell::default() })
    }

    /// Says whether a file was asked for and is not there.
    pub fn lacks(&self, path: &str) -> bool {
        self.absent.borrow().iter().any(|absent| absent == path)
    }

    /// Gives the folder itself, for what is to be known of it besides the text of its files.
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
        let mut bytes = self.bytes.borrow_mut();
        let is_there = self.folder.read_into(path, LARGEST_FILE, &mut bytes)?;
        if is_there {
            legible::append(path, &bytes, out);
        } else {
            self.absent.borrow_mut().push(path.to_owned());
        }
        Ok(is_there)
    }
}
