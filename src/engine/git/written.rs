//! Writing a tree into the user's checkout, and taking that back.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::commit::Commit;
use super::error::GitError;
use super::folder::remove_file;
use super::in_the_way::{Rewritten, in_the_way, rewritten};
use super::place::Place;
use super::status::{Change, items, path_of};

/// A tree that goes into what is checked out.
pub(super) struct Written<'w> {
    pub(super) place: &'w Place,
    /// The folders in which the user's checkout may differ.
    pub(super) except: &'w [&'w str],
    /// The commit that is checked out.
    pub(super) head: &'w Commit,
    pub(super) tree: &'w OsStr,
}

impl Written<'_> {
    /// Returns whether the tree is what is checked out and staged: a run that was cut off may have written it.
    pub(super) fn is_there(&self) -> Result<bool, GitError> {
        if !self.differing()?.is_empty() {
            return Ok(false);
        }
        let options = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff"];
        let call = self.place.call(&options).argument("--ignore-submodules=none");
        let edited = call.run()?;
        let is_none = items(&edited).all(|path| !self.is_outside(&path_of(path)));
        Ok(is_none)
    }

    /// Refuses edits that are not committed, and files of the user's that are in the way.
    pub(super) fn refuse(&self, branch: &str) -> Result<(), GitError> {
        let mut uncommitted = self.place.status()?;
        uncommitted.retain(|one| one.change != Change::Untracked && one.is_outside(self.except));
        if !uncommitted.is_empty() {
            let files = uncommitted.into_iter().map(|one| one.path).collect();
            return Err(GitError::Dirty { place: self.place.tree.clone(), files });
        }
        let files = in_the_way(self.place, &rewritten(self.place, self.head, self.tree)?)?;
        if files.is_empty() {
            return Ok(());
        }
        Err(GitError::InTheWay { branch: branch.to_owned(), files })
    }

    /// Writes the tree over that of the commit. What fails half-way is taken back.
    pub(super) fn write(&self) -> Result<(), GitError> {
        // What only looks changed would be refused. Its status tells of files that are changed, in `agentd/` say.
        self.place.call(&["update-index", "-q", "--refresh"]).answer()?;
        let head = OsString::from(self.head.as_str());
        self.exchange(&head, self.tree).inspect_err(|_| self.clear_up())
    }

    /// Moves the branch that is checked out to a commit of the tree, once the index holds that tree. Otherwise the files are
    /// what they were.
    pub(super) fn moved_to(
        &self,
        commit: &Commit,
        branch: &str,
        into: &str,
    ) -> Result<(), GitError> {
        let files = self.differing()?;
        let moved = if files.is_empty() {
            let orig = self.place.call(&["update-ref", "ORIG_HEAD", self.head.as_str()]);
            orig.run().and_then(|_| self.move_branch(commit, branch, into))
        } else {
            Err(GitError::NotAsRehearsed { branch: branch.to_owned(), files })
        };
        moved.or_else(|error| {
            self.exchange(self.tree, self.head.as_str().as_ref())?;
            Err(error)
        })
    }

    fn move_branch(&self, commit: &Commit, branch: &str, into: &str) -> Result<(), GitError> {
        let reason = format!("merge {branch}");
        let call = self.place.call(&["update-ref", "-m"]).argument(reason);
        let call = call.argument(format!("refs/heads/{into}")).argument(commit.as_str());
        call.argument(self.head.as_str()).undivided().run().map(|_| ())
    }

    /// Lists what the index holds otherwise than the tree.
    fn differing(&self) -> Result<Vec<PathBuf>, GitError> {
        let options = ["diff-index", "--cached", "--name-only", "-z", "--no-renames"];
        let call = self.place.call(&options).argument("--ignore-submodules=none");
        let list = call.argument(self.tree).run()?;
        Ok(items(&list).map(path_of).filter(|path| self.is_outside(path)).collect())
    }

    fn is_outside(&self, path: &Path) -> bool {
        !self.except.iter().any(|folder| path.starts_with(folder))
    }

    /// Makes the files of one tree those of another. What the user has beside them stays.
    fn exchange(&self, from: &OsStr, to: &OsStr) -> Result<(), GitError> {
        let call = self.place.call(&["read-tree", "-m", "-u", "--no-recurse-submodules"]);
        call.argument(from).argument(to).undivided().run().map(|_| ())
    }

    /// Takes back what was written before git failed: the index does not know of it yet. A file that is not what was to be
    /// written is somebody else's.
    fn clear_up(&self) {
        let changes = rewritten(self.place, self.head, self.tree).unwrap_or_default();
        for change in changes.iter().filter(|it| !it.is_submodule()) {
            if let Err(error) = self.clear_up_one(change) {
                log::warn!("`{}` may be half-merged: {error}", change.path.display());
            }
        }
    }

    fn clear_up_one(&self, change: &Rewritten) -> Result<(), GitError> {
        let full = self.place.tree.join(&change.path);
        let is_there = fs::symlink_metadata(&full).is_ok();
        if is_there && (change.is_removed() || self.object_at(&change.path)? != change.object) {
            return Ok(());
        }
        if is_there {
            remove_file(&full)?;
        }
        let call = self.place.call(&["checkout-index", "--quiet", "-z", "--stdin"]);
        let path = [change.path.as_os_str().as_bytes(), b"\0"].concat();
        // What is new has no entry in the index.
        call.input(&path).undivided().answer().map(|_| ())
    }

    /// Returns the object that git would make of a file or a link.
    fn object_at(&self, path: &Path) -> Result<String, GitError> {
        let full = self.place.tree.join(path);
        let link = fs::read_link(&full).map(PathBuf::into_os_string);
        let call = self.place.call(&["hash-object"]).undivided();
        let line = match &link {
            Ok(target) => call.argument("--stdin").input(target.as_bytes()).line()?,
            Err(_) => call.argument("--").argument(path).line()?,
        };
        Ok(line.to_string_lossy().into_owned())
    }
}
