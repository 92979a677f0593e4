//! What must not stand below a project's `agentd/` when a run takes hold of a change. A clone of somebody's repository may
//! hold anything there, and whatever agentd will not open is refused before an agent is called and paid.
//!
//! What an agent puts there later is cleared away where it is in the way of something, and else refused when it is opened.

use std::ffi::OsStr;
use std::path::{Component, Path};

use super::documents::is_half_written;
use crate::files::own::{self, Found, Names};
use crate::flow::Flow;
use crate::orchestrator::prompts::materials::PROJECT_FILES;
use crate::orchestrator::run_folder::RUNS;
use crate::prompt::preferences::PENDING;
use crate::prompt::team::EXTENSION_FOLDERS;

/// The endings of the files that are read or written below `agentd/`.
const ENDINGS: [&str; 7] = ["json", "log", "md", "txt", "xml", "yaml", "yml"];

/// The names of those that have no such ending.
const FILES: [&str; 6] = [".gitignore", "closed", "config.toml", "done", "stderr", "stdout"];

/// The files of a project that are read or written, but for those of its changes.
const OF_PROJECT: [&str; 4] =
    ["agentd/config.toml", PROJECT_FILES[0], "agentd/CHANGELOG.md", PENDING];

/// Refuses a change in whose folder something stands that agentd does not open.
pub(in crate::engine) fn refuse_planted(change: &Path) -> Result<(), Found> {
    own::refuse_unless_plain(change, &Below::Change)
}

/// Refuses a project in which something stands that agentd does not open, where it reads or writes in this flow. What
/// else people keep in `agentd/` is their own.
pub fn refuse_planted_in_project(root: &Path, flow: &Flow) -> Result<(), Found> {
    for path in OF_PROJECT.map(|file| root.join(file)) {
        own::refuse_unless_file(&path).map_err(|error| (path, error))?;
    }
    let [ours, others] = EXTENSION_FOLDERS;
    // Roles read what projects of another tool hold for them.
    let has_roles = flow.steps.iter().any(|step| step.role().is_some());
    let folders = [ours, "agentd/specs"].into_iter().chain(has_roles.then_some(others));
    folders
        .into_iter()
        .try_for_each(|folder| own::refuse_unless_plain(&root.join(folder), &Below::Project))
}

/// Whose folder is looked at.
#[derive(Clone, Copy)]
enum Below {
    Project,
    Change,
}

impl Names for Below {
    fn is_of_a_file(&self, name: &OsStr) -> bool {
        let path = Path::new(name);
        let Some(text) = name.to_str() else { return false };
        path.extension().is_some_and(|ending| ENDINGS.iter().any(|file| ending == *file))
            || FILES.contains(&text)
            || text.starts_with("done_")
            || is_half_written(path)
    }

    /// What an agent keeps in folders of its run is read by nobody else, and may well be links.
    fn is_left_alone(&self, folder: &Path) -> bool {
        match self {
            Self::Project => false,
            Self::Change => {
                let mut parts = folder.components();
                parts.next() == Some(Component::Normal(OsStr::new(RUNS))) && parts.count() == 2
            }
        }
    }
}
