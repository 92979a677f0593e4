//! Merging: a change's branch into what the user has checked out, the one thing here that changes the user's files, and
//! the branches of plans into that of their change.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

use super::commit::Commit;
use super::error::GitError;
use super::place::Place;
use super::repository::Repository;
use super::status::{items, path_of};
use super::written::Written;

/// How git merges by itself, above what the user has set.
pub(super) const SETTINGS: [&str; 8] = [
    "merge.default=text",
    "merge.directoryRenames=conflict",
    "merge.renames=true",
    "merge.renameLimit=7000",
    "merge.renormalize=false",
    "diff.algorithm=histogram",
    "diff.renames=true",
    "diff.renameLimit=7000",
];

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

/// What the journal knows of the code of a change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The commit that it began from.
    pub base: Option<&'a Commit>,
    /// The commit that was reviewed and checked; the branch must be there.
    pub passed: Option<&'a Commit>,
}

/// Merges a branch into the one that is checked out. Where it is known what was passed, the branch must be at that
/// commit, unless it is merged already. Outside of some folders nothing may be uncommitted; new files that git was not
/// told of are no hindrance unless they are in the way. Unless it succeeds, nothing has changed.
///
/// The tree is made before any file is touched, by `merge-tree`, and is what is written then: no setting of the user's says
/// what a merge is.
pub fn merge(
    repository: &Repository,
    branch: &str,
    known: Known<'_>,
    except: &[&str],
) -> Result<Merged, GitError> {
    let place = &repository.place;
    let Some(commit) = repository.branch_commit(branch)? else {
        return Err(GitError::NoBranch { branch: branch.to_owned() });
    };
    let head = repository.head()?;
    let detached = || GitError::Detached { root: repository.root().to_owned() };
    let into = repository.branch()?.ok_or_else(detached)?;
    if place.is_ancestor(&commit, &head)? {
        return Ok(Merged::Already(head));
    }
    if let Some(passed) = known.passed {
        repository.refuse_other(branch, passed, commit.clone())?;
    }
    if let Some(base) = known.base
        && !place.is_ancestor(base, &head)?
    {
        let (branch, base) = (branch.to_owned(), base.clone());
        return Err(GitError::BaseLeft { branch, into, base });
    }
    let is_behind = place.is_ancestor(&head, &commit)?;
    let tree = if is_behind {
        place.tree_of(&commit)?
    } else {
        merged_tree(place, branch, &into, &head, &commit)?
    };
    let written = Written { place, except, head: &head, tree: &tree };
    let is_written = written.is_there()?;
    if !is_written {
        written.refuse(branch)?;
    }
    let message = format!("Merge branch '{branch}' into {into}");
    let made =
        if is_behind { commit } else { place.commit_tree(&tree, &[&head, &commit], &message)? };
    if !is_written {
        written.write()?;
    }
    written.moved_to(&made, branch, &into)?;
    Ok(if is_behind { Merged::FastForward(made) } else { Merged::Joined(made) })
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

/// Merges two commits without touching any file, and returns the tree. What is in conflict is refused.
pub(super) fn merged_tree(
    place: &Place,
    branch: &str,
    into: &str,
    head: &Commit,
    commit: &Commit,
) -> Result<OsString, GitError> {
    let options = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
    let call = place.call_plainly(&SETTINGS, &options);
    let answer = call.argument(head.as_str()).argument(commit.as_str()).answer()?;
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
