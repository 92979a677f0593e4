//! The edits in a worktree: committing them, keeping them as a patch, and taking them back.

use std::path::Path;

use super::commit::Commit;
use super::diff::PATCH;
use super::error::GitError;
use super::lock::Lock;
use super::snapshot::{Snapshot, save};
use super::status::{Change, ChangedPath, parse_names};
use super::worktree::Worktree;

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
        let changes = self.status()?;
        self.refuse_nested(&changes)?;
        let in_conflict = changes.into_iter().filter(|one| one.change == Change::Conflicted);
        let files: Vec<_> = in_conflict.map(|one| one.path).collect();
        if !files.is_empty() {
            return Err(GitError::InConflict { place: self.path().to_owned(), files });
        }
        self.attach(&lock)?;
        self.place.call(&["add", "--all", "--sparse", "--", "."]).holding(&lock).run()?;
        let tree = self.place.call(&["write-tree"]).holding(&lock).line()?;
        let head = self.head()?;
        if tree == self.place.call(&["rev-parse", "--verify", "HEAD^{tree}"]).line()? {
            return Ok(None);
        }
        let made = self.place.commit_tree(&tree, &head, message)?;
        let call = self.place.call(&["update-ref", "-m", "agentd: commit", "HEAD"]);
        call.argument(made.as_str()).argument(head.as_str()).holding(&lock).run()?;
        Ok(Some(made))
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
        self.attach(&lock)?;
        let call = self.place.call(&["reset", "--hard", "--quiet"]);
        call.argument(commit.as_str()).holding(&lock).run()?;
        self.place.call(&["clean", "-d", "--force", "--quiet"]).holding(&lock).run()?;
        self.refuse_nested(&self.status()?)
    }

    /// Makes the worktree's own branch, or none, the one that is checked out. Neither files nor commits change.
    fn attach(&self, lock: &Lock) -> Result<(), GitError> {
        let found = self.place.branch()?;
        if found == self.branch {
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
