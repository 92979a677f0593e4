//! The files of a workspace: checking a commit out, what differs from it, and setting it back.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::SystemTime;

use super::commit::Commit;
use super::error::GitError;
use super::folder::{date_index, open_up, put_aside, remove_file};
use super::lock::Lock;
use super::status::{items, path_of};
use super::workspace::Workspace;

/// How often leftovers are removed: one rule file less can show files that it hid.
const MOST_CLEANINGS: u32 = 20;

/// What is in the folder of a workspace before a commit is checked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing: the folder was made just now.
    Nothing,
    /// Files of another commit, and what somebody left.
    Files,
}

/// What differs between a workspace and the commit that was checked out.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Files that are new, other or gone.
    pub(super) paths: BTreeSet<PathBuf>,
    /// Folders with a repository of their own, into which git does not look.
    pub(super) nested: Vec<PathBuf>,
}

impl Listing {
    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.nested.is_empty()
    }
}

impl Workspace {
    /// Returns whether the files and the branch are those of a commit.
    pub fn is_as_at(&self, commit: &Commit) -> Result<bool, GitError> {
        if self.head()?.as_ref() != Some(commit) {
            return Ok(false);
        }
        if let Some(branch) = &self.branch
            && self.repository.branch_commit(branch)?.as_ref() != Some(commit)
        {
            return Ok(false);
        }
        let _lock = self.lock()?;
        self.is_clean()
    }

    /// Returns whether the files are those that were checked out.
    fn is_clean(&self) -> Result<bool, GitError> {
        Ok(self.list()?.is_empty() && self.edited_submodules()?.is_empty())
    }

    /// Sets files and branch back to a commit: new files are gone, ignored ones stay. The agent's own `.git` is made anew.
    pub fn restore(&self, commit: &Commit) -> Result<(), GitError> {
        let lock = self.lock()?;
        if let Some(branch) = &self.branch {
            self.repository.move_branch(branch, commit)?;
        }
        if self.head()?.as_ref() == Some(commit) && self.is_clean()? {
            return self.give_git(commit);
        }
        self.check_out(commit, Before::Files, &lock)
    }

    /// Sets files and branch back to a commit, and removes ignored files too.
    pub fn restore_bare(&self, commit: &Commit) -> Result<(), GitError> {
        self.restore(commit)?;
        let lock = self.lock()?;
        self.unmark_set_up()?;
        let call = self.call(&["clean", "-ffdxq"]);
        call.holding(&lock).run().map(|_| ())
    }

    /// Lists the ignored files of the workspace; a folder with nothing else is one entry.
    pub fn ignored(&self) -> Result<Vec<PathBuf>, GitError> {
        let options = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
        let list = self.call(&options).run()?;
        Ok(items(&list).map(path_of).collect())
    }

    /// Makes the files those of a commit.
    pub(super) fn check_out(
        &self,
        commit: &Commit,
        before: Before,
        lock: &Lock,
    ) -> Result<(), GitError> {
        match self.fill(commit, before, lock) {
            // Whoever worked there may have left folders that nobody may change.
            Err(GitError::Failed { .. }) if before == Before::Files => {
                open_up(self.path());
                self.fill(commit, before, lock)
            }
            filled => filled,
        }
    }

    fn fill(&self, commit: &Commit, before: Before, lock: &Lock) -> Result<(), GitError> {
        if self.head()?.is_none() {
            // A checkout that was cut off: the index may know of files that are not there.
            remove_file(&self.state.join("index"))?;
        }
        self.begin_checkout()?;
        let call = self.call(&["read-tree", "--reset", "-u", "--no-recurse-submodules"]);
        call.argument(commit.as_str()).holding(lock).run()?;
        if before == Before::Files {
            self.remove_leftovers(lock)?;
        }
        self.export_submodules()?;
        self.end_checkout(commit)?;
        self.give_git(commit)
    }

    /// Removes files that are new. A repository inside is never deleted: it is put aside, beside the workspace.
    fn remove_leftovers(&self, lock: &Lock) -> Result<(), GitError> {
        for _ in 0..MOST_CLEANINGS {
            let list = self.call(&["ls-files", "-z", "-o", "--exclude-standard"]).run()?;
            if list.is_empty() {
                return Ok(());
            }
            for nested in items(&list).filter(|name| name.ends_with(b"/")) {
                let kept = put_aside(&self.path.join(path_of(nested)), &self.path)?;
                log::warn!("a repository in a workspace is kept in `{}`", kept.display());
            }
            self.call(&["clean", "-ffdq"]).holding(lock).run()?;
        }
        Ok(())
    }

    /// Lists what differs from the commit that was checked out.
    pub(super) fn list(&self) -> Result<Listing, GitError> {
        let options = ["ls-files", "-z", "-d", "-m", "-o", "--exclude-standard"];
        let begun = SystemTime::now();
        let list = self.call(&options).run()?;
        let mut listing = Listing::default();
        for item in items(&list) {
            if item.ends_with(b"/") {
                listing.nested.push(path_of(item));
            } else {
                listing.paths.insert(path_of(item));
            }
        }
        if listing.is_empty() {
            let index = self.state.join("index");
            date_index(&index, begun).map_err(|error| GitError::io("date", &index, error))?;
        }
        Ok(listing)
    }
}
