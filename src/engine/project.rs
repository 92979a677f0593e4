//! Where things are in a user's project: the folder `agentd/` of the checkout with the documents, and the folder of the
//! state, which lies in the repository's git folder. What lies there is in no clone and in no agent's folder.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::entry::{Entry, Record};
use super::journal;
use crate::files::own::{self, Folder, Kind, Reason, Refused};
use crate::models::change::ChangeId;

/// How large the journals of all changes may be together: each listing reads them.
const LARGEST_TOGETHER: u64 = 256 << 20;

/// How large the file is at most in which git keeps the place of a linked checkout.
const LARGEST_NAME: u64 = 64 << 10;

/// What is added to the id of a change that is being discarded.
const DISCARDED: &str = "discarded";

/// A user's project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its root.
    pub root: PathBuf,
    /// The folder of agentd's state.
    pub state: PathBuf,
    /// Which checkout of the repository it is: the name of its git folder within the one that all share, none for the first.
    pub checkout: Option<String>,
}

/// Where a change is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Its documents.
    pub folder: PathBuf,
    /// Its state: journal, runs, and the documents as they were before a step.
    pub state: PathBuf,
}

/// What became of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// It is being worked on.
    Open(Location),
    /// It is done, and its documents are kept in the archive.
    Archived(Location),
    /// There is no such change.
    Nowhere,
}

impl Project {
    /// Names a project by its root, in which its git folder lies.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let state = root.join(".git/agentd");
        Self { root, state, checkout: None }
    }

    /// Names a project by its root, the git folder of this checkout and the one that all checkouts share.
    pub fn of(root: PathBuf, git_dir: &Path, common: &Path) -> Self {
        let own = git_dir.strip_prefix(common).unwrap_or(git_dir).to_string_lossy();
        let checkout = (!own.is_empty()).then(|| own.into_owned());
        Self { root, state: common.join("agentd"), checkout }
    }

    /// Returns whether a change that a checkout began is this one's: its own, or one whose checkout was removed.
    pub fn may_hold(&self, checkout: Option<&str>) -> bool {
        checkout == self.checkout.as_deref() || checkout.is_some_and(|name| self.is_removed(name))
    }

    /// Returns whether a linked checkout is gone. Git keeps its own folder of it until somebody prunes that.
    fn is_removed(&self, checkout: &str) -> bool {
        let common = self.state.parent().unwrap_or(&self.state);
        let place = own::read(&common.join(checkout).join("gitdir"), LARGEST_NAME).ok().flatten();
        let place = place.map(|bytes| PathBuf::from(OsStr::from_bytes(bytes.trim_ascii_end())));
        place.is_none_or(|place| place.symlink_metadata().is_err())
    }

    /// Returns the folder of agentd in the project.
    pub fn folder(&self) -> PathBuf {
        self.root.join("agentd")
    }

    /// Returns the folder of the changes that are being worked on.
    pub fn changes(&self) -> PathBuf {
        self.folder().join("changes")
    }

    /// Returns the folder of a change's documents, until it is archived.
    pub fn change(&self, id: &ChangeId) -> PathBuf {
        self.changes().join(id.as_str())
    }

    /// Returns the folder of the state of all changes.
    pub fn states(&self) -> PathBuf {
        self.state.join("changes")
    }

    /// Returns where a change is, until it is archived.
    pub fn location(&self, id: &ChangeId) -> Location {
        Location { folder: self.change(id), state: self.states().join(id.as_str()) }
    }

    /// Returns the folder of the changes that are done.
    pub fn archive(&self) -> PathBuf {
        self.folder().join("archive")
    }

    /// Returns the folder of the specs that hold for the project.
    pub fn specs(&self) -> PathBuf {
        self.folder().join("specs")
    }

    /// Finds a change: the state alone tells whether there is one, whatever documents lie in the checkout.
    pub fn find(&self, id: &ChangeId) -> io::Result<Whereabouts> {
        let open = self.location(id);
        match Folder::open(&open.state) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Whereabouts::Nowhere);
            }
            opened => drop(opened?),
        }
        // What is wrong with a journal is told to whoever reads it.
        let records = journal::read(&open.state).map(|(records, _)| records).unwrap_or_default();
        let folder = self.documents(id, &records);
        Ok(if folder == open.folder {
            Whereabouts::Open(open)
        } else {
            Whereabouts::Archived(Location { folder, ..open })
        })
    }

    /// Returns the folder of a change's documents, which its journal tells.
    pub(super) fn documents(&self, id: &ChangeId, records: &[Record]) -> PathBuf {
        let open = self.change(id);
        let is_there = |folder: &Path| Folder::open(folder).is_ok();
        let target = match Archiving::of(records) {
            Archiving::Nowhere => None,
            Archiving::To(_) if is_there(&open) => None,
            Archiving::To(target) | Archiving::Done(target) => Some(self.folder().join(target)),
            // It goes back when it is held next.
            Archiving::Undone(target) => {
                let target = self.folder().join(target);
                (!is_there(&open) && is_there(&target)).then_some(target)
            }
        };
        target.unwrap_or(open)
    }

    /// Returns the folder to which the state of a change is moved when the change is discarded; while it is there, that goes on.
    pub fn discarded(&self, id: &ChangeId) -> PathBuf {
        self.states().join(format!("{id}.{DISCARDED}"))
    }

    /// Returns whether a change is being discarded, and that was cut off.
    pub fn is_being_discarded(&self, id: &ChangeId) -> bool {
        self.discarded(id).symlink_metadata().is_ok()
    }

    /// Finds a link in the place of a folder that agentd writes to: it could lead anywhere.
    pub fn link(&self) -> Option<PathBuf> {
        let folders = [self.folder(), self.changes(), self.archive(), self.specs()];
        folders.into_iter().find(|folder| folder.is_symlink())
    }

    /// Lists the changes that are being worked on, sorted by their ids.
    pub fn open(&self) -> io::Result<Vec<(ChangeId, Location)>> {
        let is_open = |(id, found)| match found {
            Whereabouts::Open(location) => Some((id, location)),
            Whereabouts::Archived(_) | Whereabouts::Nowhere => None,
        };
        Ok(self.known()?.into_iter().filter_map(is_open).collect())
    }

    /// Lists the changes that are done, sorted by the names of their folders, which begin with the date and may end in a
    /// number.
    pub fn archived(&self) -> io::Result<Vec<(ChangeId, Location)>> {
        let is_archived = |(id, found)| match found {
            Whereabouts::Archived(location) => Some((id, location)),
            Whereabouts::Open(_) | Whereabouts::Nowhere => None,
        };
        let mut archived: Vec<_> = self.known()?.into_iter().filter_map(is_archived).collect();
        archived.sort_by_key(|(_, location)| {
            let name = location.folder.file_name().unwrap_or_default().to_string_lossy();
            let (name, number) = numbered(&name);
            (name.to_owned(), number)
        });
        Ok(archived)
    }

    /// Lists the changes that there is state of, sorted by their ids.
    fn known(&self) -> io::Result<Vec<(ChangeId, Whereabouts)>> {
        let folders = own::entries(&self.states())?;
        let folders = folders.into_iter().filter(|(_, kind)| *kind == Kind::Folder);
        let ids = folders.filter_map(|(name, _)| name.to_str()?.parse::<ChangeId>().ok());
        let ids: Vec<_> = ids.collect();
        refuse_large(&self.states(), &ids)?;
        ids.into_iter().map(|id| self.find(&id).map(|found| (id, found))).collect()
    }
}

