//! Bringing the commits of a change onto another base, without touching any file.
//!
//! Until the journal tells of it, two refs of agentd's own do: whoever was cut off after the branch was moved goes on from them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

use super::commit::Commit;
use super::error::GitError;
use super::merge::SETTINGS;
use super::repository::Repository;
use super::status::{items, path_of};

/// The code of a change on another base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebased {
    /// The new base.
    pub onto: Commit,
    /// The last of the commits on it.
    pub tip: Commit,
}

impl Repository {
    /// Replays the commits of a branch between its base and its tip onto another commit. Nothing is moved, and what is in conflict
    /// is refused.
    pub fn replay(
        &self,
        branch: &str,
        (base, tip): (&Commit, &Commit),
        onto: &Commit,
    ) -> Result<Rebased, GitError> {
        let mut made = onto.clone();
        for (commit, parent) in self.line(base, tip)? {
            let options = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"];
            let call = self.place.call_plainly(&SETTINGS, &options);
            let call = call.argument(format!("--merge-base={parent}"));
            let answer = call.argument(made.as_str()).argument(commit.as_str()).answer()?;
            if !answer.is(0) && !answer.is(1) {
                return Err(answer.failed());
            }
            let mut found = items(&answer.output);
            let tree = found.next().map(OsStr::from_bytes).unwrap_or_default().to_owned();
            if answer.is(1) {
                let (branch, onto) = (branch.to_owned(), onto.clone());
                let files = found.map(path_of).collect();
                return Err(GitError::RebaseConflict { branch, commit, onto, files });
            }
            // What the new base has already is no commit.
            if !self.is_tree_of(&made, &tree)? {
                made = self.copied(&commit, &tree, &made)?;
            }
        }
        Ok(Rebased { onto: onto.clone(), tip: made })
    }

    /// Lists the commits of a branch, first to last, each with the one before it. Where a person joined others into them so that they
    /// are no line from the base, they are taken as one.
    fn line(&self, base: &Commit, tip: &Commit) -> Result<Vec<(Commit, Commit)>, GitError> {
        let call = self.place.call(&["rev-list", "--first-parent", "--reverse", "--parents"]);
        let list = call.argument(tip.as_str()).argument(format!("^{base}")).run()?;
        let list = String::from_utf8_lossy(&list).into_owned();
        let commit = |word: &str| Commit::try_from(word.to_owned()).ok();
        let mut line = Vec::new();
        let mut last = base.clone();
        for words in list.lines().map(str::split_whitespace) {
            let mut words = words.filter_map(commit);
            match (words.next(), words.next()) {
                (Some(next), Some(parent)) if parent == last => {
                    last.clone_from(&next);
                    line.push((next, parent));
                }
                _ => return Ok(vec![(tip.clone(), base.clone())]),
            }
        }
        Ok(line)
    }

    /// Makes a commit of a tree with the author and the message of another.
    fn copied(&self, commit: &Commit, tree: &OsStr, parent: &Commit) -> Result<Commit, GitError> {
        let call = self.place.call(&["log", "-1", "--no-show-signature", "--date=raw"]);
        let about = call.argument("--format=%an%x00%ae%x00%ad%x00%B").argument(commit.as_str());
        let about = about.run()?;
        let mut fields = about.splitn(4, |byte| *byte == 0).map(OsStr::from_bytes);
        let mut field = || fields.next().map(OsString::from).unwrap_or_default();
        let (name, address, date, message) = (field(), field(), field(), field());
        let message = [message.as_bytes().trim_ascii_end(), b"\n"].concat();
        let call = self.place.call(&["commit-tree", "-F", "-", "-p", parent.as_str()]);
        let call = call.variable("GIT_AUTHOR_NAME", name).variable("GIT_AUTHOR_EMAIL", address);
        let call = call.variable("GIT_AUTHOR_DATE", date).argument(tree).input(&message);
        let made = call.line()?.to_string_lossy().into_owned();
        Commit::try_from(made).map_err(|_| GitError::NoCommit { root: self.place.tree.clone() })
    }

    /// Moves the branch of a change onto its new base, from where it is known to be.
    pub fn begin_rebase(
        &self,
        id: &str,
        (branch, from): (&str, &Commit),
        rebased: &Rebased,
    ) -> Result<(), GitError> {
        self.refuse_in_use(branch)?;
        for (name, commit) in [("onto", &rebased.onto), ("rebased", &rebased.tip)] {
            self.write_ref(&format!("refs/agentd/{id}/{name}"), commit)?;
        }
        if rebased.tip == *from {
            return Ok(());
        }
        self.advance_branch(branch, from, &rebased.tip)
    }

    /// Finds a rebase that was cut off: the branch was moved, and the journal does not tell of it.
    pub fn begun_rebase(&self, id: &str, branch: &str) -> Result<Option<Rebased>, GitError> {
        let find = |name: &str| self.place.commit(&format!("refs/agentd/{id}/{name}"));
        let (Some(onto), Some(tip)) = (find("onto")?, find("rebased")?) else { return Ok(None) };
        let is_moved = self.branch_commit(branch)?.as_ref() == Some(&tip);
        Ok(is_moved.then_some(Rebased { onto, tip }))
    }

    /// Forgets a rebase that the journal tells of by now; where a ref holds the base of the change, it holds the new one.
    pub fn end_rebase(&self, id: &str, rebased: &Rebased) -> Result<(), GitError> {
        for (name, object) in self.refs_below(&format!("refs/agentd/{id}"))? {
            if name.ends_with("/base") {
                self.write_ref(&name, &rebased.onto)?;
            } else if name.ends_with("/onto") || name.ends_with("/rebased") {
                let call = self.place.call(&["update-ref", "--no-deref", "-d"]);
                call.argument(name).argument(object).run()?;
            }
        }
        Ok(())
    }

    /// Holds the base of a change by a ref, so that no clean-up of git removes it.
    pub fn hold_base(&self, id: &str, base: &Commit) -> Result<(), GitError> {
        self.write_ref(&format!("refs/agentd/{id}/base"), base)
    }

    /// Returns whether a ref holds the base of a change: then the change was begun in this repository.
    pub fn holds_base(&self, id: &str) -> Result<bool, GitError> {
        Ok(self.place.commit(&format!("refs/agentd/{id}/base"))?.is_some())
    }

    fn write_ref(&self, name: &str, commit: &Commit) -> Result<(), GitError> {
        let call = self.place.call(&["update-ref", "--no-deref", "-m", "agentd"]);
        call.argument(name).argument(commit.as_str()).run().map(|_| ())
    }
}
