//! Copies of a change's documents as they were accepted, by the hashes that the journal names. They lie with the change's
//! state, so that neither an agent nor a slip in the checkout can lose one.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::documents::Documents;
use crate::files::own::{self, Refused};
use crate::files::{make_folder, write_atomically};
use crate::models::hash::Hash;

/// The folder of the copies, below a change's state.
const FOLDER: &str = "documents";

/// The largest copy that is read.
const LARGEST: u64 = 256 << 20;

/// The documents of a change that were accepted: the hash of each by its name.
pub type Accepted = BTreeMap<String, Hash>;

/// The copies of accepted documents.
#[derive(Clone, Debug)]
pub(super) struct Store {
    folder: PathBuf,
}

impl Store {
    /// Names the copies that belong to a change's state.
    pub(super) fn of(state: &Path) -> Self {
        Self { folder: state.join(FOLDER) }
    }

    /// Keeps a copy, which is on the disk then, and returns its hash.
    pub(super) fn keep(&self, bytes: &[u8]) -> io::Result<Hash> {
        let hash = Hash::of(bytes);
        if self.read(&hash).is_err() {
            let path = self.folder.join(hash.as_str());
            make_folder(&self.folder)
                .and_then(|()| write_atomically(&path, bytes))
                .map_err(|error| Refused::named(&error, "cannot write", &path))?;
        }
        Ok(hash)
    }

    /// Reads a copy. One that is not what its name says is damaged.
    pub(super) fn read(&self, hash: &Hash) -> io::Result<Vec<u8>> {
        let path = self.folder.join(hash.as_str());
        let bytes = own::read(&path, LARGEST)?.ok_or(io::ErrorKind::NotFound)?;
        if Hash::of(&bytes) == *hash {
            Ok(bytes)
        } else {
            let message = format!("`{}` is damaged", path.display());
            Err(io::Error::new(io::ErrorKind::InvalidData, message))
        }
    }

    /// Reads the documents that were accepted.
    pub(super) fn load(&self, accepted: &Accepted) -> io::Result<Documents> {
        let mut documents = Documents::default();
        for (path, hash) in accepted {
            documents.insert(path, self.read(hash)?);
        }
        Ok(documents)
    }

    /// Copies all copies to those of another change's state.
    pub(super) fn copy_to(&self, other: &Self, accepted: &Accepted) -> io::Result<()> {
        accepted.values().try_for_each(|hash| other.keep(&self.read(hash)?).map(drop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_kept_once_and_a_damaged_one_is_no_copy() {
        let state = tempfile::tempdir().unwrap();
        let store = Store::of(state.path());
        let hash = store.keep(b"plan").unwrap();
        assert_eq!(store.keep(b"plan").unwrap(), hash);
        assert_eq!(store.read(&hash).unwrap(), b"plan");
        std::fs::write(state.path().join(FOLDER).join(hash.as_str()), "forged").unwrap();
        assert_eq!(store.read(&hash).unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(store.keep(b"plan").unwrap(), hash, "it is kept again");
        assert_eq!(store.read(&hash).unwrap(), b"plan");
    }
}
