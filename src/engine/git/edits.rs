//! The edits in a worktree: committing them, keeping them as a patch, and taking them back.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::commit::Commit;
use super::diff::PATCH;
use super::error::GitError;
use super::lock::Lock;
use super::snapshot::{Snapshot, save};
use super::status::{Change, ChangedPath, parse_names};
use super::worktree::Worktree;

/// What the index holds, for a commit to be made of.
struct Staged {
    /// The commit that it comes after.
    head: Commit,
    /// Its tree; none if nothing differs from that commit.
    tree: Option<OsString>,
}

impl Worktree {
    /// Lists what differs from a commit, whether or not an agent has committed it.
    pub fn changes_since(&self, since: &Commit) -> Result<Vec<ChangedPath>, GitError> {
        let _alone = self.lock()?;
        let snapshot = Snapshot::take(&self.place)?;
        let call = snapshot.call(&["diff-index", "--cached", "-M", "--name-status", "-z"]);
        Ok(parse_names(&call.argument(since.as_str()).run()?))
    }

    /// Commits all that is not ignored to the worktree's own branch, even if an agent has left that branch, with the
    /// user as the author if git knows the user, and agentd as the committer. Gives none if there is nothing to commit,
    /// which is also so if an agent has committed everything itself.
    pub fn commit_all(&self, message: &str) -> Result<Option<Commit>, GitError> {
        let lock = self.lock()?;
        let staged = self.stage(&lock)?;
        self.commit_staged(&staged, message, &lock)
    }

    /// Commits as [`commit_all`](Self::commit_all) does, and gives the commit that holds everything then, with all paths
    /// that differ from the one that the work began with. One that does not build on that is an error.
    pub fn commit_since(
        &self,
        start: &Commit,
        message: &str,
    ) -> Result<(Commit, Vec<PathBuf>), GitError> {
        let lock = self.lock()?;
        let staged = self.stage(&lock)?;
        match &staged.tree {
            None if staged.head == *start => Ok((staged.head, Vec::new())),
            Some(tree) if staged.head == *start => {
                let paths = self.repository.paths_to(start, tree)?;
                if paths.is_empty() {
                    return Ok((staged.head, paths));
                }
                Ok((self.commit_tree(tree, &staged.head, message, &lock)?, paths))
            }
            // The agent has made commits itself.
            None | Some(_) => {
                let made = self.commit_staged(&staged, message, &lock)?;
                let commit = made.unwrap_or(staged.head);
                if !self.repository.contains(&commit, start)? {
                    let branch = self.branch.clone().unwrap_or_else(|| "HEAD".to_owned());
                    let expected = start.clone();
                    return Err(GitError::BranchMoved { branch, expected, found: commit });
                }
                let paths = self.repository.paths(start, &commit)?;
                Ok((commit, paths))
            }
        }
    }

    /// Puts all that is not ignored into the index, for a commit on the worktree's own branch.
    fn stage(&self, lock: &Lock) -> Result<Staged, GitError> {
        let found = self.standing()?;
        self.refuse_nested(&found.changes)?;
        let in_conflict = found.changes.iter().filter(|one| one.change == Change::Conflicted);
        let files: Vec<_> = in_conflict.map(|one| one.path.clone()).collect();
        if !files.is_empty() {
            return Err(GitError::InConflict { place: self.path().to_owned(), files });
        }
        let is_at_its_place = found.branch == self.branch;
        if is_at_its_place && found.changes.is_empty() {
            return Ok(Staged { head: self.head_of(found)?, tree: None });
        }
        self.attach(found.branch.as_deref(), lock)?;
        self.place.call(&["add", "--all", "--sparse", "--", "."]).holding(lock).run()?;
        let tree = self.place.call(&["write-tree"]).holding(lock).line()?;
        let head = if is_at_its_place { self.head_of(found)? } else { self.head()? };
        Ok(Staged { head, tree: Some(tree) })
    }

    /// Makes a commit of what is staged, unless that is what is committed already.
    fn commit_staged(
        &self,
        staged: &Staged,
        message: &str,
        lock: &Lock,
    ) -> Result<Option<Commit>, GitError> {
        let Some(tree) = &staged.tree else { return Ok(None) };
        if *tree == self.place.call(&["rev-parse", "--verify", "HEAD^{tree}"]).line()? {
            return Ok(None);
        }
        self.commit_tree(tree, &staged.head, message, lock).map(Some)
    }

    fn commit_tree(
        &self,
        tree: &OsStr,
        head: &Commit,
        message: &str,
        lock: &Lock,
    ) -> Result<Commit, GitError> {
        let made = self.place.commit_tree(tree, &[head], message)?;
        let call = self.place.call(&["update-ref", "-m", "agentd: commit", "HEAD"]);
        call.argument(made.as_str()).argument(head.as_str()).holding(lock).run()?;
        Ok(made)
    }

    /// Writes all that differs from a commit as a patch that `git apply` takes, new and binary files included, and says
    /// whether there was anything. Otherwise no file is written.
    pub fn save_patch(&self, since: &Commit, file: &Path) -> Result<bool, GitError> {
        let _alone = self.lock()?;
        let snapshot = Snapshot::take(&self.place)?;
        let call = snapshot.call(&["diff-index", "--cached", "--quiet"]);
        let answer = call.argument(since.as_str()).answer()?;
        if !answer.is(1) {
            return answer.successful().map(|_| false);
        }
        let call = snapshot.call(&["diff-index", "--cached", "--binary", "--full-index"]);
        let call = call.arguments(PATCH.map(AsRef::as_ref)).argument(since.as_str());
        save(call, file).map(|()| true)
    }

    /// Sets the worktree and its own branch back to a commit: files that git knows are as they were, new ones are gone,
    /// ignored ones stay. A repository inside is an error, since it is never deleted; all else is set back then.
    pub fn restore(&self, commit: &Commit) -> Result<(), GitError> {
        let lock = self.lock()?;
        self.attach(self.place.branch()?.as_deref(), &lock)?;
        self.reset(commit, &lock)?;
        self.refuse_nested(&self.status()?)
    }

    /// Makes the branch and the files those of a commit; new files are gone, ignored ones stay.
    pub(super) fn reset(&self, commit: &Commit, lock: &Lock) -> Result<(), GitError> {
        let call = self.place.call(&["reset", "--hard", "--quiet"]);
        call.argument(commit.as_str()).holding(lock).run()?;
        self.place.call(&["clean", "-d", "--force", "--quiet"]).holding(lock).run().map(|_| ())
    }

    /// Makes the worktree's own branch, or none, the one that is checked out. Neither files nor commits change.
    fn attach(&self, found: Option<&str>, lock: &Lock) -> Result<(), GitError> {
        if found == self.branch.as_deref() {
            return Ok(());
        }
        let Some(branch) = &self.branch else {
            let head = self.head()?;
            let call = self.place.call(&["update-ref", "--no-deref", "HEAD", head.as_str()]);
            return call.holding(lock).run().map(|_| ());
        };
        if !self.repository.branch_exists(branch)? {
            return Err(GitError::NoBranch { branch: branch.clone() });
        }
        let call = self.place.call(&["symbolic-ref", "-m", "agentd: back to its branch", "HEAD"]);
        call.argument(format!("refs/heads/{branch}")).holding(lock).run().map(|_| ())
    }

    fn refuse_nested(&self, changes: &[ChangedPath]) -> Result<(), GitError> {
        let Some(nested) = changes.iter().find(|one| one.is_nested_repository()) else {
            return Ok(());
        };
        let (path, place) = (nested.path.clone(), self.path().to_owned());
        Err(GitError::Nested { path, place })
    }
}
