//! A workspace: a folder with the files of a commit, outside of the user's repository, in which an agent or the checks work.
//!
//! Only its files are ever read back. What agentd knows of it (an index, the commit that was checked out) lies in the
//! repository's git folder, where no agent is sent; the `.git` that an agent finds in a workspace is its own (`agent_git`).

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

use super::checkout::Before;
use super::command::Call;
use super::commit::Commit;
use super::error::GitError;
use super::folder::{
    is_vacant, make_folder, place_of, put_aside, real, remove_file, remove_folder, touch,
};
use super::lock::Lock;
use super::repository::Repository;
use crate::files::own::parent;
use crate::files::replace_atomically;

/// Where the states of workspaces are in a repository's git folder.
pub(super) const STATES: &str = "agentd/workspaces";
/// The file of a state that names the folder it belongs to. While there is none, a folder is somebody else's.
const FOLDER: &str = "folder";
/// The file of a state that names the commit whose files were checked out. While there is none, a checkout is half-made.
const COMMIT: &str = "commit";
/// The file of a state that names the commit whose attributes count.
const ATTRIBUTES: &str = "attributes";
/// The file of a state that is there once all that sets a workspace up was done.
const SET_UP: &str = "set-up";
/// The file of a state that is there from the moment that a workspace is being removed.
const REMOVED: &str = "removed";

/// A workspace that agentd made. Whoever has it is the only one who works in it.
#[derive(Debug)]
pub struct Workspace {
    pub(super) repository: Repository,
    pub(super) path: PathBuf,
    pub(super) state: PathBuf,
    /// The branch that its results go to; none if it is only read.
    pub(super) branch: Option<String>,
    /// The tree whose attributes decide how files are converted: what an agent writes into `.gitattributes` has no effect.
    pub(super) attributes: String,
    kept: Option<PathBuf>,
    is_new: bool,
}

/// What a workspace begins with.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The commit whose files it holds when it is made.
    pub commit: &'a Commit,
    /// The branch that its results go to, if there are any.
    pub branch: Option<Branch<'a>>,
    /// The commit whose attributes count.
    pub attributes: &'a Commit,
}

/// The branch that the results of a workspace go to.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'a> {
    /// Its name.
    pub name: &'a str,
    /// Who made it, if it is there.
    pub owner: Owner,
}

/// Who made a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// agentd: wherever it is, it is ours.
    Agentd,
    /// Somebody else, unless it is at the commit or the workspace is known.
    Anybody,
}

impl Workspace {
    /// Opens the workspace of a folder as it is, or makes it. What a crash left half-made is made anew; what else is in the
    /// place of the folder is put aside.
    pub fn open(repository: &Repository, path: &Path, at: At<'_>) -> Result<Self, GitError> {
        let path = place_of(path)?;
        refuse_inside(repository, &path)?;
        let state = state_of(repository, &path);
        for folder in path.parent().into_iter().chain([state.as_path()]) {
            make_folder(folder)?;
        }
        let mut workspace = Self {
            repository: repository.clone(),
            path,
            state,
            branch: at.branch.map(|branch| branch.name.to_owned()),
            attributes: repository.attributes_of(at.attributes),
            kept: None,
            is_new: false,
        };
        let lock = workspace.lock()?;
        workspace.end_removal()?;
        // When we have the lock no git of ours works here: what is locked, a crash left behind.
        remove_file(&workspace.state.join("index.lock"))?;
        if commit_in(&workspace.state, ATTRIBUTES)?.as_ref() != Some(at.attributes) {
            workspace.record(ATTRIBUTES, at.attributes.as_str().as_bytes())?;
        }
        let is_known = workspace.is_own_folder()?;
        if let Some(branch) = at.branch {
            repository.hold_branch(branch, at.commit, is_known)?;
        }
        if !is_known {
            workspace.make(at.commit, &lock)?;
            workspace.is_new = true;
        } else if workspace.head()?.is_none() {
            let mut survey = workspace.survey(&lock)?;
            workspace.check_out(at.commit, Before::Files(&mut survey), &lock)?;
        }
        Ok(workspace)
    }

