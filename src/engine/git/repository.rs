//! The user's repository: where it is, and what may be asked of it without changing it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::attributes::Known;
use super::command::Git;
use super::commit::Commit;
use super::error::GitError;
use super::held::Confinement;
use super::place::Place;
use super::status::{ChangedPath, items, path_of};

/// The oldest version of git that takes attributes from a commit.
const OLDEST: (u32, u32) = (2, 41);

/// How many bytes a file may have that is taken from a workspace, unless somebody says so.
const LARGEST_FILE: u64 = 100_000_000;

/// What is asked of the configuration: the names of hooks, which newer versions of git look at, and whether it is a partial clone.
const ASKED: &str = r"^(hook\..*\.(event|command)|remote\..*\.promisor)$";
/// How the setting of a clone ends that may lack objects.
const PARTIAL: &[u8] = b".promisor";

/// A git repository with a checkout, which is the user's.
#[derive(Clone, Debug)]
pub struct Repository {
    pub(super) place: Place,
    /// The git folder that all checkouts of the repository share.
    pub(super) common: PathBuf,
    /// Whether it was cloned without some of its objects.
    is_partial: bool,
    /// Which commits hold attributes.
    pub(super) attributes: Known,
    /// Its tags as git packs them, once they were asked for.
    pub(super) tags: Arc<OnceLock<Vec<u8>>>,
    /// What confines agents; none if nothing does.
    pub(super) confinement: Option<Confinement>,
    /// How many bytes a file may have that is taken from a workspace.
    pub(super) largest_file: u64,
}

impl Repository {
    /// Finds the repository that a folder is in.
    pub fn find(folder: &Path, git: &Git) -> Result<Self, GitError> {
        check_version(git)?;
        let folder = std::path::absolute(folder)
            .map_err(|error| GitError::io("find the folder", folder, error))?;
        let ask = |arguments: &[&str]| {
            let call = git.call([]).quietly(&["-C".as_ref(), folder.as_os_str()]);
            call.arguments(arguments.iter().map(OsStr::new))
        };
        let all = ["--is-inside-work-tree", "--absolute-git-dir", "--git-common-dir"];
        let all = [&["rev-parse", "--path-format=absolute"], &all[..]].concat();
        let answer = ask(&[&all[..], &["--show-toplevel"]].concat()).answer()?;
        if answer.complains("not a git repository") {
            return Err(GitError::NotARepository { folder });
        }
        if answer.complains("must be run in a work tree") || answer.output.starts_with(b"false") {
            return Err(GitError::NoCheckout { folder });
        }
        let said = answer.successful()?;
        let lines: Vec<_> =
            said.strip_suffix(b"\n").unwrap_or(&said).split(|c| *c == b'\n').collect();
        let [git_dir, common, tree] = if let [_, git_dir, common, tree] = lines.as_slice() {
            [git_dir, common, tree].map(|path| path_of(path))
        } else {
            // A path holds a line end: one question at a time.
            let path = |option| -> Result<PathBuf, GitError> {
                Ok(ask(&["rev-parse", "--path-format=absolute", option]).line()?.into())
            };
            [path("--absolute-git-dir")?, path("--git-common-dir")?, path("--show-toplevel")?]
        };
        let asked = ask(&["config", "-z", "--name-only", "--get-regexp", ASKED]).answer()?;
        let (partial, hooks): (Vec<_>, Vec<_>) =
            items(&asked.output).partition(|key| key.ends_with(PARTIAL));
        let git = git.clone().without_hooks(configured_hooks(&hooks));
        let place = Place { git, git_dir, tree, objects: Arc::default() };
        let is_partial = !partial.is_empty();
        let (attributes, confinement) = (Known::default(), Some(Confinement::default()));
        let (tags, largest_file) = (Arc::default(), LARGEST_FILE);
        Ok(Self { place, common, is_partial, attributes, tags, confinement, largest_file })
    }

    /// Holds git in workspaces to what confines agents; to nothing where nothing does.
    #[must_use]
    pub fn confined_by(self, confinement: Option<Confinement>) -> Self {
        Self { confinement, ..self }
    }

