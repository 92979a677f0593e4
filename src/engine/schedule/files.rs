//! The files that a planner writes: read once, confined to the change's folder and bounded, then plain data.

use std::collections::BTreeMap;

use crate::engine::expected::FilesError;
use crate::models::plan::PlanIndex;
use crate::prompt::confined::ConfinedFolder;
use crate::template::IncludeFault;

/// The folder of the plans, in a change's folder.
pub const PLANNING: &str = "04_planning";

/// The file that says which plans there are and in which order they are carried out.
pub const EXECUTION_PLAN: &str = "execution_plan.yaml";

/// The most files that are read.
const MOST_FILES: usize = 2 * PlanIndex::LARGEST as usize + 1;

/// The plans of a change, by the names of their files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanningFiles {
    change: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl PlanningFiles {
    /// Starts without files; `change` is the path of the change's folder from the project's root.
    pub fn new(change: impl Into<String>) -> Self {
        Self { change: change.into(), files: BTreeMap::new() }
    }

    /// Reads the execution plan, the plans and their checklists from a change's folder. What is not there is left out.
    pub fn read(change: impl Into<String>, folder: &ConfinedFolder) -> Result<Self, FilesError> {
        let listed = folder.list(PLANNING, ".md").map_err(unreadable(PLANNING.to_owned()))?;
        let names = listed.into_iter().filter(|name| is_planning_file(name));
        Self::read_named(change, folder, names.chain([EXECUTION_PLAN.to_owned()]))
    }

    /// Reads nothing but the execution plan.
    pub fn read_execution_plan(
        change: impl Into<String>,
        folder: &ConfinedFolder,
    ) -> Result<Self, FilesError> {
        Self::read_named(change, folder, [EXECUTION_PLAN.to_owned()])
    }

    fn read_named(
        change: impl Into<String>,
        folder: &ConfinedFolder,
        names: impl IntoIterator<Item = String>,
    ) -> Result<Self, FilesError> {
        let names: Vec<_> = names.into_iter().collect();
        if names.len() > MOST_FILES {
            return Err(FilesError::TooMany { folder: PLANNING.to_owned(), limit: MOST_FILES });
        }
        let paths = names.iter().map(|name| format!("{PLANNING}/{name}"));
        folder.size_together(paths, 0).map_err(unreadable(PLANNING.to_owned()))?;
        let mut read = Self::new(change);
        for name in names {
            let path = format!("{PLANNING}/{name}");
            if let Some(text) = folder.read_bytes(&path).map_err(unreadable(path))? {
                read.files.insert(name, text);
            }
        }
        Ok(read)
    }

    /// Adds a file, or puts it in another's place.
    #[must_use]
    pub fn with(mut self, name: &str, text: impl Into<Vec<u8>>) -> Self {
        self.files.insert(name.to_owned(), text.into());
        self
    }

    /// Takes a file away.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.files.remove(name);
        self
    }

    /// Returns the execution plan without the files that it names.
    pub(super) fn execution_plan_alone(&self) -> Self {
        let mut alone = self.clone();
        alone.files.retain(|name, _| name == EXECUTION_PLAN);
        alone
    }

    /// Returns the path of the change's folder from the project's root.
    pub fn change(&self) -> &str {
        &self.change
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, text)| (name.as_str(), text.as_slice()))
    }
}

fn unreadable(path: String) -> impl FnOnce(IncludeFault) -> FilesError {
    move |fault| FilesError::Unreadable { path, fault }
}

/// Returns whether a file is a plan or a checklist; the overviews `plan.md` and `tasks.md` are for people alone.
fn is_planning_file(name: &str) -> bool {
    name.starts_with("plan_") || PlanIndex::of_tasks_file(name).is_some()
}
