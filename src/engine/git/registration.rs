//! What a repository knows of its worktrees: a folder for each in `worktrees/` of its git folder, whose layout git
//! documents. It is read here rather than asked of git, which does not tell half-made ones from whole ones.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::error::GitError;
use super::folder::{is_vacant, real};
use super::repository::Repository;
use super::status::path_of;
use crate::files::faults::{Step, before};

/// Why a worktree is locked while it is made, by git itself and by us.
pub(super) const BEING_MADE: &str = "initializing";

/// A worktree as its repository knows it.
#[derive(Debug)]
pub(super) struct Registration {
    /// Its own git folder.
    pub(super) git_dir: PathBuf,
    /// Its folder, which may be gone.
    pub(super) path: PathBuf,
    /// The branch that it is on.
    pub(super) branch: Option<String>,
    is_half_made: bool,
}

/// What has become of a worktree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// It is there.
    Whole,
    /// Git was stopped while it made it.
    HalfMade,
    /// Its folder is gone, or empty.
    Lost,
}

impl Registration {
    fn read(git_dir: PathBuf) -> Result<Option<Self>, GitError> {
        let Some(link) = contents(&git_dir.join("gitdir"))? else { return Ok(None) };
        // It names the link in the worktree, from here if it is not a full path.
        let link = git_dir.join(path_of(link.trim_ascii_end()));
        let Some(folder) = link.parent() else { return Ok(None) };
        let path = real(folder).unwrap_or_else(|_| folder.to_owned());
        let branch = branch_in(&git_dir)?;
        let reason = contents(&git_dir.join("locked"))?;
        let is_half_made =
            reason.is_some_and(|reason| reason.trim_ascii_end() == BEING_MADE.as_bytes());
        Ok(Some(Self { git_dir, path, branch, is_half_made }))
    }

    /// Says what has become of the worktree. Nobody may be making it.
    pub(super) fn condition(&self) -> Result<Condition, GitError> {
        Ok(if self.is_half_made {
            Condition::HalfMade
        } else if is_vacant(&self.path)? {
            Condition::Lost
        } else {
            Condition::Whole
        })
    }

    /// Writes the link from the worktree to here anew, if it is missing or wrong.
    #[expect(clippy::disallowed_methods, reason = "half a link is a wrong one, and mended as such")]
    pub(super) fn mend_link(&self) -> Result<(), GitError> {
        let link = self.path.join(".git");
        let text = [b"gitdir: ", self.git_dir.as_os_str().as_bytes(), b"\n"].concat();
        match fs::read(&link) {
            Ok(found) if found == text => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                return Err(GitError::Replaced { path: link });
            }
            Ok(_) | Err(_) => {}
        }
        let written = before(Step::Write, &link).and_then(|()| fs::write(&link, text));
        written.map_err(|error| GitError::io("write", &link, error))
    }
}

impl Repository {
    /// Says where a branch is checked out, by the user or in a worktree, if it is.
    pub(super) fn checked_out_at(&self, branch: &str) -> Result<Option<PathBuf>, GitError> {
        let is_it = |found: Option<&str>| found == Some(branch);
        if is_it(branch_in(&self.common)?.as_deref()) {
            return Ok(Some(self.common.parent().unwrap_or(&self.common).to_owned()));
        }
        let mut all = registrations(&self.common)?.into_iter();
        Ok(all.find(|one| is_it(one.branch.as_deref())).map(|one| one.path))
    }
}

/// Lists the worktrees of a repository.
pub(super) fn registrations(common: &Path) -> Result<Vec<Registration>, GitError> {
    let folder = common.join("worktrees");
    let failed = |error| GitError::io("read", &folder, error);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        found.extend(Registration::read(entry.map_err(failed)?.path())?);
    }
    found.sort_by(|one, other| one.git_dir.cmp(&other.git_dir));
    Ok(found)
}

/// Gives the branch that a git folder has checked out.
pub(super) fn branch_in(git_dir: &Path) -> Result<Option<String>, GitError> {
    let head = contents(&git_dir.join("HEAD"))?.unwrap_or_default();
    let branch = head.trim_ascii_end().strip_prefix(b"ref: refs/heads/");
    Ok(branch.map(|name| String::from_utf8_lossy(name).into_owned()))
}

/// Reads a file, if it is there.
fn contents(path: &Path) -> Result<Option<Vec<u8>>, GitError> {
    match fs::read(path) {
        Ok(text) => Ok(Some(text)),
        // A worktree may be removed while the list is read.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(error) => Err(GitError::io("read", path, error)),
    }
}
