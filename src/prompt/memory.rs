//! What is known of a project: its profile and its documentation.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::read_small;

/// Where a builder learns what project a prompt is for.
pub trait ProjectMemory {
    /// Gives what is known of a project; nothing is an empty list. The id is that of the builder, if it has one.
    fn recall(&self, project_id: Option<&str>) -> io::Result<Vec<Memory>>;
}

/// One thing that is known of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Where it comes from.
    pub name: String,
    /// What it says.
    pub content: String,
}

/// The files that are read, in order.
const FILES: [&str; 3] = ["profile.md", "CLAUDE.md", "README.md"];

/// A memory in files: `profile.md`, `CLAUDE.md` and `README.md` of the project's folder.
#[derive(Clone, Debug)]
pub struct FileMemory {
    root: PathBuf,
}

impl FileMemory {
    /// Remembers the project in `root`; with a project id, the one in the folder of that name below `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }
}

impl ProjectMemory for FileMemory {
    fn recall(&self, project_id: Option<&str>) -> io::Result<Vec<Memory>> {
        let folder = match project_id {
            None => self.root.clone(),
            Some(id) if is_plain(id) => self.root.join(id),
            Some(id) => {
                let message = format!("`{id}` is not a project's id");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        };
        let mut memories = Vec::new();
        for name in FILES {
            let path = folder.join(name);
            if let Some(bytes) = read_small(&path).map_err(|error| named(&path, &error))? {
                let content = String::from_utf8_lossy(&bytes).into_owned();
                memories.push(Memory { name: name.to_owned(), content });
            }
        }
        Ok(memories)
    }
}

/// Says whether an id is one name, which cannot lead anywhere else.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && !id.starts_with('.') && !id.contains(['/', '\\', '\0'])
}

/// Says which file an error is of.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