    /// Finds the workspace of a folder, if it is there as a whole.
    pub fn find(repository: &Repository, path: &Path) -> Result<Option<Self>, GitError> {
        let path = place_of(path)?;
        let state = state_of(repository, &path);
        let Some(commit) = commit_in(&state, COMMIT)? else { return Ok(None) };
        let attributes = commit_in(&state, ATTRIBUTES)?.unwrap_or(commit);
        let attributes = repository.attributes_of(&attributes);
        let repository = repository.clone();
        let found =
            Self { repository, path, state, branch: None, attributes, kept: None, is_new: false };
        let _lock = found.lock()?;
        found.end_removal()?;
        Ok(found.is_own_folder()?.then_some(found))
    }

    /// Returns the folder that a state belongs to, if that is recorded.
    pub(super) fn recorded_folder(state: &Path) -> Result<Option<PathBuf>, GitError> {
        Ok(contents(&state.join(FOLDER))?.map(|path| OsStr::from_bytes(&path).into()))
    }

    /// Returns its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the branch that its results go to, if there are any.
    pub fn branch(&self) -> Option<&str> {
        self.branch.as_deref()
    }

    /// Returns what was in the place of the folder and was put aside under another name, if anything.
    pub fn put_aside(&self) -> Option<&Path> {
        self.kept.as_deref()
    }

    /// Returns whether it was made just now, so that nobody has worked in it.
    pub const fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns the commit whose files were checked out last; none while a checkout is half-made.
    pub fn head(&self) -> Result<Option<Commit>, GitError> {
        commit_in(&self.state, COMMIT)
    }

    /// Returns whether all that sets it up was done.
    pub fn is_set_up(&self) -> bool {
        self.state.join(SET_UP).exists()
    }

    /// Records that all that sets it up was done, for as long as the workspace is there.
    pub fn mark_set_up(&self) -> Result<(), GitError> {
        touch(&self.state.join(SET_UP))
    }

    /// Records that the workspace has to be set up again.
    pub fn unmark_set_up(&self) -> Result<(), GitError> {
        remove_file(&self.state.join(SET_UP))
    }

    /// Removes the workspace with all that is in it. Its branch stays.
    pub fn remove(self) -> Result<(), GitError> {
        let _lock = self.lock()?;
        // Half of its files, after a crash, would look like a workspace in which somebody removed the others.
        touch(&self.state.join(REMOVED))?;
        self.end_removal()?;
        remove_folder(&self.state)
    }

    /// Removes workspaces, all at once: among many files that takes as long as making them. One that stays keeps no other.
    pub fn remove_all(workspaces: Vec<Self>) -> Result<(), GitError> {
        thread::scope(|threads| {
            let remove = |workspace: Self| threads.spawn(|| workspace.remove());
            let removals: Vec<_> = workspaces.into_iter().map(remove).collect();
            let ended = removals.into_iter().map(ScopedJoinHandle::join);
            let ended = ended.map(|end| end.unwrap_or_else(|panic| resume_unwind(panic)));
            ended.fold(Ok(()), Result::and)
        })
    }

    /// Ends what a crash cut off: a workspace that was being removed has no files then.
    fn end_removal(&self) -> Result<(), GitError> {
        let mark = self.state.join(REMOVED);
        if mark.exists() {
            for folder in [&self.path, &self.path_beside()] {
                remove_folder(folder)?;
            }
            remove_file(&mark)?;
        }
        Ok(())
    }

    /// Makes the folder and checks a commit out.
    fn make(&mut self, commit: &Commit, lock: &Lock) -> Result<(), GitError> {
        for file in [COMMIT, SET_UP, "index", FOLDER] {
            remove_file(&self.state.join(file))?;
        }
        self.kept = self.clear_place()?;
        make_folder(&self.path)?;
        self.record(FOLDER, self.path.as_os_str().as_bytes())?;
        self.check_out(commit, Before::Nothing, lock)
    }

    /// Puts aside what is in the place of the folder. An empty folder goes too: who worked there has no right to the new one.
    fn clear_place(&self) -> Result<Option<PathBuf>, GitError> {
        let cleared = parent(&self.path).and_then(|(folder, name)| {
            if folder.remove_if_empty(name)? {
                return Ok(None);
            }
            put_aside(&folder, name, &self.path).map(Some)
        });
        cleared.map_err(|error| GitError::io("put aside", &self.path, error))
    }

