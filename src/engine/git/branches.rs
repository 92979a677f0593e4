//! Branches that are agentd's own: asking how two commits relate, moving a branch from where it is known to be, keeping
//! what would else be lost, and deleting what is held elsewhere.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::commit::Commit;
use super::error::GitError;
use super::repository::Repository;
use super::status::{items, path_of};
use super::take::RawChange;
use super::workspace::{Branch, Owner};

/// What `HEAD` says where refs are kept otherwise than in files.
const NOT_IN_FILES: &[u8] = b"ref: refs/heads/.invalid";

impl Repository {
    /// Returns whether one commit is another or comes before it.
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

    /// Makes a branch again at the commit that it is known to have been at, if it is gone.
    pub fn restore_branch(&self, branch: &str, at: &Commit) -> Result<(), GitError> {
        match self.branch_commit(branch)? {
            Some(_) => Ok(()),
            None => self.update_ref(branch, at.as_str(), Some(&none_of(at))),
        }
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

    /// Makes the branch of a workspace at a commit. One that is there elsewhere is refused, unless it is ours.
    pub(super) fn hold_branch(
        &self,
        branch: Branch<'_>,
        commit: &Commit,
        is_known: bool,
    ) -> Result<(), GitError> {
        // A crash may have left the lock of a branch; those of changes are agentd's alone.
        let lock = self.common.join(format!("refs/heads/{}.lock", branch.name));
        super::folder::remove_file(&lock)?;
        if is_known && self.branch_exists(branch.name)? {
            return Ok(());
        }
        let Err(error) = self.update_ref(branch.name, commit.as_str(), Some(&none_of(commit)))
        else {
            return Ok(());
        };
        match self.branch_commit(branch.name)? {
            None => Err(error),
            Some(found) if found == *commit || branch.owner == Owner::Agentd => Ok(()),
            Some(found) => {
                let (branch, expected) = (branch.name.to_owned(), commit.clone());
                Err(GitError::BranchMoved { branch, expected, found })
            }
        }
    }

    /// Moves a branch to a commit, from wherever it is.
    pub(super) fn move_branch(&self, branch: &str, to: &Commit) -> Result<(), GitError> {
        match self.branch_commit(branch)? {
            Some(found) if found == *to => Ok(()),
            found => {
                let from = found.map_or_else(|| none_of(to), |found| found.as_str().to_owned());
                self.refuse_in_use(branch)?;
                self.update_ref(branch, to.as_str(), Some(&from))
            }
        }
    }

    /// Moves a branch on, from where it is known to be.
    pub(super) fn advance_branch(
        &self,
        branch: &str,
        from: &Commit,
        to: &Commit,
    ) -> Result<(), GitError> {
        self.refuse_in_use(branch)?;
        let Err(error) = self.update_ref(branch, to.as_str(), Some(from.as_str())) else {
            return Ok(());
        };
        match self.branch_commit(branch)? {
            Some(found) if found != *from => {
                let (branch, expected) = (branch.to_owned(), from.clone());
                Err(GitError::BranchMoved { branch, expected, found })
            }
            // It is agentd's own, and what it held is known: it is made again.
            None => self.update_ref(branch, to.as_str(), Some(&none_of(to))),
            Some(_) => Err(error),
        }
    }

    /// Makes a branch at a commit, under a name with a number behind it that nobody has yet, and returns the name. A branch
    /// of these names that is at the commit already is enough.
    pub(super) fn keep(&self, stem: &str, commit: &Commit) -> Result<String, GitError> {
        let mut number = 1;
        loop {
            let name = format!("{stem}-{number}");
            match self.branch_commit(&name)? {
                Some(found) if found == *commit => return Ok(name),
                Some(_) => number += 1,
                None => {
                    self.update_ref(&name, commit.as_str(), Some(&none_of(commit)))?;
                    return Ok(name);
                }
            }
        }
    }

    /// Deletes a branch that is at a commit, which the caller knows to be held elsewhere. One that has moved is an error;
    /// one that somebody has checked out stays.
    pub fn delete_branch(&self, branch: &str, at: &Commit) -> Result<(), GitError> {
        if self.checked_out_at(branch)?.is_some() {
            return Ok(());
        }
        let call = self.place.call(&["update-ref", "--no-deref", "-d"]);
        call.argument(format!("refs/heads/{branch}")).argument(at.as_str()).run().map(|_| ())
    }

    /// Returns the branch of the user's that holds a commit, the one that is checked out before others; none holds a commit that is
    /// not there.
    pub fn merged_into(&self, commit: &Commit) -> Result<Option<String>, GitError> {
        if !self.is_there(commit)? {
            return Ok(None);
        }
        if self.place.is_ancestor(commit, &self.head()?)? {
            return Ok(Some(self.branch()?.unwrap_or_else(|| "HEAD".to_owned())));
        }
        let call = self.place.call(&["for-each-ref", "--format=%(refname:lstrip=2)"]);
        let all = call.argument(format!("--contains={commit}")).argument("refs/heads/").run()?;
        let all = String::from_utf8_lossy(&all).into_owned();
        Ok(all.lines().find(|branch| !branch.starts_with("agentd/")).map(str::to_owned))
    }

    /// Returns whether any branch holds a commit.
    pub(super) fn is_held(&self, commit: &Commit) -> Result<bool, GitError> {
        if !self.is_there(commit)? {
            return Ok(false);
        }
        let call = self.place.call(&["for-each-ref", "--count=1", "--format=%(refname)"]);
        let found = call.argument(format!("--contains={commit}")).argument("refs/heads/").line()?;
        Ok(!found.is_empty())
    }

    /// Returns whether the repository holds a commit.
    fn is_there(&self, commit: &Commit) -> Result<bool, GitError> {
        Ok(self.place.commit(commit.as_str())?.is_some())
    }

    /// Lists the refs below a folder of refs, with their objects.
    pub(super) fn refs_below(&self, folder: &str) -> Result<Vec<(String, String)>, GitError> {
        let call = self.place.call(&["for-each-ref", "--format=%(objectname) %(refname)"]);
        let all = call.argument(format!("{folder}/")).run()?;
        let all = String::from_utf8_lossy(&all).into_owned();
        let lines = all.lines().filter_map(|line| line.split_once(' '));
        Ok(lines.map(|(object, name)| (name.to_owned(), object.to_owned())).collect())
    }

    /// Deletes the refs of agentd's own that hold something of a change.
    pub fn delete_refs_of(&self, id: &str) -> Result<(), GitError> {
        for (name, object) in self.refs_below(&format!("refs/agentd/{id}"))? {
            let call = self.place.call(&["update-ref", "--no-deref", "-d"]);
            call.argument(name).argument(object).run()?;
        }
        Ok(())
    }

    fn update_ref(&self, branch: &str, to: &str, from: Option<&str>) -> Result<(), GitError> {
        let call = self.place.call(&["update-ref", "--no-deref", "-m", "agentd"]);
        let call = call.argument(format!("refs/heads/{branch}")).argument(to);
        call.arguments(from.map(OsStr::new)).run().map(|_| ())
    }

    /// Refuses a branch that is checked out: moving it would make its files look edited.
    pub fn refuse_in_use(&self, branch: &str) -> Result<(), GitError> {
        match self.checked_out_at(branch)? {
            Some(path) => Err(GitError::BranchInUse { branch: branch.to_owned(), path }),
            None => Ok(()),
        }
    }

    /// Returns where a branch is checked out, if it is: in the user's checkout or in a worktree that the user made.
    pub(super) fn checked_out_at(&self, branch: &str) -> Result<Option<PathBuf>, GitError> {
        let head = |git_dir: &Path| contents(&git_dir.join("HEAD"));
        if head(&self.common)?.trim_ascii_end() == NOT_IN_FILES {
            return self.listed_checkout_of(branch);
        }
        let branch = format!("ref: refs/heads/{branch}");
        let is_at = |git_dir: &Path| Ok(head(git_dir)?.trim_ascii_end() == branch.as_bytes());
        if is_at(&self.common)? {
            return Ok(Some(self.common.parent().unwrap_or(&self.common).to_owned()));
        }
        let worktrees = self.common.join("worktrees");
        let entries = match fs::read_dir(&worktrees) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(GitError::io("read", &worktrees, error)),
        };
        for entry in entries {
            let git_dir = entry.map_err(|error| GitError::io("read", &worktrees, error))?.path();
            if is_at(&git_dir)? {
                // It names the link in the worktree.
                let link = contents(&git_dir.join("gitdir"))?;
                let link = git_dir.join(path_of(link.trim_ascii_end()));
                return Ok(Some(link.parent().unwrap_or(&link).to_owned()));
            }
        }
        Ok(None)
    }

