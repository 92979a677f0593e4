//! What git says has changed, read from its NUL-separated lists, in which any name is possible.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// A path that has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedPath {
    /// The path from the top of the checkout.
    pub path: PathBuf,
    /// What has become of it.
    pub change: Change,
}

/// What has become of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    Added,
    /// Its contents, mode or type are others.
    Modified,
    /// It is gone.
    Deleted,
    /// It had another name.
    Renamed {
        /// The name that it had.
        from: PathBuf,
    },
    /// It is new, and git was not told of it.
    Untracked,
    /// A merge left it in conflict.
    Conflicted,
}

impl ChangedPath {
    fn new(path: &[u8], change: Change) -> Self {
        Self { path: path_of(path), change }
    }

    /// Returns whether the path, or the one that it had, is outside of some folders.
    pub fn is_outside(&self, folders: &[&str]) -> bool {
        let outside = |path: &Path| !folders.iter().any(|folder| path.starts_with(folder));
        match &self.change {
            Change::Renamed { from } => outside(from) || outside(&self.path),
            Change::Added
            | Change::Modified
            | Change::Deleted
            | Change::Untracked
            | Change::Conflicted => outside(&self.path),
        }
    }
}

pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

/// Splits a list of items that each end with NUL.
pub(super) fn items(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|byte| *byte == 0).filter(|item| !item.is_empty())
}

/// Reads what `git status --porcelain=v2 -z` prints.
pub(super) fn parse_status(list: &[u8]) -> Vec<ChangedPath> {
    let mut changes = Vec::new();
    let mut items = items(list);
    while let Some(item) = items.next() {
        // The path is what stands behind so many fields; it may itself hold spaces.
        let path = |fields| item.splitn(fields, |byte| *byte == b' ').last().unwrap_or_default();
        let staged = item.get(2).copied().unwrap_or(b'.');
        let unstaged = item.get(3).copied().unwrap_or(b'.');
        let changed = match item.first() {
            Some(b'1') => ChangedPath::new(path(9), ordinary(staged, unstaged)),
            Some(b'2') => {
                let from = items.next().map(path_of).unwrap_or_default();
                let change = match (staged, unstaged) {
                    (_, b'D') => Change::Deleted,
                    (b'C', _) => Change::Added,
                    _ => Change::Renamed { from },
                };
                ChangedPath::new(path(10), change)
            }
            Some(b'u') => ChangedPath::new(path(11), Change::Conflicted),
            Some(b'?') => ChangedPath::new(path(2), Change::Untracked),
            // Ignored files, which are not asked for, and headers.
            _ => continue,
        };
        changes.push(changed);
    }
    changes
}

/// Joins what happened between commit and index, and between index and file.
fn ordinary(staged: u8, unstaged: u8) -> Change {
    match (staged, unstaged) {
        (_, b'D') | (b'D', _) => Change::Deleted,
        (b'A', _) | (_, b'A') => Change::Added,
        _ => Change::Modified,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(path: &str, change: Change) -> ChangedPath {
        ChangedPath::new(path.as_bytes(), change)
    }

    #[test]
    fn every_kind_of_line_is_read() {
        let list = b"1 .M N... 100644 100644 100644 aa bb a b\0\
            1 A. N... 0 100644 100644 aa bb new\nline\0\
            1 AD N... 0 100644 0 aa bb both\0\
            2 R. N... 100644 100644 100644 aa bb R100 to here\0from there\0\
            u UU N... 1 2 3 4 aa bb cc both ways\0\
            ? -x\0? nested/\0";
        let expected = [
            changed("a b", Change::Modified),
            changed("new\nline", Change::Added),
            changed("both", Change::Deleted),
            changed("to here", Change::Renamed { from: "from there".into() }),
            changed("both ways", Change::Conflicted),
            changed("-x", Change::Untracked),
            changed("nested/", Change::Untracked),
        ];
        let read = parse_status(list);
        assert_eq!(read, expected);
    }

    #[test]
    fn a_path_is_outside_of_a_folder_that_only_begins_like_it() {
        let outside = |path, change| changed(path, change).is_outside(&["agentd/"]);
        assert!(!outside("agentd/config.toml", Change::Untracked));
        assert!(outside("agentd.md", Change::Modified) && outside("agentd2/x", Change::Added));
        assert!(outside("agentd/x", Change::Renamed { from: "x".into() }));
    }
}