    /// Returns whether the folder is there and the one that agentd made. A link in its place, or an empty folder, is not.
    fn is_own_folder(&self) -> Result<bool, GitError> {
        let is_folder = fs::symlink_metadata(&self.path).is_ok_and(|about| about.is_dir());
        let recorded = contents(&self.state.join(FOLDER))?;
        let is_recorded = recorded.as_deref() == Some(self.path.as_os_str().as_bytes());
        Ok(is_folder && is_recorded && (!is_vacant(&self.path)? || self.head()?.is_none()))
    }

    /// Forgets which commit is checked out, before that changes.
    pub(super) fn begin_checkout(&self) -> Result<(), GitError> {
        remove_file(&self.state.join(COMMIT))
    }

    /// Records which commit is checked out.
    pub(super) fn end_checkout(&self, commit: &Commit) -> Result<(), GitError> {
        self.record(COMMIT, commit.as_str().as_bytes())
    }

    fn record(&self, file: &str, text: &[u8]) -> Result<(), GitError> {
        let path = self.state.join(file);
        replace_atomically(&path, text).map_err(|error| GitError::io("write", &path, error))
    }

    /// Prepares a call of git on the files of the workspace, with agentd's own index.
    pub(super) fn call<'a>(&self, arguments: &[&'a str]) -> Call<'a> {
        self.call_with("index", arguments)
    }

    /// Prepares a call of git on the files of the workspace, with an index of agentd's own.
    pub(super) fn call_with<'a>(&self, index: &str, arguments: &[&'a str]) -> Call<'a> {
        let files = (self.repository.common.as_path(), self.path.as_path());
        self.call_on(files, &self.state.join(index), &self.attributes, arguments)
    }

    /// Prepares a call of git on a folder with the files of a repository, an index of agentd's own, and the attributes of a
    /// tree.
    pub(super) fn call_on<'a>(
        &self,
        (git_dir, folder): (&Path, &Path),
        index: &Path,
        attributes: &str,
        arguments: &[&'a str],
    ) -> Call<'a> {
        // Settings of the user's checkout that say nothing about a workspace.
        const SETTINGS: [&str; 10] = [
            "core.fileMode=true",
            "core.symlinks=true",
            "core.trustctime=true",
            "core.ignoreCase=false",
            "core.sparseCheckout=false",
            "core.splitIndex=false",
            "core.untrackedCache=false",
            "core.checkStat=default",
            // Larger files are taken piece by piece.
            "core.bigFileThreshold=16m",
            "core.fsync=committed,index",
        ];
        let place = &self.repository.place;
        let mut call = place.git.call([]).entering(folder);
        for setting in SETTINGS {
            call = call.quietly(&["-c".as_ref(), setting.as_ref()]);
        }
        call.variable("GIT_DIR", git_dir)
            .variable("GIT_WORK_TREE", ".")
            .variable("GIT_INDEX_FILE", index)
            .variable("GIT_ATTR_SOURCE", attributes)
            .arguments(arguments.iter().map(AsRef::as_ref))
    }

    /// Waits until no git that agentd started works here, not even one that was left over from a run that was killed.
    pub(super) fn lock(&self) -> Result<Lock, GitError> {
        Lock::of(&self.state)
    }
}

fn state_of(repository: &Repository, path: &Path) -> PathBuf {
    repository.common.join(STATES).join(path.file_name().unwrap_or_default())
}

fn commit_in(state: &Path, file: &str) -> Result<Option<Commit>, GitError> {
    let text = contents(&state.join(file))?.unwrap_or_default();
    Ok(Commit::try_from(String::from_utf8_lossy(&text).into_owned()).ok())
}

/// Reads a file of a state, if it is there.
fn contents(path: &Path) -> Result<Option<Vec<u8>>, GitError> {
    match fs::read(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(GitError::io("read", path, error)),
    }
}

/// Refuses a folder within the repository, where git would find the user's own.
fn refuse_inside(repository: &Repository, path: &Path) -> Result<(), GitError> {
    for root in [repository.root(), &repository.common] {
        if path.starts_with(real(root)?) {
            return Err(GitError::Inside { path: path.to_owned(), root: root.to_owned() });
        }
    }
    Ok(())
}
