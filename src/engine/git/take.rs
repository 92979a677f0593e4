//! Taking the results of a workspace: its files become a tree, a commit or a patch. Nothing but the files counts: not what an
//! agent committed, staged, flagged or configured.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::command::Call;
use super::commit::Commit;
use super::diff::PATCH;
use super::error::GitError;
use super::folder::{copy_index, remove_file};
use super::lock::Lock;
use super::repository::Repository;
use super::status::path_of;
use super::survey::Survey;
use super::unfit::{Sorted, Unfit, Why};
use super::workspace::Workspace;
use crate::files::Unnamed;
use crate::files::faults::{Step, before};

/// The index into which files are taken, so that the other one stays what was checked out.
const TAKEN: &str = "index.taken";
/// The mode of a submodule in an index.
const SUBMODULE: &[u8] = b"160000";

/// What a workspace held when its files were taken: what is judged is what is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Results {
    /// The commit that the work began with.
    start: Commit,
    /// The tree of the files; none if it is that of the commit.
    tree: Option<OsString>,
    /// The paths that differ from the commit.
    paths: Vec<PathBuf>,
}

impl Results {
    /// Lists the paths that differ from the commit that the work began with.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Lists the paths that differ from another commit.
    pub fn paths_since(
        &self,
        commit: &Commit,
        repository: &Repository,
    ) -> Result<Vec<PathBuf>, GitError> {
        match &self.tree {
            _ if *commit == self.start => Ok(self.paths.clone()),
            Some(tree) => repository.paths_to(commit, tree),
            None => repository.paths(commit, &self.start),
        }
    }
}

impl Workspace {
    /// Lists the files that differ from a commit, those that no commit can hold among them.
    pub fn changes_since(&self, since: &Commit) -> Result<Vec<PathBuf>, GitError> {
        match self.take(since) {
            Err(GitError::Unfit { files, .. }) => Ok(files.into_iter().map(|it| it.path).collect()),
            taken => Ok(taken?.paths),
        }
    }

    /// Takes all files that are not ignored, and commits them. Returns the commit that holds everything then, and all paths that
    /// differ from `start`.
    pub fn commit(
        &self,
        start: &Commit,
        message: &str,
    ) -> Result<(Commit, Vec<PathBuf>), GitError> {
        let results = self.take(start)?;
        Ok((self.commit_results(&results, message)?, results.paths))
    }

    /// Commits results to the workspace's branch, with the user as the author if git knows the user, and agentd as the committer.
    /// Returns the commit that holds everything then. The branch must be at the commit that the work began with, or at the one
    /// that an earlier run made of the same files.
    pub fn commit_results(&self, results: &Results, message: &str) -> Result<Commit, GitError> {
        let Results { start, tree, .. } = results;
        let Some(tree) = tree else { return Ok(start.clone()) };
        let repository = &self.repository;
        let mut made = repository.place.commit_tree(tree, &[start], message)?;
        if let Some(branch) = &self.branch {
            match repository.advance_branch(branch, start, &made) {
                Err(GitError::BranchMoved { found, .. })
                    if repository.is_commit_of(&found, tree, &[start])? =>
                {
                    made = found;
                }
                advanced => advanced?,
            }
        }
        self.adopt(&made)?;
        Ok(made)
    }

    /// Writes all that differs from a commit as a patch that `git apply` takes, new and binary files included, and returns
    /// whether there was anything. Otherwise no file is written. What no commit can hold is no part of it.
    pub fn save_patch(&self, since: &Commit, file: &Path) -> Result<bool, GitError> {
        let since = &self.began_with(since)?;
        let Some(tree) = self.take_what_fits(since)?.tree else { return Ok(false) };
        let call = self.repository.place.call(&["diff-tree", "-r", "--binary", "--full-index"]);
        let call = call.arguments(PATCH.map(AsRef::as_ref)).argument(since.as_str());
        save(call.argument(tree), file).map(|()| true)
    }

    /// Keeps all that came after a commit, in files or on the workspace's branch, on a branch whose name begins with a stem, and
    /// returns its name. Returns none if nothing came after it. The workspace and its own branch stay as they are, but for what no
    /// commit can hold.
    pub fn keep(
        &self,
        since: &Commit,
        stem: &str,
        message: &str,
    ) -> Result<Option<String>, GitError> {
        let repository = &self.repository;
        let mut last = self.commits_beyond(since)?;
        let since = &self.began_with(since)?;
        if let Some(tree) = self.take_what_fits(since)?.tree {
            let is_in = |tip: &Commit| repository.is_tree_of(tip, &tree);
            if last.as_ref().map(is_in).transpose()? != Some(true) {
                let parent = last.as_ref().unwrap_or(since);
                last = Some(repository.place.commit_tree(&tree, &[parent], message)?);
            }
        }
        last.map(|commit| repository.keep(stem, &commit)).transpose()
    }

    /// Keeps the commit that the workspace's branch is at, if it is not `since` and does not come before it, on a branch of another
    /// name. Returns the commit and that name.
    pub fn keep_branch(&self, since: &Commit) -> Result<Option<(Commit, String)>, GitError> {
        let (Some(branch), Some(tip)) = (&self.branch, self.commits_beyond(since)?) else {
            return Ok(None);
        };
        let kept = self.repository.keep(&format!("{branch}.kept"), &tip)?;
        Ok(Some((tip, kept)))
    }

    /// Returns the commit that the workspace's branch is at, if it is not `since` and does not come before it.
    pub fn commits_beyond(&self, since: &Commit) -> Result<Option<Commit>, GitError> {
        let Some(branch) = &self.branch else { return Ok(None) };
        let Some(tip) = self.repository.branch_commit(branch)? else { return Ok(None) };
        Ok(if self.repository.contains(since, &tip)? { None } else { Some(tip) })
    }

