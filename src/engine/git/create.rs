//! Making the worktree of a change, or opening the one that is there, whatever state a crash has left it in.

use std::path::Path;

use super::commit::Commit;
use super::error::GitError;
use super::folder::{is_vacant, make_parent, put_aside, real, remove_file, remove_vacant};
use super::lock::Lock;
use super::place::Place;
use super::registration::{BEING_MADE, Condition, Registration, branch_in, registrations};
use super::repository::Repository;
use super::worktree::{Origin, Worktree};

/// What a worktree has checked out.
#[derive(Clone, Copy, Debug)]
pub enum At<'a> {
    /// A branch of its own.
    Branch {
        /// The branch's name.
        name: &'a str,
        /// Where it begins, or where it was left. In a worktree that is there it may have gone on from this commit;
        /// elsewhere it must be at it.
        from: &'a Commit,
    },
    /// A commit, on no branch.
    Detached(&'a Commit),
}

impl Worktree {
    /// Makes a worktree, or opens the one that is there. What a crash left half-made is made anew; a folder that is in
    /// the way is put aside; a branch that somebody else made or moved is an error.
    pub fn create(repository: &Repository, path: &Path, at: At<'_>) -> Result<Self, GitError> {
        let path = real(path)?;
        refuse_inside(repository, &path)?;
        make_parent(&path)?;
        // One at a time: git itself loses the race for its configuration and for names.
        let lock = repository.lock()?;
        let all = registrations(&repository.common)?;
        let registered = all.iter().find(|one| one.path == path);
        let condition = registered.map(Registration::condition).transpose()?;
        let start = match at {
            At::Branch { name, from } => {
                drop_lock_of(repository, name)?;
                free_branch(repository, name, &all, &path, &lock)?;
                match registered {
                    Some(_) => start_of_branch(repository, name, from, registered)?,
                    // Git makes no branch that is there: whether it is need not be asked first.
                    None => Start::NewBranch { name, from },
                }
            }
            At::Detached(commit) => Start::Commit(commit),
        };
        let (mut kept, mut origin) = (None, Origin::Made);
        match (registered, condition) {
            (Some(found), Some(Condition::Whole)) => {
                origin = Origin::Found;
                open(repository, found, start)?;
            }
            (Some(found), Some(Condition::HalfMade | Condition::Lost)) => {
                // A git that fills it may have outlived whoever started it.
                let _alone = Lock::of(&found.git_dir)?;
                forget(repository, found, &lock)?;
                add(repository, &path, start, &lock)?;
            }
            (_, _) => {
                if !is_vacant(&path)? {
                    kept = Some(put_aside(&path)?);
                }
                add(repository, &path, start, &lock)?;
            }
        }
        let branch = match at {
            At::Branch { name, .. } => Some(name.to_owned()),
            At::Detached(_) => None,
        };
        let found = registrations(&repository.common)?.into_iter().find(|one| one.path == path);
        let Some(found) = found else {
            let gone = std::io::ErrorKind::NotFound;
            return Err(GitError::io("find the registration of", &path, gone));
        };
        let place = Place { git: repository.place.git.clone(), git_dir: found.git_dir, tree: path };
        drop(lock);
        if origin == Origin::Made {
            fill(&place)?;
        }
        Ok(Self { repository: repository.clone(), place, branch, kept, origin })
    }

    /// Says whether the repository knows of a worktree at a path and on a branch, in whatever state that is.
    pub fn is_registered(
        repository: &Repository,
        path: &Path,
        branch: &str,
    ) -> Result<bool, GitError> {
        let tree = real(path)?;
        let all = registrations(&repository.common)?;
        Ok(all.iter().any(|one| one.path == tree && one.branch.as_deref() == Some(branch)))
    }

    /// Opens the worktree that is at a path, if it is there as a whole and on a branch, as it is.
    pub fn find(
        repository: &Repository,
        path: &Path,
        branch: &str,
    ) -> Result<Option<Self>, GitError> {
        let tree = real(path)?;
        let _lock = repository.lock()?;
        let all = registrations(&repository.common)?;
        let is_it = |one: &Registration| one.path == tree && one.branch.as_deref() == Some(branch);
        let Some(found) = all.into_iter().find(is_it) else { return Ok(None) };
        if found.condition()? != Condition::Whole {
            return Ok(None);
        }
        let place = Place { git: repository.place.git.clone(), git_dir: found.git_dir, tree };
        let (repository, branch) = (repository.clone(), Some(branch.to_owned()));
        Ok(Some(Self { repository, place, branch, kept: None, origin: Origin::Found }))
    }
}

/// Refuses a place where Cargo, npm and the user's own git would find it.
fn refuse_inside(repository: &Repository, path: &Path) -> Result<(), GitError> {
    let main = repository.common.parent().filter(|_| repository.common.ends_with(".git"));
    for root in [Some(repository.root()), Some(&*repository.common), main].into_iter().flatten() {
        if path.starts_with(real(root)?) {
            return Err(GitError::Inside { path: path.to_owned(), root: root.to_owned() });
        }
    }
    Ok(())
}

