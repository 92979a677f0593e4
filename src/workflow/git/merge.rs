//! Merging: a change's branch into what the user has checked out, the one thing here that changes the user's files, and
//! other branches into the worktree of a change.

use super::commit::Commit;
use super::error::GitError;
use super::lock::Lock;
use super::place::Place;
use super::repository::Repository;
use super::status::{Change, items, path_of};
use super::worktree::Worktree;

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

/// Merges a branch into the one that is checked out. Outside of some folders nothing may be uncommitted; new files that
/// git was not told of are no hindrance unless they are in the way. Unless it succeeds, nothing has changed.
pub fn merge(repository: &Repository, branch: &str, except: &[&str]) -> Result<Merged, GitError> {
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
    let uncommitted = repository.uncommitted_outside(except)?;
    let edited = uncommitted.into_iter().filter(|one| one.change != Change::Untracked);
    let files: Vec<_> = edited.map(|one| one.path).collect();
    if !files.is_empty() {
        return Err(GitError::Dirty { place: root, files });
    }
    rehearse(place, branch, &into, &head, &commit)?;
    let message = format!("Merge branch '{branch}' into {into}");
    join(place, "--ff", &commit, &message, None)?;
    let merged = repository.head()?;
    Ok(if merged == commit { Merged::FastForward(merged) } else { Merged::Joined(merged) })
}

impl Worktree {
    /// Merges a commit of another branch into the worktree's own, by a commit that joins the two also where the branch has
    /// stood still. Nothing may be uncommitted. Unless it succeeds, nothing has changed.
    pub fn merge(&self, branch: &str, commit: &Commit, message: &str) -> Result<Merged, GitError> {
        let lock = self.lock()?;
        let place = &self.place;
        let head = self.head()?;
        if place.is_ancestor(commit, &head)? {
            return Ok(Merged::Already(head));
        }
        let into = place.branch()?.filter(|found| Some(found) == self.branch.as_ref());
        let into = into.ok_or_else(|| GitError::Detached { root: self.path().to_owned() })?;
        let changes = self.status()?;
        if !changes.is_empty() {
            let files = changes.into_iter().map(|changed| changed.path).collect();
            return Err(GitError::Dirty { place: self.path().to_owned(), files });
        }
        rehearse(place, branch, &into, &head, commit)?;
        join(place, "--no-ff", commit, message, Some(&lock))?;
        self.head().map(Merged::Joined)
    }
}

/// Merges a commit that is known to go together with what is checked out.
fn join(
    place: &Place,
    fast_forward: &str,
    commit: &Commit,
    message: &str,
    lock: Option<&Lock>,
) -> Result<(), GitError> {
    let options = [
        "--commit",
        fast_forward,
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
    let answer = match lock {
        Some(lock) => call.holding(lock).answer()?,
        None => call.answer()?,
    };
    if answer.status.success() {
        return Ok(());
    }
    // What was rehearsed can still fail, on a full disk, say.
    if place.commit("MERGE_HEAD")?.is_some() {
        place.call(&["merge", "--abort"]).run()?;
    }
    Err(answer.failed())
}

/// Merges without touching any file, and refuses what would be in conflict or in the way.
fn rehearse(
    place: &Place,
    branch: &str,
    into: &str,
    head: &Commit,
    commit: &Commit,
) -> Result<(), GitError> {
    let options = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
    let answer = place.call(&options).argument(head.as_str()).argument(commit.as_str()).answer()?;
    if !answer.is(0) && !answer.is(1) {
        return Err(answer.failed());
    }
    let mut found = items(&answer.output);
    let tree = found.next().map(|tree| String::from_utf8_lossy(tree).into_owned());
    if answer.is(0) {
        let tree = tree.ok_or_else(|| GitError::NoCommit { root: place.tree.clone() })?;
        return refuse_in_the_way(place, branch, head, &tree);
    }
    let (branch, into) = (branch.to_owned(), into.to_owned());
    Err(GitError::Conflict { branch, into, files: found.map(path_of).collect() })
}

/// Refuses to write over files that git does not know; git itself writes over those that are ignored.
fn refuse_in_the_way(
    place: &Place,
    branch: &str,
    head: &Commit,
    tree: &str,
) -> Result<(), GitError> {
    let options = ["diff-tree", "-r", "--no-renames", "--name-only", "--diff-filter=A", "-z"];
    let list = place.call(&options).argument(head.as_str()).argument(tree).run()?;
    let is_there = |path: &std::path::PathBuf| place.tree.join(path).symlink_metadata().is_ok();
    let files: Vec<_> = items(&list).map(path_of).filter(is_there).collect();
    if files.is_empty() {
        return Ok(());
    }
    Err(GitError::InTheWay { branch: branch.to_owned(), files })
}
