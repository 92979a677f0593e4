//! Where things are in a user's project: the folder `agentd/` and what is in it.

use std::io;
use std::path::{Path, PathBuf};

use super::journal;
use crate::files::own::{self, Folder, Kind, Reason, Refused};
use crate::models::change::ChangeId;

/// How large the journals of all changes may be together: each listing reads them.
const LARGEST_TOGETHER: u64 = 256 << 20;

/// A user's project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its root.
    pub root: PathBuf,
}

/// Where a change is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// It is being worked on.
    Open(PathBuf),
    /// It is done, and is kept in the archive.
    Archived(PathBuf),
    /// There is no such change.
    Nowhere,
}

impl Project {
    /// Names a project by its root.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Gives the folder of agentd in the project.
    pub fn folder(&self) -> PathBuf {
        self.root.join("agentd")
    }

    /// Gives the folder of the changes that are being worked on.
    pub fn changes(&self) -> PathBuf {
        self.folder().join("changes")
    }

    /// Gives the folder of a change.
    pub fn change(&self, id: &ChangeId) -> PathBuf {
        self.changes().join(id.as_str())
    }

    /// Gives the folder of the changes that are done.
    pub fn archive(&self) -> PathBuf {
        self.folder().join("archive")
    }

    /// Gives the folder of the specs that hold for the project.
    pub fn specs(&self) -> PathBuf {
        self.folder().join("specs")
    }

    /// Finds a change. One that was archived more than once under the same id is found where it was archived last.
    pub fn find(&self, id: &ChangeId) -> io::Result<Whereabouts> {
        let open = self.change(id);
        if is_begun(&open) {
            return Ok(Whereabouts::Open(open));
        }
        let archived = self.find_archived(id)?;
        Ok(archived.map_or(Whereabouts::Nowhere, Whereabouts::Archived))
    }

    /// Finds a change in the archive, where it was archived last.
    pub fn find_archived(&self, id: &ChangeId) -> io::Result<Option<PathBuf>> {
        let archived = self.archived()?.into_iter().rfind(|(archived, _)| archived == id);
        Ok(archived.map(|(_, path)| path))
    }

    /// Finds a link in the place of a folder that agentd writes to: it could lead anywhere.
    pub fn link(&self) -> Option<PathBuf> {
        let folders = [self.folder(), self.changes(), self.archive(), self.specs()];
        folders.into_iter().find(|folder| folder.is_symlink())
    }

    /// Lists the changes that are being worked on, sorted by their ids.
    pub fn open(&self) -> io::Result<Vec<(ChangeId, PathBuf)>> {
        let named = entries(&self.changes())?.into_iter().filter_map(|(name, path)| {
            let id = name.parse().ok()?;
            is_begun(&path).then_some((id, path))
        });
        Ok(named.collect())
    }

    /// Lists the changes that are done, sorted by the names of their folders, which begin with the date and may end in a
    /// number.
    pub fn archived(&self) -> io::Result<Vec<(ChangeId, PathBuf)>> {
        let mut entries = entries(&self.archive())?;
        entries.sort_by(|(one, _), (other, _)| numbered(one).cmp(&numbered(other)));
        let named =
            entries.into_iter().filter_map(|(name, path)| Some((id_in(&name, &path)?, path)));
        Ok(named.collect())
    }
}

/// Says whether a folder holds a change: its journal has an entry, or one that cannot be read. A crash may have left a
/// folder in which nobody asked for anything yet.
pub fn is_begun(folder: &Path) -> bool {
    journal::read(folder).map_or(true, |(records, _)| !records.is_empty())
}

/// Reads whose folder an archived one is: its name may have a number at its end, its journal tells. Of one that cannot be
/// read only the name can: a number is no part of the id where the folder without it was there first.
fn id_in(name: &str, folder: &Path) -> Option<ChangeId> {
    if let Ok((records, _)) = journal::read(folder) {
        return records.iter().find_map(|record| match &record.entry {
            super::entry::Entry::Created { id, .. } => Some(id.clone()),
            _ => None,
        });
    }
    let (first, number) = numbered(name);
    let is_second = number > 1 && Folder::open(&folder.with_file_name(first)).is_ok();
    let name = if is_second { first } else { name };
    name.get(DATE.len()..)?.parse().ok()
}

/// What comes before the id in the name of an archived change's folder.
const DATE: &str = "YYYY-MM-DD-";

/// Takes the number off the end of a name; one without has the first.
fn numbered(name: &str) -> (&str, u64) {
    let ends_in_number = name.rsplit_once('-').and_then(|(first, number)| {
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        Some((first, number.parse().ok().filter(|_| is_number)?))
    });
    ends_in_number.unwrap_or((name, 1))
}

/// Lists the folders in a folder, sorted by name; one that is not there is empty.
fn entries(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let folders = own::entries(folder)?.into_iter().filter(|(_, kind)| *kind == Kind::Folder);
    let named = folders.filter_map(|(name, _)| name.into_string().ok());
    let entries: Vec<_> = named.map(|name| (name.clone(), folder.join(name))).collect();
    refuse_large(folder, &entries)?;
    Ok(entries)
}

/// Refuses changes whose journals are larger together than is read for one listing.
fn refuse_large(folder: &Path, changes: &[(String, PathBuf)]) -> io::Result<()> {
    let mut bytes: u64 = 0;
    if !changes.is_empty() {
        let opened = Folder::open(folder)?;
        for (name, _) in changes {
            bytes = bytes.saturating_add(opened.size(&Path::new(name).join(journal::FILE))?);
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
    fn a_change_that_was_archived_often_on_a_day_is_found_where_it_was_archived_last() {
        let root = tempfile::tempdir().unwrap();
        let (id, project) = ("add-login".parse().unwrap(), Project::at(root.path()));
        let new = NewChange::following(CATALOG.flow("sdd").unwrap(), "Add login");
        drop(Change::create(&id, &project, new).unwrap());
        fs::create_dir(project.archive()).unwrap();
        let names = ["", "-2", "-9", "-10"].map(|end| format!("2026-11-17-add-login{end}"));
        for name in &names {
            let folder = project.archive().join(name);
            fs::create_dir(&folder).unwrap();
            fs::copy(project.change(&id).join(journal::FILE), folder.join(journal::FILE)).unwrap();
        }
        let archived = project.archived().unwrap();
        let found: Vec<_> = archived.iter().filter_map(|(_, path)| path.file_name()).collect();
        assert_eq!(found, names.each_ref().map(std::ffi::OsStr::new));
        assert_eq!(project.find_archived(&id).unwrap(), Some(project.archive().join(&names[3])));
    }

    #[test]
    fn an_archived_change_that_cannot_be_read_has_the_id_that_its_folder_is_named_for() {
        let root = tempfile::tempdir().unwrap();
        let project = Project::at(root.path());
        let names = ["2026-11-17-a", "2026-11-17-a-2", "2026-11-17-step-7", "notes"];
        for name in names {
            let folder = project.archive().join(name);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(journal::FILE), "garbage\n").unwrap();
        }
        let archived = project.archived().unwrap();
        let ids: Vec<_> = archived.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["a", "a", "step-7"]);
    }
}
