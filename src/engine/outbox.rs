//! The folder in which an agent leaves its documents. It belongs to a role, a plan or a topic of a change, keeps its path, and
//! is filled with copies of the change's documents for each attempt. agentd takes from it what a step may write; everything
//! else in it means nothing.

use std::io;
use std::path::{Path, PathBuf};

use log::warn;

use super::documents::{Documents, STATE, is_too_large, write};
use super::error::EngineError;
use super::setup::Setup;
use crate::files::{Failed, OrFailed as _, make_private_folder, own};
use crate::flow::{Step, Validator};
use crate::models::change::ChangeId;
use crate::models::plan::PlanIndex;
use crate::prompt::confined::ConfinedFolder;
use crate::template::Role;

/// The outbox of an agent.
#[derive(Clone, Debug)]
pub(super) struct Outbox {
    path: PathBuf,
}

impl Outbox {
    /// Names the outbox of a role, a plan or a topic of a change; it need not be there.
    pub(super) fn of(setup: &Setup, id: &ChangeId, name: &str) -> Self {
        // Its last name is the change's, which prompts and tools go by.
        Self { path: setup.outboxes(id).join(name).join(id.as_str()) }
    }

    /// Names the outbox of the coder of one plan.
    pub(super) fn of_plan(setup: &Setup, id: &ChangeId, plan: PlanIndex) -> Self {
        Self::of(setup, id, &format!("{}-{}", Role::Coder.word(), plan.get()))
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder that it is in, as the folder of all changes that its agent knows.
    pub(super) fn changes(&self) -> PathBuf {
        self.path.parent().map_or_else(|| self.path.clone(), Path::to_owned)
    }

    /// Returns whether it is there: an answer that was left is of no use without it.
    pub(super) fn is_there(&self) -> bool {
        own::Folder::open(&self.path).is_ok()
    }

    /// Opens it; nothing leads out of it.
    pub(super) fn open(&self) -> Result<ConfinedFolder, EngineError> {
        Ok(ConfinedFolder::open(&self.path).or_failed("open", &self.path)?)
    }

    /// Fills it with copies of the documents in a change's folder, in place of all that is in it.
    pub(super) fn fill(&self, change: &Path) -> Result<(), EngineError> {
        let filled = || -> io::Result<()> {
            self.clear_way()?;
            make_private_folder(&self.path)?;
            // The folder itself stays: a server of an agent that is still there has it open.
            for (name, _) in own::entries(&self.path)? {
                own::clear(&self.path.join(name))?;
            }
            Documents::read(change)?.write_to(&self.path)?;
            // Roles are shown where the change is.
            match own::read(&change.join(STATE), 1 << 20)? {
                Some(state) => write(&self.path.join(STATE), &state),
                None => Ok(()),
            }
        };
        Ok(filled().or_failed("fill", &self.path)?)
    }

    /// Removes whatever stands in the place of the outbox or of the two folders to it, and is no folder.
    fn clear_way(&self) -> io::Result<()> {
        let mut folders: Vec<_> = self.path.ancestors().take(3).collect();
        folders.reverse();
        for folder in folders {
            match own::Folder::open(folder) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(_) => own::clear(folder)?,
            }
        }
        Ok(())
    }

    /// Makes the folders of the files that a step leaves: without commands not every agent can make one.
    pub(super) fn make_folders(&self, step: &Step) -> Result<(), EngineError> {
        let folder = self.open()?;
        for file in step.leaves.iter() {
            // The specs of an archive lie in a folder of their own.
            let name = match file.validator {
                Validator::Archive => "archive/specs",
                _ => file.path.rsplit_once('/').map_or("", |(folder, _)| folder),
            };
            if !name.is_empty() {
                folder.make(name).or_failed("make", self.path.join(name))?;
            }
        }
        Ok(())
    }

    /// Reads what an agent left in it, as far as that is wanted.
    pub(super) fn read(&self, is_wanted: impl Fn(&Path) -> bool) -> Result<Documents, EngineError> {
        Ok(Documents::read_where(&self.path, is_wanted).or_failed("read", &self.path)?)
    }

    /// Keeps what an attempt that was cut off had written, as far as that can be held.
    pub(super) fn set_aside(
        &self,
        before: &Documents,
        aside: &Path,
        is_wanted: impl Fn(&Path) -> bool,
    ) -> Result<(), EngineError> {
        if !self.is_there() {
            return Ok(());
        }
        match Documents::read_where(&self.path, is_wanted) {
            Ok(left) => {
                let left = left.changed_since(before);
                Ok(left.write_to(aside).or_failed("keep files in", aside)?)
            }
            Err(error) if is_too_large(&error) => {
                warn!("files that an agent left in its outbox are not kept: {error}");
                Ok(())
            }
            Err(error) => Err(Failed::new("read", &self.path, error).into()),
        }
    }

    /// Copies documents into it while its agent is at work; the last one shows that all are there.
    pub(super) fn deliver(&self, documents: &Documents, last: &str) -> Result<(), EngineError> {
        let folder = self.open()?;
        let mut files: Vec<_> = documents.iter().collect();
        files.sort_by_key(|(path, _)| path.to_str() == Some(last));
        for (path, bytes) in files {
            let Some(name) = path.to_str() else { continue };
            let unusable = super::roles::files::unusable(self.path.join(name));
            folder.replace(name, bytes).map_err(unusable)?;
        }
        Ok(())
    }
}
