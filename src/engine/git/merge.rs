//! Merging: a change's branch into what the user has checked out, the one thing here that changes the user's files, and
//! other branches into the worktree of a change.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use super::commit::Commit;
use super::error::GitError;
use super::place::Place;
use super::repository::Repository;
use super::status::{Change, ChangedPath, items, parse_names, path_of};
use super::worktree::{Worktree, refuse_edits};

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
    rehearse(place, branch, &into, &head, &commit)?;
    let message = format!("Merge branch '{branch}' into {into}");
    join(place, &commit, &message)?;
    let merged = repository.head()?;
    Ok(if merged == commit { Merged::FastForward(merged) } else { Merged::Joined(merged) })
}

impl Worktree {
    /// Merges a commit of another branch into the worktree's own, by a commit that joins the two also where the branch has
    /// stood still. Nothing may be uncommitted. Unless it succeeds, nothing has changed.
    pub fn merge(&self, branch: &str, commit: &Commit, message: &str) -> Result<Merged, GitError> {
        let lock = self.lock()?;
        let place = &self.place;
        let mut found = self.standing()?;
        let changes = std::mem::take(&mut found.changes);
        let into = found.branch.take().filter(|found| Some(found) == self.branch.as_ref());
        let head = self.head_of(found)?;
        let (Some(into), true) = (into.as_ref(), changes.is_empty()) else {
            if place.is_ancestor(commit, &head)? {
                return Ok(Merged::Already(head));
            }
            refuse_edits(self.path(), &changes)?;
            return Err(GitError::Detached { root: self.path().to_owned() });
        };
        let rehearsed = rehearse(place, branch, into, &head, commit)?;
        // What is in it already adds nothing, while what adds nothing may still be a commit of its own.
        if rehearsed.changes_nothing && place.is_ancestor(commit, &head)? {
            return Ok(Merged::Already(head));
        }
        let made = place.commit_tree(&rehearsed.tree, &[&head, commit], message)?;
        let call = place.call(&["reset", "--keep", "--quiet", made.as_str()]);
        match call.variable("GIT_REFLOG_ACTION", "agentd: merge").holding(&lock).run() {
            Ok(_) => Ok(Merged::Joined(made)),
            Err(error) => {
                // What was rehearsed can still fail, on a full disk, say. Everything was committed before.
                self.reset(&head, &lock)?;
                Err(error)
            }
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

/// What a merge would come to.
struct Rehearsed {
    tree: OsString,
    /// Whether what is checked out has that tree already.
    changes_nothing: bool,
}

/// Merges without touching any file, and refuses what would be in conflict or in the way.
fn rehearse(
    place: &Place,
    branch: &str,
    into: &str,
    head: &Commit,
    commit: &Commit,
) -> Result<Rehearsed, GitError> {
    let options = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
    let answer = place.call(&options).argument(head.as_str()).argument(commit.as_str()).answer()?;
    if !answer.is(0) && !answer.is(1) {
        return Err(answer.failed());
    }
    let mut found = items(&answer.output);
    let tree = found.next().map(|tree| OsStr::from_bytes(tree).to_owned());
    if answer.is(0) {
        let tree = tree.ok_or_else(|| GitError::NoCommit { root: place.tree.clone() })?;
        let changes = changes_to(place, head, &tree)?;
        refuse_in_the_way(place, branch, &changes)?;
        return Ok(Rehearsed { tree, changes_nothing: changes.is_empty() });
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
