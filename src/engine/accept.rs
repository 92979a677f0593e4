//! What a change accepts as its documents: copies are on the disk before the journal names them, and the checkout gets them
//! after. Whatever happens in between, the journal decides.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use log::warn;

use super::change::{Change, ChangeError};
use super::document_record::DocumentRecord;
use super::documents::{self, Documents};
use super::entry::Entry;
use super::store::{Accepted, Store};
use crate::files::{OrFailed as _, own};
use crate::models::hash::Hash;

/// The largest document that is compared.
const LARGEST: u64 = 256 << 20;

/// Documents that are about to be accepted.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    /// Those that are new or changed.
    pub(super) files: Documents,
    /// Those that are there no more.
    pub(super) removed: Vec<String>,
}

/// What a person did to the documents of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Edits {
    /// The documents that are not what was accepted, by their names.
    pub(super) changed: Vec<String>,
    /// Those that were gone, and are there again.
    pub(super) restored: Vec<String>,
}

impl Change {
    /// Accepts documents: they are kept, named in the journal, and put into the checkout.
    pub(super) fn accept(&mut self, taken: &Taken) -> Result<(), ChangeError> {
        let (set, removed) = self.kept(taken)?;
        if !set.is_empty() || !removed.is_empty() {
            self.happened(Entry::Documents { set: set.clone(), removed: removed.clone() })?;
        }
        self.put_in_place(&set.into_keys().chain(removed).collect::<Vec<_>>())
    }

    /// Accepts one document that agentd itself writes.
    pub(super) fn accept_one(&mut self, name: &str, text: &str) -> Result<(), ChangeError> {
        let mut taken = Taken::default();
        taken.files.insert(name, text);
        self.accept(&taken)
    }

    /// Keeps copies of documents, and returns those that differ from what is accepted.
    fn kept(&self, taken: &Taken) -> Result<(Accepted, Vec<String>), ChangeError> {
        let (store, accepted) = (Store::of(&self.state), &self.history.documents.accepted);
        let mut set = Accepted::new();
        for (path, bytes) in taken.files.iter() {
            // Names that are no text are not those of any document.
            let Some(name) = path.to_str() else { continue };
            let keep = store.keep(bytes);
            let hash = keep.or_failed("keep a copy of", path)?;
            if accepted.get(name) != Some(&hash) {
                set.insert(name.to_owned(), hash);
            }
        }
        let is_there = |name: &&String| accepted.contains_key(*name);
        Ok((set, taken.removed.iter().filter(is_there).cloned().collect()))
    }

    /// Reads the documents as they are accepted now.
    pub(super) fn accepted(&self) -> Result<Documents, ChangeError> {
        self.load(&self.history.documents.accepted)
    }

    /// Reads the documents with which the step under way began.
    pub(super) fn began_with(&self) -> Result<Documents, ChangeError> {
        self.load(&self.history.documents.at_start)
    }

    fn load(&self, accepted: &Accepted) -> Result<Documents, ChangeError> {
        let loaded = Store::of(&self.state).load(accepted);
        Ok(loaded.or_failed("read the documents in", &self.state)?)
    }

    /// Puts documents into the checkout as they are accepted. What a person wrote in the place of one meanwhile is kept.
    fn put_in_place(&self, names: &[String]) -> Result<(), ChangeError> {
        let store = Store::of(&self.state);
        for name in names {
            let path = self.folder.join(name);
            let placed = || -> io::Result<()> {
                let found = own::read(&path, LARGEST)?;
                if let Some(found) = &found
                    && !self.is_known(name, &Hash::of(found))
                {
                    let kept = store.keep(found)?;
                    warn!(
                        "`{}` was edited while agentd was working on it: the edit is kept in {}",
                        path.display(),
                        self.state.join("documents").join(kept.as_str()).display()
                    );
                }
                match self.history.documents.accepted.get(name) {
                    Some(hash) if found.is_none_or(|found| Hash::of(found) != *hash) => {
                        documents::write(&path, &store.read(hash)?)
                    }
                    Some(_) => Ok(()),
                    None => own::clear(&path),
                }
            };
            placed().or_failed("write", &path)?;
        }
        Ok(())
    }

    /// Returns whether the journal knows these bytes of a document, as they are accepted or were just before.
    fn is_known(&self, name: &str, hash: &Hash) -> bool {
        let DocumentRecord { accepted, replaced, .. } = &self.history.documents;
        accepted.get(name) == Some(hash) || replaced.get(name) == Some(hash)
    }

    /// Compares the checkout with what is accepted: documents that are gone are restored, those of a change that was cut off
    /// are put in place, and what a person wrote is returned.
    pub(super) fn reconcile(
        &self,
        is_document: impl Fn(&Path) -> bool,
    ) -> Result<Edits, ChangeError> {
        let read = Documents::read(&self.folder);
        let found = read.or_failed("read", &self.folder)?;
        let (mut edits, mut due) = (Edits::default(), Vec::new());
        let DocumentRecord { accepted, replaced, .. } = &self.history.documents;
        for (name, hash) in accepted {
            match found.bytes(name).map(Hash::of) {
                None => {
                    edits.restored.push(name.clone());
                    due.push(name.clone());
                }
                Some(now) if now == *hash => {}
                Some(now) if replaced.get(name) == Some(&now) => due.push(name.clone()),
                Some(_) => edits.changed.push(name.clone()),
            }
        }
        for (path, bytes) in found.iter().filter(|(path, _)| is_document(path)) {
            let Some(name) = path.to_str().filter(|name| !accepted.contains_key(*name)) else {
                continue;
            };
            if replaced.get(name) == Some(&Hash::of(bytes)) {
                due.push(name.to_owned());
            } else {
                edits.changed.push(name.to_owned());
            }
        }
        self.put_in_place(&due)?;
        Ok(edits)
    }

    /// Keeps copies of documents that a person edited, and returns their hashes.
    pub(super) fn keep_edits(&self, names: &[String]) -> Result<Accepted, ChangeError> {
        let (store, mut set) = (Store::of(&self.state), BTreeMap::new());
        for name in names {
            let path = self.folder.join(name);
            let kept = || -> io::Result<Hash> {
                let bytes = own::read(&path, LARGEST)?.ok_or(io::ErrorKind::NotFound)?;
                store.keep(&bytes)
            };
            set.insert(name.clone(), kept().or_failed("keep", &path)?);
        }
        Ok(set)
    }
}
