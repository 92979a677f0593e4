//! A change on disk, held by one run: its journal, its state, and the files that are derived from them.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use log::warn;
use serde_json::json;
use thiserror::Error;

use super::entry::{Entry, Record};
use super::flow::Flow;
use super::history::{BrokenHistory, CannotBe, History};
use super::journal::{self, Found, Journal, JournalError};
use super::lock::{Lock, LockError};
use super::machine::Stage;
use super::planted::refuse_planted;
use super::project::Project;
use super::snapshot::{self, Snapshot};
use super::team::TeamStep;
use crate::files::own::{self, Folder, Refused};
use crate::files::{make_folder, replace_atomically, sync_folder};
use crate::models::change::ChangeId;
use crate::models::secrets::Secrets;
use crate::orchestrator::clock::now_ms;
use crate::prompt::confined::ConfinedFolder;
use crate::template::Phase;

/// What is agentd's own in a change's folder, and not for commits.
const IGNORED: &str = ".before/\n.before.new/\n.*.new\n.lock\njournal.torn\nruns/\nstate.json\n";

/// The largest file of a change that is read as a whole.
const LARGEST: u64 = 64 << 20;

/// A change that this run holds.
#[derive(Debug)]
pub struct Change {
    /// Its id.
    pub id: ChangeId,
    /// Its folder.
    pub folder: PathBuf,
    /// What has become of it.
    pub history: History,
    journal: Journal,
    lock: Lock,
}

/// Why a change cannot be held or go on.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// Its journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Its journal makes no sense.
    #[error("`{}`: {broken}", folder.display())]
    Broken {
        /// Its folder.
        folder: PathBuf,
        /// What is wrong.
        broken: BrokenHistory,
    },
    /// Somebody else holds it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// That cannot happen to it now.
    #[error("change `{id}` is at {at}, where this cannot be done")]
    Impossible {
        /// The change.
        id: ChangeId,
        /// Where it is, in words.
        at: String,
        /// What cannot happen.
        impossible: CannotBe,
    },
    /// It is in the archive, where it may have been moved just now.
    #[error("change `{id}` is done, and archived in `{}`", folder.display())]
    Archived {
        /// The change.
        id: ChangeId,
        /// Where it is.
        folder: PathBuf,
    },
    /// A file of it cannot be read or written.
    #[error("cannot {what} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

impl Change {
    /// Holds a change, whose folder must be there.
    pub fn hold(id: &ChangeId, folder: &Path) -> Result<Self, ChangeError> {
        let holder = format!("agentd with process id {}", std::process::id());
        let lock = Lock::take(folder, &holder)?;
        refuse_planted(folder).map_err(|(path, source)| io_error("use", &path, source))?;
        snapshot::sweep(folder).map_err(|source| io_error("clear up", folder, source))?;
        let (journal, records, found) = Journal::open(folder)?;
        if found == Found::Torn {
            warn!(
                "the last line of the journal of `{id}` was never finished: it is set apart in journal.torn"
            );
        }
        let history = History::of(&records)
            .map_err(|broken| ChangeError::Broken { folder: folder.to_owned(), broken })?;
        Ok(Self { id: id.clone(), folder: folder.to_owned(), history, journal, lock })
    }

    /// Makes the folder of a new change and holds it. A folder that was made but holds no request yet is taken over.
    pub fn create(id: &ChangeId, project: &Project, request: &str) -> Result<Self, ChangeError> {
        let mut change = Self::made(id, project)?;
        if change.history.request.is_none() {
            change.write(".gitignore", IGNORED)?;
            change.write("request.md", request)?;
            change.begin(request, Flow::Sdd, None)?;
        }
        Ok(change)
    }

    /// Makes the folder of a new change that a team brings on, as [`Self::create`] does.
    pub fn create_for_team(
        id: &ChangeId,
        project: &Project,
        request: &str,
        first: TeamStep,
    ) -> Result<Self, ChangeError> {
        let mut change = Self::made(id, project)?;
        if change.history.request.is_none() {
            change.write(".gitignore", IGNORED)?;
            change.begin(request, Flow::Team, Some(first))?;
        }
        Ok(change)
    }

    /// Holds a change whose folder is made if it is not there. One without a request is not in the archive: whoever held
    /// it until now may have moved it there since it was looked for.
    fn made(id: &ChangeId, project: &Project) -> Result<Self, ChangeError> {
        let folder = project.change(id);
        if Folder::open(&folder).is_err() {
            refuse_archived(id, project)?;
        }
        make(&folder)?;
        let change = Self::hold(id, &folder)?;
        if change.history.request.is_none() {
            refuse_archived(id, project)?;
        }
        Ok(change)
    }