    /// Takes no file from a workspace that has more bytes.
    #[must_use]
    pub fn with_largest_file(self, largest_file: u64) -> Self {
        Self { largest_file, ..self }
    }

    /// Refuses a partial clone that lacks files of a commit: agentd fetches nothing, so that no workspace could be made.
    pub fn refuse_incomplete(&self, commit: &Commit) -> Result<(), GitError> {
        if !self.is_partial {
            return Ok(());
        }
        let options = ["rev-list", "--objects", "--missing=print", "--no-walk", commit.as_str()];
        let list = self.place.call(&options).run()?;
        let missing = list.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"?"));
        match missing.count() {
            0 => Ok(()),
            count => Err(GitError::Incomplete { commit: commit.clone(), count }),
        }
    }

    /// Returns the top of the checkout.
    pub fn root(&self) -> &Path {
        &self.place.tree
    }

    /// Returns the git folder of this checkout.
    pub fn git_dir(&self) -> &Path {
        &self.place.git_dir
    }

    /// Returns the git folder that all checkouts share.
    pub fn common(&self) -> &Path {
        &self.common
    }

    /// Returns the commit that is checked out.
    pub fn head(&self) -> Result<Commit, GitError> {
        self.place.head()
    }

    /// Returns the branch that is checked out, if any.
    pub fn branch(&self) -> Result<Option<String>, GitError> {
        self.place.branch()
    }

    /// Returns whether there is a branch of a name.
    pub fn branch_exists(&self, name: &str) -> Result<bool, GitError> {
        Ok(self.branch_commit(name)?.is_some())
    }

    /// Returns the commit that a branch is at, if there is such a branch.
    pub fn branch_commit(&self, name: &str) -> Result<Option<Commit>, GitError> {
        self.place.commit(&format!("refs/heads/{name}"))
    }

    /// Returns whether all of a branch is in what is checked out; a branch that is not there has nothing left to merge.
    pub fn is_merged(&self, branch: &str) -> Result<bool, GitError> {
        match self.branch_commit(branch)? {
            Some(tip) => self.place.is_ancestor(&tip, &self.head()?),
            None => Ok(true),
        }
    }

    /// Lists what is not committed outside of some folders, files that git was not told of included.
    pub fn uncommitted_outside(&self, folders: &[&str]) -> Result<Vec<ChangedPath>, GitError> {
        let mut changes = self.place.status()?;
        changes.retain(|changed| changed.is_outside(folders));
        Ok(changes)
    }
}

/// Returns the names of hooks from the keys that speak of them.
fn configured_hooks(keys: &[&[u8]]) -> Vec<OsString> {
    let name = |key: &[u8]| {
        let end = key.iter().rposition(|byte| *byte == b'.')?;
        key.get("hook.".len()..end).map(|name| OsStr::from_bytes(name).to_owned())
    };
    let mut names: Vec<_> = keys.iter().copied().filter_map(name).collect();
    names.sort();
    names.dedup();
    names
}

fn check_version(git: &Git) -> Result<(), GitError> {
    let said = git.call(["version".as_ref()]).line()?.to_string_lossy().into_owned();
    let found = said.strip_prefix("git version ").unwrap_or(&said);
    // One that says something else is given the benefit of the doubt.
    match version(found) {
        Some(version) if version < OLDEST => Err(GitError::TooOld { found: found.to_owned() }),
        Some(_) | None => Ok(()),
    }
}

fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert!(version("2.9.5").unwrap() < OLDEST && version("2.41.0").unwrap() >= OLDEST);
        assert!(version("3.0.1 (Apple Git-154)").unwrap() > OLDEST);
        assert_eq!(version("unknown"), None);
    }

    #[test]
    fn hooks_of_the_configuration_are_named_once_whatever_their_names() {
        let keys: [&[u8]; 3] = [b"hook.lint.event", b"hook.lint.command", b"hook.a=b.c.event"];
        assert_eq!(configured_hooks(&keys), ["a=b.c", "lint"]);
        assert_eq!(configured_hooks(&[]), [""; 0]);
    }
}
