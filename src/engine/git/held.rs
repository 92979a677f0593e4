//! What the kernel holds git to while it works on the files of a workspace. Processes of an agent may still be there, and put a
//! link in the place of a folder at any moment: git must neither write nor read through it.

use std::path::{Path, PathBuf};

use super::command::Held;
use super::workspace::Workspace;
use crate::process::Hold;

/// What a filter of the user's keeps in a git folder while it works: Git LFS does.
const OF_FILTERS: [&str; 3] = ["lfs/cache", "lfs/incomplete", "lfs/tmp"];

/// What confines agents, as far as it concerns git in their workspaces.
#[derive(Clone, Debug, Default)]
pub struct Confinement {
    /// Where agents may write beside their workspaces, so that filters may too.
    pub write: Vec<PathBuf>,
    /// What agents may not read.
    pub hidden: Vec<PathBuf>,
}

impl Workspace {
    /// Returns what git is held to that writes files of a repository in the workspace.
    pub(super) fn writing(&self, git_dir: &Path) -> Option<Held> {
        let confinement = self.repository.confinement.as_ref()?;
        let mut write = confinement.write.clone();
        write.push(self.state.clone());
        write.extend(OF_FILTERS.map(|folder| git_dir.join(folder)));
        Some(Held::Writing(Hold { write: Some(write), ..Hold::default() }))
    }

    /// Returns what git is held to that reads files of the workspace to keep them: what agents may not read is in none of them.
    pub(super) fn reading(&self) -> Option<Held> {
        let hidden = &self.repository.confinement.as_ref()?.hidden;
        if hidden.is_empty() {
            return None;
        }
        let (read, hidden) = (vec![self.state.clone()], hidden.clone());
        Some(Held::Reading(Hold { write: None, read, hidden }))
    }
}
