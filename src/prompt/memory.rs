//! What is known of a project: its profile and its documentation.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::read_small;

/// Where a builder learns what project a prompt is for.
pub trait ProjectMemory {
    /// Returns what is known of a project; nothing is an empty list. The id is that of the builder, if it has one.
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
                let message = format!("`{id}` is not the id of a project");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        };
        let mut memories = Vec::new();
        for name in FILES {
            let path = folder.join(name);
            refuse_outside(&folder, &path).map_err(|error| named(&path, &error))?;
            if let Some(bytes) = read_small(&path).map_err(|error| named(&path, &error))? {
                let content = String::from_utf8_lossy(&bytes).into_owned();
                memories.push(Memory { name: name.to_owned(), content });
            }
        }
        Ok(memories)
    }
}

/// Refuses a link that leads out of the project: a clone may bring it along. `files::own` would need a dependency that the
/// library does without, and refuse the links that people make between such files.
fn refuse_outside(folder: &Path, path: &Path) -> io::Result<()> {
    match path.canonicalize() {
        Ok(real) if real.starts_with(folder.canonicalize()?) => Ok(()),
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "a link that leads outside the project",
        )),
        // What is not there is told by who reads it.
        Err(_) => Ok(()),
    }
}

/// Returns whether an id is one name, which cannot lead anywhere else.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && !id.starts_with('.') && !id.contains(['/', '\\', '\0'])
}

/// Returns which file an error is of.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_leads_out_of_the_project_is_not_remembered() {
        let outer = tempfile::tempdir().unwrap();
        let project = outer.path().join("shop");
        std::fs::create_dir(&project).unwrap();
        std::fs::write(outer.path().join("secret"), "secret").unwrap();
        std::fs::write(project.join("AGENTS.md"), "rules").unwrap();
        std::os::unix::fs::symlink("AGENTS.md", project.join("CLAUDE.md")).unwrap();
        let memory = FileMemory::new(&project);
        assert_eq!(memory.recall(None).unwrap()[0].content, "rules");
        std::os::unix::fs::symlink("../secret", project.join("README.md")).unwrap();
        let refused = memory.recall(None).unwrap_err().to_string();
        assert!(refused.contains("README.md: a link that leads outside the project"), "{refused}");
    }
}
