//! A schedule that has been checked: what it says can be relied on, and there is no other way to one than the check.

use super::documents::Documents;
use crate::models::plan::{Mode, OwnedPattern, PlanIndex, ReviewStrategy};

/// Groups of lanes in the order in which they are carried out.
///
/// Every lane's dependencies are done before it, and lanes that are carried out at the same time own nothing in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub(super) groups: Vec<LaneGroup>,
    pub(super) needs_design: bool,
    pub(super) documents: Option<Documents>,
    pub(super) review_strategy: ReviewStrategy,
}

/// Lanes that are carried out together, or one right after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneGroup {
    pub(super) id: String,
    pub(super) mode: Mode,
    pub(super) lanes: Vec<Lane>,
}

/// One plan on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    pub(super) index: PlanIndex,
    pub(super) name: String,
    pub(super) owned: Vec<OwnedPattern>,
    pub(super) dependencies: Vec<PlanIndex>,
    pub(super) tasks: usize,
    /// The change's own folder, which no pattern reaches into.
    pub(super) change: String,
}

impl Schedule {
    /// Lists the groups, in the order in which they are carried out.
    pub fn groups(&self) -> &[LaneGroup] {
        &self.groups
    }

    /// Lists every lane, in the order of the groups.
    pub fn lanes(&self) -> impl Iterator<Item = &Lane> {
        self.groups.iter().flat_map(|group| &group.lanes)
    }

    /// Returns the lane of a plan.
    pub fn lane(&self, index: PlanIndex) -> Option<&Lane> {
        self.lanes().find(|lane| lane.index == index)
    }

    /// Lists the lanes that own a file, by its path from the project's root, in the order of the groups. A group that
    /// is carried out in parallel has at most one.
    pub fn owners_of<'s>(&'s self, path: &'s str) -> impl Iterator<Item = &'s Lane> {
        self.lanes().filter(move |lane| lane.owns(path))
    }

    /// Returns the first lane that owns a file.
    pub fn owner_of(&self, path: &str) -> Option<&Lane> {
        self.lanes().find(|lane| lane.owns(path))
    }

    /// Returns whether a designer comes before the coders.
    pub const fn needs_design(&self) -> bool {
        self.needs_design
    }

    /// Returns whether documents must be changed with the code.
    pub const fn needs_docs(&self) -> bool {
        self.documents.is_some()
    }

    /// Lists the documents that must be changed with the code, if any must.
    pub fn doc_files(&self) -> &[OwnedPattern] {
        self.documents.as_ref().map_or(&[], Documents::files)
    }

    /// Returns what the reviewer looks at, and how strictly.
    pub const fn review_strategy(&self) -> &ReviewStrategy {
        &self.review_strategy
    }

    /// Lists the documents that are needed and are not among the paths that were changed.
    pub fn undocumented(&self, changed: &[impl AsRef<str>]) -> Vec<&OwnedPattern> {
        let documents = self.documents.as_ref();
        documents.map(|documents| documents.missing_from(changed)).unwrap_or_default()
    }
}

impl LaneGroup {
    /// Returns its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns how its lanes are carried out.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Lists its lanes, in order.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Returns its first lane that owns a file; where its lanes are carried out in parallel, the only one.
    pub fn owner_of(&self, path: &str) -> Option<&Lane> {
        self.lanes.iter().find(|lane| lane.owns(path))
    }
}

impl Lane {
    /// Returns the number of its plan.
    pub const fn index(&self) -> PlanIndex {
        self.index
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lists what it owns, as it was written.
    pub fn owned(&self) -> &[OwnedPattern] {
        &self.owned
    }

    /// Lists the plans that are done before it, each once, in order.
    pub fn dependencies(&self) -> &[PlanIndex] {
        &self.dependencies
    }

    /// Returns how many tasks it has.
    pub const fn tasks(&self) -> usize {
        self.tasks
    }

    /// Returns whether it owns a file, by its path from the project's root. The change's own folder and git's are owned by
    /// no lane.
    pub fn owns(&self, path: &str) -> bool {
        let below = path.strip_prefix(&self.change);
        let is_change = below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        !is_change && self.owned.iter().any(|pattern| pattern.owns(path))
    }

    /// Finds the file among what it owns below which a path lies, as if the file were a folder.
    pub fn file_above(&self, path: &str) -> Option<&OwnedPattern> {
        self.owned.iter().find(|pattern| pattern.is_file_above(path))
    }
}