    /// Asks git where a branch is checked out, which knows how refs are kept.
    fn listed_checkout_of(&self, branch: &str) -> Result<Option<PathBuf>, GitError> {
        let list = self.place.call(&["worktree", "list", "--porcelain", "-z"]).run()?;
        let head = format!("branch refs/heads/{branch}");
        let mut place = None;
        for line in items(&list) {
            if let Some(path) = line.strip_prefix(b"worktree ") {
                place = Some(path_of(path));
            } else if line == head.as_bytes() {
                return Ok(place);
            }
        }
        Ok(None)
    }

    /// Returns whether a commit was made of a tree and its parents.
    pub(super) fn is_commit_of(
        &self,
        commit: &Commit,
        tree: &OsStr,
        parents: &[&Commit],
    ) -> Result<bool, GitError> {
        let contents = self.place.read(commit.as_str())?;
        let mut expected = [b"tree ", tree.as_bytes(), b"\n"].concat();
        for parent in parents {
            expected.extend(format!("parent {parent}\n").into_bytes());
        }
        // What follows the parents is the author.
        Ok(contents.strip_prefix(&*expected).is_some_and(|rest| rest.starts_with(b"author ")))
    }

    /// Returns whether a commit has a tree.
    pub(super) fn is_tree_of(&self, commit: &Commit, tree: &OsStr) -> Result<bool, GitError> {
        Ok(self.place.tree_of(commit)? == tree)
    }

    /// Lists what differs between a commit and a tree, with what submodules were before.
    pub(super) fn raw_changes(
        &self,
        from: &Commit,
        tree: &OsStr,
    ) -> Result<Vec<RawChange>, GitError> {
        let options = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev"];
        let call = self.place.call(&options).argument("--ignore-submodules=none");
        let list = call.argument(from.as_str()).argument(tree).run()?;
        let mut items = items(&list);
        let mut changes = Vec::new();
        while let (Some(about), Some(path)) = (items.next(), items.next()) {
            changes.push(RawChange::read(about, path));
        }
        Ok(changes)
    }
}

/// Returns the name that stands for no commit, as long as those of the repository.
fn none_of(commit: &Commit) -> String {
    "0".repeat(commit.as_str().len())
}

/// Reads a file of git's; one that is gone, or was removed meanwhile, is empty.
fn contents(path: &Path) -> Result<Vec<u8>, GitError> {
    match fs::read(path) {
        Ok(text) => Ok(text),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(Vec::new())
        }
        Err(error) => Err(GitError::io("read", path, error)),
    }
}