    /// Returns what the work in the files began with: a commit, or one before it that is still checked out.
    fn began_with(&self, commit: &Commit) -> Result<Commit, GitError> {
        match self.head()? {
            Some(head) if head != *commit && self.repository.contains(commit, &head)? => Ok(head),
            Some(_) | None => Ok(commit.clone()),
        }
    }

    /// Takes all files that are not ignored. Refuses what no commit can hold.
    pub fn take(&self, start: &Commit) -> Result<Results, GitError> {
        let lock = self.lock()?;
        let survey = self.survey(&lock)?;
        let (results, unfit) = self.take_in(&survey, start, &lock)?;
        if unfit.is_empty() {
            return Ok(results);
        }
        Err(GitError::Unfit { place: self.path.clone(), files: unfit })
    }

    /// Takes all files that are not ignored and that a commit can hold, before the workspace is set back.
    fn take_what_fits(&self, start: &Commit) -> Result<Results, GitError> {
        let lock = self.lock()?;
        let mut survey = self.survey(&lock)?;
        for path in &survey.irregular {
            let unfit = Unfit { path: path.clone(), why: Why::Irregular };
            log::warn!("{unfit}, so it is not kept");
        }
        survey.remove_unfit().map_err(|error| GitError::io("clear", &self.path, error))?;
        let (results, unfit) = self.take_in(&survey, start, &lock)?;
        for unfit in unfit {
            log::warn!("{unfit}, so it is not kept");
        }
        Ok(results)
    }

    fn take_in(
        &self,
        survey: &Survey,
        start: &Commit,
        lock: &Lock,
    ) -> Result<(Results, Vec<Unfit>), GitError> {
        let paths = self.list(survey)?;
        if paths.is_empty() && self.head()?.as_ref() == Some(start) {
            let results = Results { start: start.clone(), tree: None, paths: Vec::new() };
            return Ok((results, Vec::new()));
        }
        let sorted = Sorted::of(&paths, survey, self.repository.largest_file);
        let Sorted { gone, there, unfit } =
            sorted.map_err(|error| GitError::io("read", &self.path, error))?;
        // A crash may have left it, and when we have the lock no git of ours works here.
        remove_file(&self.state.join(format!("{TAKEN}.lock")))?;
        let (index, taken) = (self.state.join("index"), self.state.join(TAKEN));
        copy_index(&index, &taken).map_err(|error| GitError::io("copy", &index, error))?;
        let update = |options: &[&str], list: &[u8]| {
            if list.is_empty() {
                return Ok(());
            }
            let call = self.call_with(TAKEN, &["update-index", "-z"]).held(self.reading());
            call.arguments(options.iter().map(AsRef::as_ref)).input(list).run().map(|_| ())
        };
        update(&["--force-remove", "--stdin"], &gone)?;
        update(&["--add", "--replace", "--stdin"], &there)?;
        let write = || self.call_with(TAKEN, &["write-tree"]).holding(lock).line();
        let mut tree = write()?;
        let mut changes = self.repository.raw_changes(start, &tree)?;
        // Agents do not move submodules: their folders hold no files of this repository.
        let modules: Vec<u8> =
            changes.iter().filter_map(RawChange::module_entry).flatten().collect();
        if !modules.is_empty() {
            update(&["--index-info"], &modules)?;
            tree = write()?;
            changes = self.repository.raw_changes(start, &tree)?;
        }
        let paths: Vec<_> = changes.into_iter().map(|one| one.path).collect();
        let tree = (!paths.is_empty()).then_some(tree);
        Ok((Results { start: start.clone(), tree, paths }, unfit))
    }

    /// Makes the index of what was taken that of what is checked out, now that it is a commit.
    fn adopt(&self, commit: &Commit) -> Result<(), GitError> {
        // An index that is older than the commit costs time; a workspace without a commit would be checked out anew.
        self.end_checkout(commit)?;
        let (from, to) = (self.state.join(TAKEN), self.state.join("index"));
        rename(&from, &to).map_err(|error| GitError::io("rename", &from, error))
    }
}

/// Writes what git prints to a file that has its name only when it is whole, for the user alone.
fn save(call: Call<'_>, path: &Path) -> Result<(), GitError> {
    let failed = |error| GitError::io("write", path, error);
    let file = Unnamed::begin(path).map_err(failed)?;
    call.into_file(file.file().try_clone().map_err(failed)?)?;
    file.replace().map_err(failed)
}

#[expect(clippy::disallowed_methods, reason = "a lost rename is a checkout that is made anew")]
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    before(Step::Rename, to)?;
    fs::rename(from, to)
}

/// A path that differs between a commit and a tree, as `diff-tree --raw` tells it.
pub(super) struct RawChange {
    path: PathBuf,
    /// Mode and object of the commit's entry, where that is a submodule.
    module: Option<Vec<u8>>,
}

impl RawChange {
    /// Reads `:OLDMODE NEWMODE OLD NEW STATUS` and the path that follows it.
    pub(super) fn read(about: &[u8], path: &[u8]) -> Self {
        let mut fields = about
            .trim_ascii_start()
            .strip_prefix(b":")
            .unwrap_or(about)
            .split(|byte| *byte == b' ');
        let (mode, object) = (fields.next().unwrap_or_default(), fields.nth(1).unwrap_or_default());
        let module = (mode == SUBMODULE).then(|| [mode, b" ", object].concat());
        Self { path: path_of(path), module }
    }

    /// Returns the entry of an index that restores a submodule.
    fn module_entry(&self) -> Option<Vec<u8>> {
        let module = self.module.as_ref()?;
        Some([module, b"\t".as_slice(), self.path.as_os_str().as_bytes(), b"\0"].concat())
    }
}
