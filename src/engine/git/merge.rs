//! Merging: a change's branch into what the user has checked out, the one thing here that changes the user's files, and
//! the branches of plans into that of their change.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use super::commit::Commit;
use super::error::GitError;
use super::place::Place;
use super::repository::Repository;
use super::status::{Change, ChangedPath, items, parse_names, path_of};

/// How a branch went into another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged {
    /// It was in it already.
    Already(Commit),
    /// The other branch had stood still, and is now at the same commit.
    FastForward(Commit),
    /// A commit joins the two.
    Joined(Commit),
}

/// Merges a branch into the one that is checked out. Where it is known what was passed, the branch must be at that
/// commit, unless it is merged already. Outside of some folders nothing may be uncommitted; new files that git was not
/// told of are no hindrance unless they are in the way. Unless it succeeds, nothing has changed.
pub fn merge(
    repository: &Repository,
    branch: &str,
    passed: Option<&Commit>,
    except: &[&str],
) -> Result<Merged, GitError> {
    let place = &repository.place;
    let root = repository.root().to_owned();
    let Some(commit) = repository.branch_commit(branch)? else {
        return Err(GitError::NoBranch { branch: branch.to_owned() });
    };
    let head = repository.head()?;
    let into = repository.branch()?.ok_or_else(|| GitError::Detached { root: root.clone() })?;
    if place.is_ancestor(&commit, &head)? {
        return Ok(Merged::Already(head));
    }
    if let Some(passed) = passed {
        repository.refuse_other(branch, passed, commit.clone())?;
    }
    let uncommitted = repository.uncommitted_outside(except)?;
    let edited = uncommitted.into_iter().filter(|one| one.change != Change::Untracked);
    let files: Vec<_> = edited.map(|one| one.path).collect();
    if !files.is_empty() {
        return Err(GitError::Dirty { place: root, files });
    }
    let tree = merged_tree(place, branch, &into, &head, &commit)?;
    refuse_in_the_way(place, branch, &changes_to(place, &head, &tree)?)?;
    let message = format!("Merge branch '{branch}' into {into}");
    join(place, &commit, &message)?;
    let merged = repository.head()?;
    Ok(if merged == commit { Merged::FastForward(merged) } else { Merged::Joined(merged) })
}

impl Repository {
    /// Merges a commit of a branch into a branch of agentd's own, which is at a known commit, by a commit that joins the two also
    /// where that branch has stood still. No file of anybody is touched.
    pub fn join(
        &self,
        into: (&str, &Commit),
        branch: (&str, &Commit),
        message: &str,
    ) -> Result<Merged, GitError> {
        let ((into, head), (branch, commit)) = (into, branch);
        if self.place.is_ancestor(commit, head)? {
            return Ok(Merged::Already(head.clone()));
        }
        let tree = merged_tree(&self.place, branch, into, head, commit)?;
        let made = self.place.commit_tree(&tree, &[head, commit], message)?;
        match self.advance_branch(into, head, &made) {
            // A run that was cut off may have done it.
            Err(GitError::BranchMoved { found, .. })
                if self.is_commit_of(&found, &tree, &[head, commit])? =>
            {
                Ok(Merged::Joined(found))
            }
            advanced => advanced.map(|()| Merged::Joined(made)),
        }
    }
}

/// Merges a commit that is known to go together with what is checked out.
fn join(place: &Place, commit: &Commit, message: &str) -> Result<(), GitError> {
    let options = [
        "--commit",
        "--ff",
        "--no-edit",
        "--no-verify",
        "--no-verify-signatures",
        "--no-gpg-sign",
        "--no-squash",
        "--no-autostash",
        "--no-signoff",
        "--no-stat",
        "--quiet",
        "--strategy=ort",
    ];
    let call = place.call_as_author(&["merge"])?.arguments(options.map(AsRef::as_ref));
    let call = call.argument("-m").argument(message).argument(commit.as_str());
    let answer = call.answer()?;
    if answer.status.success() {
        return Ok(());
    }
    // What was rehearsed can still fail, on a full disk, say.
    if place.commit("MERGE_HEAD")?.is_some() {
        place.call(&["merge", "--abort"]).run()?;
    }
    Err(answer.failed())
}

/// Merges two commits without touching any file, and returns the tree. What is in conflict is refused.
fn merged_tree(
    place: &Place,
    branch: &str,
    into: &str,
    head: &Commit,
    commit: &Commit,
) -> Result<OsString, GitError> {
    let options = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
    let answer = place.call(&options).argument(head.as_str()).argument(commit.as_str()).answer()?;
    if !answer.is(0) && !answer.is(1) {
        return Err(answer.failed());
    }
    let mut found = items(&answer.output);
    let tree = found.next().map(|tree| OsStr::from_bytes(tree).to_owned());
    if answer.is(0) {
        return tree.ok_or_else(|| GitError::NoCommit { root: place.tree.clone() });
    }
    let (branch, into) = (branch.to_owned(), into.to_owned());
    Err(GitError::Conflict { branch, into, files: found.map(path_of).collect() })
}

/// Lists what a tree changes in what is checked out.
fn changes_to(place: &Place, head: &Commit, tree: &OsStr) -> Result<Vec<ChangedPath>, GitError> {
    let options = ["diff-tree", "-r", "--no-renames", "--ignore-submodules=none", "--name-status"];
    let call = place.call(&options).argument("-z").argument(head.as_str()).argument(tree);
    Ok(parse_names(&call.run()?))
}

/// Refuses to write over files that git does not know; git itself writes over those that are ignored.
fn refuse_in_the_way(place: &Place, branch: &str, changes: &[ChangedPath]) -> Result<(), GitError> {
    let added = changes.iter().filter(|one| one.change == Change::Added).map(|one| &one.path);
    let is_there = |path: &&PathBuf| place.tree.join(path).symlink_metadata().is_ok();
    let files: Vec<_> = added.filter(is_there).cloned().collect();
    if files.is_empty() {
        return Ok(());
    }
    Err(GitError::InTheWay { branch: branch.to_owned(), files })
}