/// What a journal tells of the way of a change to the archive.
enum Archiving {
    Nowhere,
    /// It is being moved there. agentd may have been gone between the move and its entry.
    To(String),
    /// It is there.
    Done(String),
    /// It was there, and is worked on again.
    Undone(String),
}

impl Archiving {
    fn of(records: &[Record]) -> Self {
        let mut at = Self::Nowhere;
        for record in records {
            at = match (&record.entry, at) {
                (Entry::Applying { plan }, _) => Self::To(plan.target()),
                (Entry::Rejected { .. }, Self::To(_)) => Self::Nowhere,
                (Entry::Finished(_), Self::To(target)) => Self::Done(target),
                (Entry::Rebased { .. } | Entry::Rejected { .. }, Self::Done(target)) => {
                    Self::Undone(target)
                }
                (_, at) => at,
            };
        }
        at
    }
}

/// Takes the number off the end of a name; one without has the first.
fn numbered(name: &str) -> (&str, u64) {
    let ends_in_number = name.rsplit_once('-').and_then(|(first, number)| {
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        Some((first, number.parse().ok().filter(|_| is_number)?))
    });
    ends_in_number.unwrap_or((name, 1))
}

/// Refuses changes whose journals are larger together than is read for one listing.
fn refuse_large(folder: &Path, changes: &[ChangeId]) -> io::Result<()> {
    let mut bytes: u64 = 0;
    if !changes.is_empty() {
        let opened = Folder::open(folder)?;
        for id in changes {
            bytes = bytes.saturating_add(opened.size(&Path::new(id.as_str()).join(journal::FILE))?);
        }
    }
    if bytes <= LARGEST_TOGETHER {
        return Ok(());
    }
    let reason = Reason::TooLargeTogether { bytes, limit: LARGEST_TOGETHER };
    Err(Refused::named(&Refused::because(reason), "cannot read", folder))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::catalog::CATALOG;
    use crate::engine::change::{Change, NewChange};

    #[test]
    fn a_change_is_where_its_state_says_whatever_lies_in_the_checkout() {
        let root = tempfile::tempdir().unwrap();
        let (id, project) = ("add-login".parse().unwrap(), Project::at(root.path()));
        fs::create_dir_all(project.change(&id)).unwrap();
        fs::write(project.change(&id).join(journal::FILE), "forged\n").unwrap();
        assert_eq!(project.find(&id).unwrap(), Whereabouts::Nowhere);
        assert_eq!(project.open().unwrap(), []);
        let new = NewChange::following(CATALOG.flow("sdd").unwrap(), "Add login");
        drop(Change::create(&id, &project, new).unwrap());
        let location = project.location(&id);
        assert_eq!(project.find(&id).unwrap(), Whereabouts::Open(location.clone()));
        assert_eq!(project.open().unwrap(), [(id, location)]);
        assert_eq!(project.archived().unwrap(), []);
    }
}
