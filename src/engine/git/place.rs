//! A checkout together with its git folder. Both are always named, so that git never goes looking.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::author::Author;
use super::command::{Call, Git};
use super::commit::Commit;
use super::error::GitError;
use super::objects::Objects;
use super::status::{ChangedPath, parse_status};

/// A checkout and its git folder.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) git: Git,
    pub(super) git_dir: PathBuf,
    pub(super) tree: PathBuf,
    /// What answers questions about refs and objects.
    pub(super) objects: Arc<Objects>,
}

impl Place {
    /// Prepares a call of git here.
    pub(super) fn call<'a>(&self, arguments: &[&'a str]) -> Call<'a> {
        self.call_plainly(&[], arguments)
    }

    /// Prepares a call of git here with settings that stand above those of the user.
    pub(super) fn call_plainly<'a>(&self, settings: &[&str], arguments: &[&'a str]) -> Call<'a> {
        let mut call = self.git.call([]).quietly(&["-C".as_ref(), self.tree.as_os_str()]);
        for setting in settings {
            call = call.quietly(&["-c".as_ref(), setting.as_ref()]);
        }
        call.variable("GIT_DIR", &self.git_dir)
            .variable("GIT_WORK_TREE", &self.tree)
            .arguments(arguments.iter().map(OsStr::new))
    }

    /// Prepares a call of git here that makes a commit, by the user if git knows the user, else by agentd.
    pub(super) fn call_as_author<'a>(&self, arguments: &[&'a str]) -> Result<Call<'a>, GitError> {
        let author = self.author()?;
        let call = self.call(arguments).variable("GIT_AUTHOR_NAME", &author.name);
        Ok(call.variable("GIT_AUTHOR_EMAIL", &author.address))
    }

    /// Returns whose commits are made; git is asked once.
    pub(super) fn author(&self) -> Result<&Author, GitError> {
        if let Some(author) = self.git.author.get() {
            return Ok(author);
        }
        let answer = self.call(&["var", "GIT_AUTHOR_IDENT"]).answer()?;
        let known = answer.status.success().then(|| Author::read(&answer.output));
        Ok(self.git.author.get_or_init(|| known.flatten().unwrap_or_default()))
    }

    /// Makes a commit of a tree, which no branch is at yet.
    pub(super) fn commit_tree(
        &self,
        tree: &OsStr,
        parents: &[&Commit],
        message: &str,
    ) -> Result<Commit, GitError> {
        // Made by hand, since `git commit` reads more settings than can be overruled.
        let mut call = self.call_as_author(&["commit-tree", "-F", "-"])?;
        for parent in parents {
            call = call.argument("-p").argument(parent.as_str());
        }
        let message = format!("{}\n", message.trim_end());
        let made = call.argument(tree).input(&message).line()?.to_string_lossy().into_owned();
        Commit::try_from(made).map_err(|_| GitError::NoCommit { root: self.tree.clone() })
    }

    /// Finds the commit that a name stands for.
    pub(super) fn commit(&self, name: &str) -> Result<Option<Commit>, GitError> {
        let found = self.object(&format!("{name}^{{commit}}"))?;
        Ok(found.and_then(|name| Commit::try_from(name).ok()))
    }

    /// Returns the tree of a commit.
    pub(super) fn tree_of(&self, commit: &Commit) -> Result<OsString, GitError> {
        let tree = self.object(&format!("{commit}^{{tree}}"))?;
        tree.map(OsString::from).ok_or_else(|| missing(commit.as_str()))
    }

    /// Finds the object that a name stands for.
    fn object(&self, name: &str) -> Result<Option<String>, GitError> {
        Ok(self.objects.find(name, |arguments| self.bare_call(arguments))?.map(|it| it.name))
    }

    /// Reads an object, which must be there.
    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, GitError> {
        let found = self.objects.read(name, |arguments| self.bare_call(arguments))?;
        Ok(found.ok_or_else(|| missing(name))?.contents)
    }

    /// Prepares a call of git that needs no checkout, and so runs in no workspace.
    fn bare_call(&self, arguments: &[&'static str]) -> Call<'static> {
        let call = self.git.call([]).arguments(arguments.iter().map(OsStr::new));
        call.variable("GIT_DIR", &self.git_dir)
    }

    /// Returns the commit that is checked out.
    pub(super) fn head(&self) -> Result<Commit, GitError> {
        self.commit("HEAD")?.ok_or_else(|| GitError::NoCommit { root: self.tree.clone() })
    }

    /// Returns the branch that is checked out, if any.
    pub(super) fn branch(&self) -> Result<Option<String>, GitError> {
        let answer = self.call(&["symbolic-ref", "--quiet", "HEAD"]).answer()?;
        if answer.is(1) {
            return Ok(None);
        }
        let name = String::from_utf8_lossy(&answer.successful()?).trim_end().to_owned();
        Ok(name.strip_prefix("refs/heads/").map(str::to_owned))
    }

    /// Returns whether one commit is another or comes before it.
    pub(super) fn is_ancestor(&self, first: &Commit, then: &Commit) -> Result<bool, GitError> {
        let call = self.call(&["merge-base", "--is-ancestor"]);
        let answer = call.argument(first.as_str()).argument(then.as_str()).answer()?;
        if answer.is(1) { Ok(false) } else { answer.successful().map(|_| true) }
    }

    /// Lists what differs from the commit that is checked out.
    pub(super) fn status(&self) -> Result<Vec<ChangedPath>, GitError> {
        let call = self.call(&["status", "--porcelain=v2", "-z", "--untracked-files=all"]);
        let call = call.argument("--ignore-submodules=none").argument("--find-renames");
        Ok(parse_status(&call.run()?))
    }
}

/// Returns the error for an object that is gone, or was never there.
fn missing(name: &str) -> GitError {
    GitError::io("find the object", Path::new(name), io::ErrorKind::NotFound)
}
