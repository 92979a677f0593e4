//! Branches that are agentd's own: asking how two commits stand to each other, keeping what would else be lost, and
//! deleting what is held elsewhere.

use super::commit::Commit;
use super::error::GitError;
use super::repository::Repository;
use super::snapshot::Snapshot;
use super::worktree::Worktree;

impl Repository {
    /// Says whether one commit is another or comes before it.
    pub fn contains(&self, whole: &Commit, part: &Commit) -> Result<bool, GitError> {
        self.place.is_ancestor(part, whole)
    }

    /// Refuses a name of which no branch can be made, since there is one above it or below it.
    pub fn refuse_hindered(&self, branch: &str) -> Result<(), GitError> {
        let hindered = |other: String| Err(GitError::Hindered { branch: branch.to_owned(), other });
        for (end, _) in branch.match_indices('/') {
            if self.branch_exists(&branch[..end])? {
                return hindered(branch[..end].to_owned());
            }
        }
        let call = self.place.call(&["for-each-ref", "--count=1", "--format=%(refname:lstrip=2)"]);
        let below = call.argument(format!("refs/heads/{branch}/")).line()?;
        if below.is_empty() { Ok(()) } else { hindered(below.to_string_lossy().into_owned()) }
    }

    /// Refuses a branch that is at another commit than the one that was reviewed and checked; one that is gone holds
    /// nothing else.
    pub fn refuse_moved(&self, branch: &str, passed: &Commit) -> Result<(), GitError> {
        match self.branch_commit(branch)? {
            Some(found) => self.refuse_other(branch, passed, found),
            None => Ok(()),
        }
    }

    /// Refuses a commit that a branch is at and that is not the one that was reviewed and checked.
    pub(super) fn refuse_other(
        &self,
        branch: &str,
        passed: &Commit,
        found: Commit,
    ) -> Result<(), GitError> {
        if found == *passed {
            return Ok(());
        }
        let place = self.checked_out_at(branch)?;
        Err(GitError::NotAsPassed {
            branch: branch.to_owned(),
            passed: passed.clone(),
            found,
            place,
        })
    }

    /// Lists a branch, if it is there, and every branch whose name goes on with a full stop behind its own.
    pub fn branches_of(&self, name: &str) -> Result<Vec<String>, GitError> {
        let call = self.place.call(&["for-each-ref", "--format=%(refname:lstrip=2)"]);
        let all = call.argument(format!("refs/heads/{name}*")).run()?;
        let all = String::from_utf8_lossy(&all).into_owned();
        let is_of = |branch: &&str| {
            branch.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        Ok(all.lines().filter(is_of).map(str::to_owned).collect())
    }

    /// Makes a branch at a commit, under a name with a number behind it that nobody has yet, and gives the name. A branch
    /// of these names that is at the commit already is enough.
    fn keep(&self, stem: &str, commit: &Commit) -> Result<String, GitError> {
        let lock = self.lock()?;
        let mut number = 1;
        loop {
            let name = format!("{stem}-{number}");
            match self.branch_commit(&name)? {
                Some(found) if found == *commit => return Ok(name),
                Some(_) => number += 1,
                None => {
                    let call = self.place.call(&["branch", "--no-track"]).holding(&lock);
                    call.argument(&name).argument(commit.as_str()).run()?;
                    return Ok(name);
                }
            }
        }
    }

    /// Deletes a branch that is at a commit, which the caller knows to be held elsewhere. One that has moved is an error;
    /// one that somebody has checked out stays.
    pub fn delete_branch(&self, branch: &str, at: &Commit) -> Result<(), GitError> {
        let lock = self.lock()?;
        if self.checked_out_at(branch)?.is_some() {
            return Ok(());
        }
        let call = self.place.call(&["update-ref", "-d"]).holding(&lock);
        call.argument(format!("refs/heads/{branch}")).argument(at.as_str()).run().map(|_| ())
    }
}

impl Worktree {
    /// Gives the commit that its own branch is at, whatever is checked out.
    pub fn branch_commit(&self) -> Result<Option<Commit>, GitError> {
        match &self.branch {
            Some(branch) => self.repository.branch_commit(branch),
            None => Ok(None),
        }
    }

    /// Lists the commits that setting the worktree back to a commit takes away: what is checked out, and what its own
    /// branch is at, unless they come before it.
    pub fn commits_beyond(&self, since: &Commit) -> Result<Vec<Commit>, GitError> {
        let mut found = vec![self.head()?];
        found.extend(self.branch_commit()?.filter(|tip| *tip != found[0]));
        let mut beyond = Vec::new();
        for commit in found {
            if !self.repository.contains(since, &commit)? {
                beyond.push(commit);
            }
        }
        Ok(beyond)
    }

    /// Keeps all that came after a commit, whether or not it is committed, on a branch whose name begins with a stem, and
    /// gives its name. Gives none if nothing came after it. The worktree and its own branch stay as they are.
    pub fn keep(
        &self,
        since: &Commit,
        stem: &str,
        message: &str,
    ) -> Result<Option<String>, GitError> {
        let head = self.head()?;
        // An agent may have left the branch with commits on it.
        if let Some(tip) = self.branch_commit()?
            && tip != head
            && !self.repository.contains(since, &tip)?
        {
            self.repository.keep(stem, &tip)?;
        }
        let last = self.uncommitted(&head, message)?.unwrap_or(head);
        let is_new = !self.repository.contains(since, &last)?;
        is_new.then(|| self.repository.keep(stem, &last)).transpose()
    }

    /// Makes a commit of what is not committed, on no branch; gives none if all is.
    fn uncommitted(&self, head: &Commit, message: &str) -> Result<Option<Commit>, GitError> {
        let _alone = self.lock()?;
        let snapshot = Snapshot::take(&self.place)?;
        let tree = snapshot.call(&["write-tree"]).line()?;
        if tree == self.place.call(&["rev-parse", "--verify", "HEAD^{tree}"]).line()? {
            return Ok(None);
        }
        self.place.commit_tree(&tree, &[head], message).map(Some)
    }
}