    /// Copies what a change is made of to another folder, without its runs. A folder that is not there gives an empty one.
    pub fn copy(folder: &Path, copy: &Path) -> Result<(), ChangeError> {
        let journal = folder.join(journal::FILE);
        let copied = || -> io::Result<()> {
            make_folder(copy)?;
            let files = Snapshot::take(folder)?;
            files.copy(copy, &files.differences(&Snapshot::default()))?;
            // A crash may have left a folder in which nobody asked for anything yet.
            match own::read(&journal, journal::LARGEST) {
                Ok(Some(bytes)) => replace_atomically(&copy.join(journal::FILE), &bytes),
                Ok(None) => Ok(()),
                Err(error) => Err(Refused::named(&error, "cannot read", &journal)),
            }
        };
        copied().map_err(|source| io_error("copy", folder, source))
    }

    fn begin(
        &mut self,
        request: &str,
        flow: Flow,
        first: Option<TeamStep>,
    ) -> Result<(), ChangeError> {
        let (id, request) = (self.id.clone(), request.to_owned());
        self.happened(Entry::Created { id, request, flow, first }).map(drop)
    }

    /// Says whether nothing has happened to it yet, but that it was asked for.
    pub fn is_new(&self) -> bool {
        let History { started, finished, guidance, team, .. } = &self.history;
        let is_untouched =
            team.as_ref().is_none_or(|team| team.started.is_none() && team.finished.is_empty());
        started.is_none() && finished.is_empty() && guidance.is_empty() && is_untouched
    }

    /// Takes down that something happened. When this returns, it is on the disk.
    pub fn happened(&mut self, entry: Entry) -> Result<Record, ChangeError> {
        // What cannot be is refused before it is written.
        let (id, at) = (self.id.clone(), self.history.at());
        let refused = |impossible| ChangeError::Impossible { id, at, impossible };
        self.history.allows(&entry).map_err(refused.clone())?;
        if entry.words().is_some_and(holds_a_secret) {
            warn!(
                "what you say holds what looks like a secret: it is kept as it is, in the files of `{}`, which git keeps too",
                self.id
            );
        }
        self.sync(&entry)?;
        let record = self.journal.append(now_ms(), entry)?;
        self.history.take(&record).map_err(refused)?;
        self.write(journal::STATE, &format!("{:#}\n", self.summary()))?;
        Ok(record)
    }

    /// Brings onto the disk what an entry acknowledges: agents write as they like, and leave that to others.
    fn sync(&self, entry: &Entry) -> Result<(), ChangeError> {
        let Some(work) = entry.acknowledges() else { return Ok(()) };
        snapshot::sync(&self.folder, |path| work.may_write(path))
            .map_err(|source| io_error("bring onto the disk", &self.folder, source))
    }

    /// Puts the journal back if an agent has changed it, and says whether that was so. It is done by whoever has the lock:
    /// one that an agent has removed is taken anew first.
    pub fn restore_journal(&mut self) -> Result<bool, ChangeError> {
        if self.lock.renew(&self.folder)? {
            warn!("the agent removed the lock of `{}`, which was taken anew", self.id);
        }
        Ok(self.journal.restore()?)
    }

    /// Writes a file of the change, whole.
    pub fn write(&self, name: &str, text: &str) -> Result<(), ChangeError> {
        let path = self.folder.join(name);
        replace_atomically(&path, text.as_bytes())
            .map_err(|source| io_error("write", &path, source))
    }

    /// Reads a file of the change; one that is not there is none.
    pub fn read(&self, name: &str) -> Result<Option<String>, ChangeError> {
        read_file(&self.folder, name)
    }

    /// Makes the folders that a phase is to write to: without commands not every agent can make one.
    pub fn make_folders(&self, phase: Phase) -> Result<(), ChangeError> {
        let name = match phase {
            Phase::Plan => "specs",
            Phase::Archive => "archive/specs",
            Phase::Challenge | Phase::Implement | Phase::Review => return Ok(()),
        };
        ConfinedFolder::open(&self.folder)
            .and_then(|folder| folder.make(name))
            .map_err(|source| io_error("make", &self.folder.join(name), source))
    }

    /// Follows the change's folder to the archive.
    pub fn moved_to(&mut self, folder: &Path) {
        folder.clone_into(&mut self.folder);
        self.journal.moved_to(folder);
    }

    /// Removes what is of no use any more once the change is archived.
    pub fn tidy_up(&self) -> Result<(), ChangeError> {
        let tidied = Snapshot::forget(&self.folder).and_then(|()| self.lock.remove(&self.folder));
        tidied.map_err(|source| io_error("tidy up", &self.folder, source))
    }

    fn summary(&self) -> serde_json::Value {
        let history = &self.history;
        if let Some(team) = &history.team {
            return team.summary(&self.id, history);
        }
        let rounds: serde_json::Map<_, _> = Phase::ALL
            .iter()
            .map(|phase| {
                (phase.word().to_owned(), history.rounds.get(phase).copied().unwrap_or(0).into())
            })
            .collect();
        json!({
            "version": 1,
            "id": self.id,
            "stage": history.at(),
            "started": history.under_way(),
            "plan_passed": history.state.plan_passed,
            "code_passed": history.state.code_passed,
            "rounds": rounds,
            "base": history.base,
            "changed_ms": history.changed_ms,
        })
    }
}

