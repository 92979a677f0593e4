//! A worktree of a change, outside of the user's checkout: looking at it, and removing it when nothing is lost by it.

use std::path::{Path, PathBuf};

use super::commit::Commit;
use super::error::GitError;
use super::folder::touch;
use super::lock::Lock;
use super::place::Place;
use super::repository::Repository;
use super::status::{ChangedPath, Standing, items, path_of};

/// A worktree that agentd made. Whoever has it is the only one who works in it.
#[derive(Debug)]
pub struct Worktree {
    pub(super) repository: Repository,
    pub(super) place: Place,
    /// Its own branch; none if it was made for a commit.
    pub(super) branch: Option<String>,
    pub(super) kept: Option<PathBuf>,
    pub(super) origin: Origin,
}

/// Whether a worktree was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was made just now.
    Made,
    /// It was there.
    Found,
}

impl Worktree {
    /// Gives its folder.
    pub fn path(&self) -> &Path {
        &self.place.tree
    }

    /// Gives its own branch; none if it was made for a commit.
    pub fn branch(&self) -> Option<&str> {
        self.branch.as_deref()
    }

    /// Gives what was in the place of the folder and was put aside under another name, if anything.
    pub fn put_aside(&self) -> Option<&Path> {
        self.kept.as_deref()
    }

    /// Says whether it was there before it was asked for.
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// Gives the commit that is checked out. An agent may have made it.
    pub fn head(&self) -> Result<Commit, GitError> {
        self.place.head()
    }

    /// Lists what differs from the commit that is checked out, new files one by one, ignored files never.
    pub fn status(&self) -> Result<Vec<ChangedPath>, GitError> {
        self.place.status()
    }

    /// Gives what is checked out and what differs from it.
    pub(super) fn standing(&self) -> Result<Standing, GitError> {
        self.place.standing()
    }

    /// Gives the commit that is checked out, which there must be.
    pub(super) fn head_of(&self, standing: Standing) -> Result<Commit, GitError> {
        standing.head.ok_or_else(|| GitError::NoCommit { root: self.path().to_owned() })
    }

    /// Says whether a commit is checked out, on the worktree's own branch or on none where it was made for a commit, and
    /// nothing differs from it.
    pub fn is_as_at(&self, commit: &Commit) -> Result<bool, GitError> {
        let found = self.standing()?;
        Ok(found.head.as_ref() == Some(commit)
            && found.branch == self.branch
            && found.changes.is_empty())
    }

    /// Says whether all that sets it up was done.
    pub fn is_set_up(&self) -> bool {
        self.mark().exists()
    }

    /// Takes down that all that sets it up was done, for as long as the worktree is there.
    pub fn mark_set_up(&self) -> Result<(), GitError> {
        touch(&self.mark())
    }

    fn mark(&self) -> PathBuf {
        self.place.git_dir.join("agentd.set-up")
    }

    /// Removes the worktree, ignored files included. Its branch stays. Refuses if anything would be lost: edits that
    /// are not committed, commits on no branch, or a repository inside.
    pub fn remove(self) -> Result<(), GitError> {
        let lock = self.repository.lock()?;
        let _alone = self.lock()?;
        let found = self.standing()?;
        refuse_edits(self.path(), &found.changes)?;
        self.refuse_loose(self.head_of(found)?)?;
        self.take_away(&lock)
    }

    /// Removes the worktree if it is just as at a commit that the caller knows to be held elsewhere, and says whether it
    /// is. Refuses as [`remove`](Self::remove) does where a repository is inside.
    pub fn remove_at(self, held: &Commit) -> Result<bool, GitError> {
        let lock = self.repository.lock()?;
        let _alone = self.lock()?;
        if !self.is_as_at(held)? {
            return Ok(false);
        }
        self.take_away(&lock).map(|()| true)
    }

    fn take_away(&self, lock: &Lock) -> Result<(), GitError> {
        if let Some(path) = self.submodule()? {
            return Err(GitError::Nested { path, place: self.path().to_owned() });
        }
        let call = self.repository.place.call(&["worktree", "remove"]);
        // Without force git refuses wherever a submodule is named, even if it is not there.
        call.argument("--force").argument(self.path()).holding(lock).run().map(|_| ())
    }

    /// Refuses a commit that no name leads to.
    fn refuse_loose(&self, commit: Commit) -> Result<(), GitError> {
        let refs = ["refs/heads", "refs/remotes", "refs/tags"];
        let call = self.place.call(&["for-each-ref", "--count=1", "--contains"]);
        if call.argument(commit.as_str()).arguments(refs.map(AsRef::as_ref)).run()?.is_empty() {
            return Err(GitError::OnNoBranch { place: self.path().to_owned(), commit });
        }
        Ok(())
    }

    /// Finds a submodule that is there, with commits that may be nowhere else.
    fn submodule(&self) -> Result<Option<PathBuf>, GitError> {
        let list = self.place.call(&["ls-files", "--stage", "-z"]).run()?;
        let linked = items(&list).filter_map(|item| item.strip_prefix(b"160000 "));
        let paths = linked.filter_map(|item| item.splitn(2, |byte| *byte == b'\t').nth(1));
        let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
        let found = paths.map(path_of).find(|path| is_there(&self.path().join(path).join(".git")));
        // Where git keeps what belongs to the submodules of this worktree.
        let modules = self.place.git_dir.join("modules");
        Ok(found.or_else(|| Some(modules).filter(is_there)))
    }

    /// Waits until no git that agentd started works here, not even one that was left over from a run that was killed.
    pub(super) fn lock(&self) -> Result<Lock, GitError> {
        Lock::of(&self.place.git_dir)
    }
}

/// Refuses to go on where something is not committed.
pub(super) fn refuse_edits(place: &Path, changes: &[ChangedPath]) -> Result<(), GitError> {
    if changes.is_empty() {
        return Ok(());
    }
    let files = changes.iter().map(|changed| changed.path.clone()).collect();
    Err(GitError::Dirty { place: place.to_owned(), files })
}