/// What a worktree begins with.
#[derive(Clone, Copy)]
enum Start<'a> {
    NewBranch { name: &'a str, from: &'a Commit },
    Branch(&'a str),
    Commit(&'a Commit),
}

/// Looks for a branch, which must be the one that was left if it is there.
fn start_of_branch<'a>(
    repository: &Repository,
    name: &'a str,
    from: &'a Commit,
    registered: Option<&Registration>,
) -> Result<Start<'a>, GitError> {
    let Some(found) = repository.branch_commit(name)? else {
        return Ok(Start::NewBranch { name, from });
    };
    // Git lets nobody else move a branch that a worktree has checked out, so in a worktree of ours it was ourselves or
    // an agent, in a run that ended before it was written down.
    let is_ours =
        found == *from || registered.is_some() && repository.place.is_ancestor(from, &found)?;
    if is_ours {
        return Ok(Start::Branch(name));
    }
    Err(GitError::BranchMoved { branch: name.to_owned(), expected: from.clone(), found })
}

/// Forgets a worktree elsewhere that had the branch and whose folder is gone; one that is there is an error.
fn free_branch(
    repository: &Repository,
    branch: &str,
    all: &[Registration],
    path: &Path,
    lock: &Lock,
) -> Result<(), GitError> {
    let in_use = |path: &Path| {
        Err(GitError::BranchInUse { branch: branch.to_owned(), path: path.to_owned() })
    };
    if branch_in(&repository.common)?.is_some_and(|used| used == branch) {
        return in_use(repository.common.parent().unwrap_or(&repository.common));
    }
    for other in all.iter().filter(|one| one.path != path) {
        if other.branch.as_deref() != Some(branch) {
            continue;
        }
        match other.condition()? {
            Condition::Lost => forget(repository, other, lock)?,
            Condition::Whole | Condition::HalfMade => return in_use(&other.path),
        }
    }
    Ok(())
}

/// Makes a worktree that is there fit for use again.
fn open(repository: &Repository, found: &Registration, start: Start<'_>) -> Result<(), GitError> {
    // Nobody else works in it, and when we have its lock no git of ours does: what is locked, a crash left behind.
    let _alone = Lock::of(&found.git_dir)?;
    for left in ["index.lock", "HEAD.lock"] {
        remove_file(&found.git_dir.join(left))?;
    }
    found.mend_link()?;
    match start {
        // An agent has switched to another branch and deleted this one.
        Start::NewBranch { name, from } => {
            let call = repository.place.call(&["branch", "--no-track"]);
            call.argument(name).argument(from.as_str()).run().map(|_| ())
        }
        Start::Branch(_) | Start::Commit(_) => Ok(()),
    }
}

/// Removes the lock of a branch that a crash left behind; the branches of changes are agentd's alone.
fn drop_lock_of(repository: &Repository, branch: &str) -> Result<(), GitError> {
    remove_file(&repository.common.join(format!("refs/heads/{branch}.lock")))
}

/// Removes the registration of a worktree that nobody ever worked in, or whose folder is gone.
fn forget(repository: &Repository, found: &Registration, lock: &Lock) -> Result<(), GitError> {
    let call = repository.place.call(&["worktree", "remove", "--force"]).holding(lock);
    let call = match found.condition()? {
        // Git has locked it itself, and wants to be told twice.
        Condition::HalfMade => call.argument("--force"),
        Condition::Whole | Condition::Lost => call,
    };
    if is_vacant(&found.path)? {
        remove_vacant(&found.path)?;
    } else {
        // Git removes no folder that does not lead back to its registration.
        found.mend_link()?;
    }
    call.argument(&found.path).run().map(|_| ())
}

/// Checks out the files of a worktree that is only registered. That takes longest, and others may do it at the same time.
fn fill(place: &Place) -> Result<(), GitError> {
    let alone = Lock::of(&place.git_dir)?;
    let call = place.call(&["reset", "--hard", "--quiet", "--no-recurse-submodules"]);
    call.holding(&alone).run()?;
    remove_file(&place.git_dir.join("locked"))
}

fn add(
    repository: &Repository,
    path: &Path,
    start: Start<'_>,
    lock: &Lock,
) -> Result<(), GitError> {
    let Err(error) = try_to_add(repository, path, start, lock) else { return Ok(()) };
    let Start::NewBranch { name, from } = start else { return Err(error) };
    // It may have failed because the branch is there.
    match repository.branch_commit(name)? {
        Some(found) if found == *from => try_to_add(repository, path, Start::Branch(name), lock),
        Some(found) => {
            let (branch, expected) = (name.to_owned(), from.clone());
            Err(GitError::BranchMoved { branch, expected, found })
        }
        None => Err(error),
    }
}

fn try_to_add(
    repository: &Repository,
    path: &Path,
    start: Start<'_>,
    lock: &Lock,
) -> Result<(), GitError> {
    let call = repository.place.call(&["worktree", "add", "--quiet", "--no-checkout"]);
    // As git does itself, but until it is filled.
    let call = call.argument("--lock").argument("--reason").argument(BEING_MADE).holding(lock);
    let call = match start {
        Start::NewBranch { name, from } => call
            .argument("--no-track")
            .argument("-b")
            .argument(name)
            .argument(path)
            .argument(from.as_str()),
        Start::Branch(name) => call.argument(path).argument(name),
        Start::Commit(commit) => call.argument("--detach").argument(path).argument(commit.as_str()),
    };
    call.run().map(|_| ())
}