/// Reads a file of a change, whose folder need not be there; a file that is not there is none.
pub fn read_file(folder: &Path, name: &str) -> Result<Option<String>, ChangeError> {
    let path = folder.join(name);
    let bytes = own::read(&path, LARGEST).map_err(|source| io_error("read", &path, source))?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Refuses a change that is in the archive.
fn refuse_archived(id: &ChangeId, project: &Project) -> Result<(), ChangeError> {
    let archived = project.find_archived(id);
    match archived.map_err(|source| io_error("read", &project.archive(), source))? {
        Some(folder) => Err(ChangeError::Archived { id: id.clone(), folder }),
        None => Ok(()),
    }
}

/// Makes the folder of a change.
fn make(folder: &Path) -> Result<(), ChangeError> {
    // Who made the one that is taken over may have been cut off before its name was on the disk.
    make_folder(folder)
        .and_then(|()| folder.parent().map_or(Ok(()), sync_folder))
        .map_err(|source| io_error("make", folder, source))
}

pub(super) fn io_error(what: &'static str, path: &Path, source: io::Error) -> ChangeError {
    ChangeError::Io { what, path: path.to_owned(), source }
}

/// Says whether a key or token can be told to be in a text.
fn holds_a_secret(text: &str) -> bool {
    matches!(Secrets::default().hide(text), Cow::Owned(_))
}

/// Says in words where a change is.
pub fn words(stage: Stage) -> String {
    match stage {
        Stage::Due(phase) => phase.word().to_owned(),
        Stage::Verify(super::machine::Check::AfterImplement) => {
            "the checks after implement".to_owned()
        }
        Stage::Verify(super::machine::Check::BeforeArchive) => {
            "the checks before archive".to_owned()
        }
        Stage::Gate(phase) => format!("the approval of {phase}"),
        Stage::Apply => "putting the archive in place".to_owned(),
        Stage::Archived => "its end: archived".to_owned(),
        Stage::Rejected => "its end: rejected".to_owned(),
        Stage::Cancelled => "its end: cancelled".to_owned(),
    }
}

/// Says for programs where a change is, in one word that stays the same.
pub fn token(stage: Stage) -> String {
    match stage {
        Stage::Due(phase) => phase.word().to_owned(),
        Stage::Verify(super::machine::Check::AfterImplement) => "verify-after-implement".to_owned(),
        Stage::Verify(super::machine::Check::BeforeArchive) => "verify-before-archive".to_owned(),
        Stage::Gate(phase) => format!("approve-{phase}"),
        Stage::Apply => "apply".to_owned(),
        Stage::Archived => "archived".to_owned(),
        Stage::Rejected => "rejected".to_owned(),
        Stage::Cancelled => "cancelled".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_folders_that_a_phase_writes_to_are_made_and_a_link_out_of_the_change_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let (id, project) = ("add-login".parse().unwrap(), Project::at(root.path()));
        let folder = project.change(&id);
        let change = Change::create(&id, &project, "Add login").unwrap();
        for phase in Phase::ALL {
            change.make_folders(*phase).unwrap();
            change.make_folders(*phase).unwrap();
        }
        assert!(folder.join("specs").is_dir() && folder.join("archive/specs").is_dir());
        fs::remove_dir_all(folder.join("archive")).unwrap();
        std::os::unix::fs::symlink("..", folder.join("archive")).unwrap();
        change.make_folders(Phase::Archive).unwrap_err();
        assert!(!project.changes().join("specs").exists());
    }

    #[test]
    fn a_change_that_was_moved_to_the_archive_meanwhile_is_not_begun_anew() {
        let root = tempfile::tempdir().unwrap();
        let (id, project) = ("add-login".parse().unwrap(), Project::at(root.path()));
        drop(Change::create(&id, &project, "Add login").unwrap());
        fs::create_dir(project.archive()).unwrap();
        let archived = project.archive().join("2026-11-17-add-login");
        fs::rename(project.change(&id), &archived).unwrap();
        let refused = |change: Result<Change, ChangeError>| match change.unwrap_err() {
            ChangeError::Archived { folder, .. } => assert_eq!(folder, archived),
            error => panic!("{error}"),
        };
        refused(Change::create(&id, &project, "Add login"));
        assert!(!project.change(&id).exists(), "nothing is made");
        // Whoever was a moment earlier has made the folder already.
        fs::create_dir(project.change(&id)).unwrap();
        refused(Change::create(&id, &project, "Add login"));
        refused(Change::create_for_team(&id, &project, "Add login", TeamStep::Architect));
        assert!(journal::read(&project.change(&id)).unwrap().0.is_empty());
    }
}
