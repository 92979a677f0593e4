//! What a journal says of a change's documents: which are accepted, by their hashes.

use super::entry::Entry;
use super::store::Accepted;

/// The documents of a change as its journal knows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentRecord {
    /// Those that are accepted.
    pub accepted: Accepted,
    /// Those with which the step under way began, or the last one.
    pub at_start: Accepted,
    /// What the last entry replaced: a crash may have come before the checkout got the new ones.
    pub replaced: Accepted,
}

impl DocumentRecord {
    /// Takes account of an entry.
    pub(super) fn take(&mut self, entry: &Entry) {
        self.replaced.clear();
        match entry {
            Entry::Documents { set, removed } => {
                for name in set.keys().chain(removed) {
                    if let Some(hash) = self.accepted.remove(name) {
                        self.replaced.insert(name.clone(), hash);
                    }
                }
                self.accepted.extend(set.clone());
            }
            Entry::Edited(edited) => self.accepted.extend(edited.set.clone()),
            _ => {}
        }
    }

    /// Takes account of a step that begins.
    pub(super) fn begin(&mut self) {
        self.at_start.clone_from(&self.accepted);
    }
}
