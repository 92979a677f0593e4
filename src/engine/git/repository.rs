//! The user's repository: where it is, and what may be asked of it without changing it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::command::Git;
use super::commit::Commit;
use super::error::GitError;
use super::place::Place;
use super::status::{ChangedPath, items};

/// The oldest version of git that takes attributes from a commit.
const OLDEST: (u32, u32) = (2, 41);

/// What names a hook in the configuration, which newer versions of git look at.
const HOOKS: &str = r"^hook\..*\.(event|command)$";

/// A git repository with a checkout, which is the user's.
#[derive(Clone, Debug)]
pub struct Repository {
    pub(super) place: Place,
    /// The git folder that all checkouts of the repository share.
    pub(super) common: PathBuf,
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
        let answer = ask(&["rev-parse", "--is-inside-work-tree"]).answer()?;
        if answer.complains("not a git repository") {
            return Err(GitError::NotARepository { folder });
        }
        if answer.successful()? != b"true\n" {
            return Err(GitError::NoCheckout { folder });
        }
        // One question at a time, since a path may hold a line end.
        let path = |option| ask(&["rev-parse", "--path-format=absolute", option]).line();
        let hooks = ask(&["config", "-z", "--name-only", "--get-regexp", HOOKS]).answer()?;
        let place = Place {
            git: git.clone().without_hooks(configured_hooks(&hooks.output)),
            git_dir: path("--absolute-git-dir")?.into(),
            tree: path("--show-toplevel")?.into(),
        };
        Ok(Self { place, common: path("--git-common-dir")?.into() })
    }

    /// Gives the top of the checkout.
    pub fn root(&self) -> &Path {
        &self.place.tree
    }

    /// Gives the commit that is checked out.
    pub fn head(&self) -> Result<Commit, GitError> {
        self.place.head()
    }

    /// Gives the branch that is checked out, if any.
    pub fn branch(&self) -> Result<Option<String>, GitError> {
        self.place.branch()
    }

    /// Says whether there is a branch of a name.
    pub fn branch_exists(&self, name: &str) -> Result<bool, GitError> {
        Ok(self.branch_commit(name)?.is_some())
    }

    /// Gives the commit that a branch is at, if there is such a branch.
    pub fn branch_commit(&self, name: &str) -> Result<Option<Commit>, GitError> {
        self.place.commit(&format!("refs/heads/{name}"))
    }

    /// Says whether all of a branch is in what is checked out; a branch that is not there has nothing left to merge.
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

/// Gives the names of hooks from the keys that speak of them.
fn configured_hooks(keys: &[u8]) -> Vec<OsString> {
    let name = |key: &[u8]| {
        let end = key.iter().rposition(|byte| *byte == b'.')?;
        key.get("hook.".len()..end).map(|name| OsStr::from_bytes(name).to_owned())
    };
    let mut names: Vec<_> = items(keys).filter_map(name).collect();
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
        let keys = b"hook.lint.event\0hook.lint.command\0hook.a=b.c.event\0";
        assert_eq!(configured_hooks(keys), ["a=b.c", "lint"]);
        assert_eq!(configured_hooks(b""), [""; 0]);
    }
}
