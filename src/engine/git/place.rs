//! A checkout together with its git folder. Both are always named, so that git never goes looking.

use std::ffi::OsStr;
use std::path::PathBuf;

use super::author::Author;
use super::command::{Call, Git};
use super::commit::Commit;
use super::error::GitError;
use super::status::{ChangedPath, parse_status};

/// A checkout and its git folder.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) git: Git,
    pub(super) git_dir: PathBuf,
    pub(super) tree: PathBuf,
}

impl Place {
    /// Prepares a call of git here.
    pub(super) fn call<'a>(&self, arguments: &[&'a str]) -> Call<'a> {
        self.git
            .call([])
            .quietly(&["-C".as_ref(), self.tree.as_os_str()])
            .variable("GIT_DIR", &self.git_dir)
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
        let call = self.call(&["rev-parse", "--verify", "--quiet", "--end-of-options"]);
        let answer = call.argument(format!("{name}^{{commit}}")).answer()?;
        if answer.is(1) {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&answer.successful()?).trim_end().to_owned();
        Ok(Commit::try_from(line).ok())
    }

    /// Gives the commit that is checked out.
    pub(super) fn head(&self) -> Result<Commit, GitError> {
        self.commit("HEAD")?.ok_or_else(|| GitError::NoCommit { root: self.tree.clone() })
    }

    /// Gives the branch that is checked out, if any.
    pub(super) fn branch(&self) -> Result<Option<String>, GitError> {
        let answer = self.call(&["symbolic-ref", "--quiet", "HEAD"]).answer()?;
        if answer.is(1) {
            return Ok(None);
        }
        let name = String::from_utf8_lossy(&answer.successful()?).trim_end().to_owned();
        Ok(name.strip_prefix("refs/heads/").map(str::to_owned))
    }

    /// Says whether one commit is another or comes before it.
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
