//! The files of a workspace: checking a commit out, what differs from it, and setting it back.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::commit::Commit;
use super::error::GitError;
use super::folder::{date_index, remove_file};
use super::lock::Lock;
use super::status::{items, path_of};
use super::survey::Survey;
use super::workspace::Workspace;

/// How often leftovers are removed: one rule file less can show files that it hid.
const MOST_CLEANINGS: u32 = 20;

/// What is in the folder of a workspace before a commit is checked out.
#[derive(Debug)]
pub(super) enum Before<'s> {
    /// Nothing: the folder was made just now, and nobody else is in it.
    Nothing,
    /// Files of another commit, and what somebody left.
    Files(&'s mut Survey),
}

/// What no commit takes, of all that is in a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// What git ignores, what has a name that it refuses, and what is neither a file nor a link. A folder with nothing else is one
    /// entry.
    pub paths: BTreeSet<PathBuf>,
    /// The submodules in which somebody edited files.
    pub submodules: Vec<PathBuf>,
}

impl Workspace {
    /// Returns whether the files and the branch are those of a commit.
    pub fn is_as_at(&self, commit: &Commit) -> Result<bool, GitError> {
        if self.head()?.as_ref() != Some(commit) {
            return Ok(false);
        }
        if let Some(branch) = &self.branch
            && self.repository.branch_commit(branch)?.as_ref() != Some(commit)
        {
            return Ok(false);
        }
        let lock = self.lock()?;
        self.is_clean(&self.survey(&lock)?)
    }

    /// Returns whether the files are those that were checked out, and nothing is there that nobody can keep.
    fn is_clean(&self, survey: &Survey) -> Result<bool, GitError> {
        Ok(survey.is_fit() && self.list(survey)?.is_empty() && self.edited_in(survey)?.is_empty())
    }

    /// Sets files and branch back to a commit: new files are gone, ignored ones stay. The agent's own `.git` is made anew.
    pub fn restore(&self, commit: &Commit) -> Result<(), GitError> {
        let lock = self.lock()?;
        if let Some(branch) = &self.branch {
            self.repository.move_branch(branch, commit)?;
        }
        let mut survey = self.survey(&lock)?;
        if self.head()?.as_ref() == Some(commit) && self.is_clean(&survey)? {
            return self.give_git(commit);
        }
        self.check_out(commit, Before::Files(&mut survey), &lock)
    }

    /// Sets files and branch back to a commit, and removes ignored files too.
    pub fn restore_bare(&self, commit: &Commit) -> Result<(), GitError> {
        self.restore(commit)?;
        let lock = self.lock()?;
        self.unmark_set_up()?;
        let mut survey = self.survey(&lock)?;
        let call = self.call(&["clean", "-ffdxq"]).held(self.writing(&self.repository.common));
        call.holding(&lock).run()?;
        survey.forget().map_err(|error| GitError::io("remove a repository in", &self.path, error))
    }

    /// Lists what no commit takes, of all that is not in the commit that is checked out.
    pub fn left_out(&self) -> Result<LeftOut, GitError> {
        let lock = self.lock()?;
        let survey = self.survey(&lock)?;
        let options = ["ls-files", "-z", "-o", "--directory", "--no-empty-directory"];
        let list = self.call(&options).run()?;
        let mut paths: BTreeSet<_> = items(&list).map(path_of).collect();
        let too_long = survey.too_long.iter().map(|path| shortened(path).join(""));
        for path in survey.irregular.iter().cloned().chain(too_long) {
            if !path.ancestors().any(|folder| paths.contains(folder)) {
                paths.insert(path);
            }
        }
        Ok(LeftOut { paths, submodules: self.edited_in(&survey)? })
    }

    /// Makes the files those of a commit.
    pub(super) fn check_out(
        &self,
        commit: &Commit,
        mut before: Before<'_>,
        lock: &Lock,
    ) -> Result<(), GitError> {
        let filled = self.fill(commit, &mut before, lock);
        match (filled, before) {
            // Whoever worked there may have left folders that nobody may change.
            (Err(GitError::Failed { .. }), Before::Files(survey)) => {
                survey.open_up().map_err(|error| GitError::io("open", &self.path, error))?;
                self.fill(commit, &mut Before::Files(survey), lock)
            }
            (filled, _) => filled,
        }
    }

    fn fill(&self, commit: &Commit, before: &mut Before<'_>, lock: &Lock) -> Result<(), GitError> {
        if self.head()?.is_none() {
            // A checkout that was cut off: the index may know of files that are not there.
            remove_file(&self.state.join("index"))?;
        }
        self.begin_checkout()?;
        let call = self.call(&["read-tree", "--reset", "-u", "--no-recurse-submodules"]);
        let call = call.argument(commit.as_str()).holding(lock);
        match before {
            Before::Nothing => drop(call.run()?),
            Before::Files(survey) => {
                let removed = survey.remove_unfit();
                removed.map_err(|error| GitError::io("clear", &self.path, error))?;
                call.held(self.writing(&self.repository.common)).run()?;
                self.remove_leftovers(survey, lock)?;
            }
        }
        self.export_submodules(before)?;
        self.end_checkout(commit)?;
        self.give_git(commit)
    }

    /// Removes files that are new. A repository inside is never deleted: it is put aside, beside the workspace.
    fn remove_leftovers(&self, survey: &Survey, lock: &Lock) -> Result<(), GitError> {
        for _ in 0..MOST_CLEANINGS {
            let list = self.call(&["ls-files", "-z", "-o", "--exclude-standard"]).run()?;
            if list.is_empty() {
                return Ok(());
            }
            for repository in &survey.inside {
                let is_new = items(&list).any(|item| path_of(item).starts_with(repository));
                if is_new && !self.has_tracked(repository)? {
                    let kept = survey.put_aside(repository)?;
                    log::warn!("a repository in a workspace is kept in `{}`", kept.display());
                }
            }
            let call = self.call(&["clean", "-ffdq"]).held(self.writing(&self.repository.common));
            call.holding(lock).run()?;
        }
        Ok(())
    }

    /// Returns whether the commit that is checked out has files in a folder.
    fn has_tracked(&self, folder: &Path) -> Result<bool, GitError> {
        let call = self.call(&["ls-files", "-z", "--"]).argument(folder);
        Ok(!call.run()?.is_empty())
    }

    /// Lists the files that are new, other or gone.
    pub(super) fn list(&self, survey: &Survey) -> Result<BTreeSet<PathBuf>, GitError> {
        survey.refuse()?;
        let options = ["ls-files", "-z", "-d", "-m", "-o", "--exclude-standard"];
        let begun = SystemTime::now();
        let list = self.call(&options).run()?;
        if list.is_empty() {
            let index = self.state.join("index");
            date_index(&index, begun).map_err(|error| GitError::io("date", &index, error))?;
        }
        Ok(items(&list).map(path_of).collect())
    }
}

/// Returns the beginning of a path, as long as people read it.
fn shortened(path: &Path) -> &Path {
    const LONGEST: usize = 200;
    path.ancestors().find(|it| it.as_os_str().len() <= LONGEST).unwrap_or(path)
}
