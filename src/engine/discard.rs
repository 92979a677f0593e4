//! Taking back all of a change that is not merged: its branches, workspaces, documents and state, and what its archive wrote.
//!
//! The change is gone when its state is moved aside, in one step. What follows can be done again: it goes by the journal that was
//! moved, and that goes last.

use std::path::{Path, PathBuf};

use super::archive::{self, ArchivePlan, TakenBack};
use super::change::ChangeError;
use super::entry::{Entry, Record};
use super::error::EngineError;
use super::git::{Commit, GitError, Leftover, Repository};
use super::history::History;
use super::journal;
use super::lock::Lock;
use super::project::{Location, Project, Whereabouts};
use super::put_away::REPLACED;
use super::setup::Setup;
use crate::files::{OrFailed as _, move_within, own};
use crate::models::change::ChangeId;

/// A change that is discarded, and where all of it is.
#[derive(Debug)]
pub struct Discard<'d> {
    /// The change.
    pub id: &'d ChangeId,
    /// The project.
    pub project: &'d Project,
    /// Its repository.
    pub repository: &'d Repository,
    /// The folder of its workspaces.
    pub workspaces: &'d Path,
    /// The lock of the change.
    pub lock: &'d Lock,
}

/// What is or was taken back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discarded {
    /// The branches.
    pub branches: Vec<String>,
    /// The folders of workspaces.
    pub workspaces: Vec<PathBuf>,
    /// The folders of documents.
    pub documents: Vec<PathBuf>,
    /// The project's files that its archive wrote.
    pub files: TakenBack,
}

impl Discard<'_> {
    /// Returns whether an earlier call was cut off after the change was gone.
    pub fn is_begun(&self) -> bool {
        self.project.is_being_discarded(self.id)
    }

    /// Refuses a branch of the change that somebody has checked out.
    pub fn refuse_in_use(&self) -> Result<(), GitError> {
        let branches = self.repository.branches_of(&Setup::branch(self.id))?;
        branches.iter().try_for_each(|branch| self.repository.refuse_in_use(branch))
    }

    /// Lists what would be taken back, but for the files that the archive wrote, which are looked at when that is done.
    pub fn plan(&self) -> Result<Discarded, EngineError> {
        let found = self.project.find(self.id).or_failed("read", self.project.states())?;
        let documents = match found {
            Whereabouts::Open(Location { folder, .. })
            | Whereabouts::Archived(Location { folder, .. }) => vec![folder],
            Whereabouts::Nowhere => Vec::new(),
        };
        Ok(Discarded {
            branches: self.repository.branches_of(&Setup::branch(self.id))?,
            workspaces: self.leftovers()?.into_iter().filter_map(|one| one.folder).collect(),
            documents,
            files: TakenBack::default(),
        })
    }

    /// Takes all of the change back, or goes on with what was cut off.
    pub fn run(&self) -> Result<Discarded, EngineError> {
        let discarded = self.project.discarded(self.id);
        if !self.is_begun() {
            let states = self.project.states();
            let name = discarded.file_name().unwrap_or_default();
            move_within(&states, Path::new(self.id.as_str()), Path::new(name))
                .or_failed("move", states.join(self.id.as_str()))?;
        }
        let done = self.clear(&discarded)?;
        own::clear(&discarded).or_failed("remove", &discarded)?;
        Ok(done)
    }

    /// Removes all but the state.
    fn clear(&self, state: &Path) -> Result<Discarded, EngineError> {
        // Where the journal is gone, all else was gone before it.
        let records = match journal::read(state) {
            Ok((records, _)) => records,
            Err(_) if !state.join(journal::FILE).exists() => Vec::new(),
            Err(error) => return Err(ChangeError::from(error).into()),
        };
        let root = self.project.folder();
        let files = if root.exists() {
            archive::take_back(&plans(&records), &root, &state.join(REPLACED))?
        } else {
            TakenBack::default()
        };
        let mut documents = vec![self.project.documents(self.id, &records)];
        if records.is_empty() {
            documents.clear();
        }
        documents.retain(|folder| folder.symlink_metadata().is_ok());
        for folder in &documents {
            own::clear(folder).or_failed("remove", folder)?;
        }
        let mut workspaces = Vec::new();
        for leftover in self.leftovers()? {
            leftover.remove(self.repository)?;
            workspaces.extend(leftover.folder);
        }
        let branches = self.repository.branches_of(&Setup::branch(self.id))?;
        for branch in &branches {
            self.repository.refuse_in_use(branch)?;
            if let Some(tip) = self.repository.branch_commit(branch)? {
                self.repository.delete_branch(branch, &tip)?;
            }
        }
        self.repository.delete_refs_of(self.id.as_str())?;
        Ok(Discarded { branches, workspaces, documents, files })
    }

    fn leftovers(&self) -> Result<Vec<Leftover>, GitError> {
        Leftover::of(self.repository, self.workspaces, self.id.as_str())
    }
}

/// Lists the archives of a change that were put in place, or were about to be.
pub(super) fn plans(records: &[Record]) -> Vec<ArchivePlan> {
    let plan = |record: &Record| match &record.entry {
        Entry::Applying { plan } => Some(plan.clone()),
        _ => None,
    };
    records.iter().filter_map(plan).collect()
}

/// Returns the branch of the user's that holds the code of a change, if there is any code and any such branch.
pub fn merged_into(
    repository: &Repository,
    id: &ChangeId,
    history: &History,
) -> Result<Option<String>, GitError> {
    let tip = repository.branch_commit(&Setup::branch(id))?;
    let is_code = |commit: &&Commit| history.base.as_ref() != Some(*commit);
    for commit in history.written.iter().chain(&tip).filter(is_code) {
        if let Some(branch) = repository.merged_into(commit)? {
            return Ok(Some(branch));
        }
    }
    Ok(None)
}
