//! Merging a change's branch into what the user has checked out, the one thing here that changes the user's files.

use super::commit::Commit;
use super::error::GitError;
use super::repository::Repository;
use super::status::{Change, items, path_of};

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
    let tree = rehearse(repository, branch, &into, &head, &commit)?;
    refuse_in_the_way(repository, branch, &head, &tree)?;

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
    let answer = call.argument("-m").argument(format!("Merge branch '{branch}' into {into}"));
    let answer = answer.argument(commit.as_str()).answer()?;
    if !answer.status.success() {
        // What was rehearsed can still fail, on a full disk, say.
        if place.commit("MERGE_HEAD")?.is_some() {
            place.call(&["merge", "--abort"]).run()?;
        }
        return Err(answer.failed());
    }
    let merged = repository.head()?;
    Ok(if merged == commit { Merged::FastForward(merged) } else { Merged::Joined(merged) })
}

/// Merges without touching any file, and gives the files as git's tree.
fn rehearse(
    repository: &Repository,
    branch: &str,
    into: &str,
    head: &Commit,
    commit: &Commit,
) -> Result<String, GitError> {
    let options = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
    let call = repository.place.call(&options).argument(head.as_str());
    let answer = call.argument(commit.as_str()).answer()?;
    if !answer.is(0) && !answer.is(1) {
        return Err(answer.failed());
    }
    let mut found = items(&answer.output);
    let tree = found.next().map(|tree| String::from_utf8_lossy(tree).into_owned());
    if answer.is(0) {
        return tree.ok_or(GitError::NoCommit { root: repository.root().to_owned() });
    }
    let (branch, into) = (branch.to_owned(), into.to_owned());
    Err(GitError::Conflict { branch, into, files: found.map(path_of).collect() })
}

/// Refuses to write over files that git does not know; git itself writes over those that are ignored.
fn refuse_in_the_way(
    repository: &Repository,
    branch: &str,
    head: &Commit,
    tree: &str,
) -> Result<(), GitError> {
    let options = ["diff-tree", "-r", "--no-renames", "--name-only", "--diff-filter=A", "-z"];
    let list = repository.place.call(&options).argument(head.as_str()).argument(tree).run()?;
    let is_there =
        |path: &std::path::PathBuf| repository.root().join(path).symlink_metadata().is_ok();
    let files: Vec<_> = items(&list).map(path_of).filter(is_there).collect();
    if files.is_empty() {
        return Ok(());
    }
    Err(GitError::InTheWay { branch: branch.to_owned(), files })
}
