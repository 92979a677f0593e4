//! A change on disk, held by one run: its journal, its state, and the files that are derived from them.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use log::warn;
use thiserror::Error;

use super::entry::{Entry, FlowCopy, Record};
use super::history::{BrokenHistory, CannotBe, History};
use super::journal::{self, Found, Journal, JournalError};
use super::lock::{Lock, LockError};
use super::ownership;
use super::planted::refuse_planted;
use super::project::Project;
use super::snapshot::{self, Snapshot};
use super::state_file;
use crate::files::own::{self, Folder, Refused};
use crate::files::{make_folder, replace_atomically, sync_folder};
use crate::flow::{Flow, Position, Step, TaskSource, Validator};
use crate::models::change::ChangeId;
use crate::models::secrets::Secrets;
use crate::orchestrator::clock::now_ms;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::tasks;

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
    /// Nobody asked for it yet.
    #[error("there is no change `{id}`: nobody asked for it yet")]
    NotBegun {
        /// The change.
        id: ChangeId,
    },
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

/// The folder of a change that this run holds, with what is in its journal.
struct Held {
    folder: PathBuf,
    journal: Journal,
    lock: Lock,
    history: Option<History>,
}

impl Held {
    fn take(id: &ChangeId, folder: &Path) -> Result<Self, ChangeError> {
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
        Ok(Self { folder: folder.to_owned(), journal, lock, history })
    }

    fn with(self, id: &ChangeId, history: History) -> Change {
        let Self { folder, journal, lock, .. } = self;
        Change { id: id.clone(), folder, history, journal, lock }
    }
}

/// A request for a new change.
#[derive(Clone, Debug)]
pub struct NewChange<'r> {
    /// What is wanted.
    pub request: &'r str,
    /// The flow that it follows.
    pub flow: FlowCopy,
    /// Whether the configuration asks for a product manager.
    pub product_manager: bool,
}

impl<'r> NewChange<'r> {
    /// Asks for a change that follows a flow which is compiled in, without a product manager.
    pub fn following(flow: &Flow, request: &'r str) -> Self {
        let flow = FlowCopy::of(flow, "");
        Self { request, flow, product_manager: false }
    }
}

impl Change {
    /// Holds a change that somebody asked for.
    pub fn hold(id: &ChangeId, folder: &Path) -> Result<Self, ChangeError> {
        let mut held = Held::take(id, folder)?;
        match held.history.take() {
            Some(history) => Ok(held.with(id, history)),
            None => Err(ChangeError::NotBegun { id: id.clone() }),
        }
    }

    /// Holds a change, and begins it if nobody asked for it yet. A folder that was made but holds no request is taken over.
    pub fn create(
        id: &ChangeId,
        project: &Project,
        new: NewChange<'_>,
    ) -> Result<Self, ChangeError> {
        let folder = project.change(id);
        if Folder::open(&folder).is_err() {
            refuse_archived(id, project)?;
        }
        make(&folder)?;
        let mut held = Held::take(id, &folder)?;
        if let Some(history) = held.history.take() {
            return Ok(held.with(id, history));
        }
        // Whoever held it until now may have moved it to the archive since it was looked for.
        refuse_archived(id, project)?;
        let NewChange { request, flow, product_manager } = new;
        let created =
            Entry::Created { id: id.clone(), request: request.to_owned(), flow, product_manager };
        warn_of_secrets(id, &created);
        let record = Record { version: Record::VERSION, at_ms: now_ms(), entry: created };
        let broken = |reason| BrokenHistory { number: 1, reason };
        let history = History::begun(&record).map_err(|reason| ChangeError::Broken {
            folder: folder.clone(),
            broken: broken(reason),
        })?;
        let mut change = held.with(id, history);
        change.write(".gitignore", IGNORED)?;
        if change.history.flow.steps.iter().any(Step::is_document) {
            change.write("request.md", request)?;
        }
        if change.history.flow.steps.iter().any(|step| step.tasks == Some(TaskSource::Request)) {
            change.write("tasks.md", &tasks::of_request(request))?;
        }
        change.journal.append(record.at_ms, record.entry)?;
        change.write(
            journal::STATE,
            &format!("{:#}\n", state_file::summary(&change.id, &change.history)),
        )?;
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

    /// Returns what more words of a person mean: the answer to a question, or more about what is wanted.
    pub fn more(&self, text: &str) -> Entry {
        let text = text.to_owned();
        match self.history.state.position {
            Position::Blocked(_) => Entry::Answered { text },
            _ => Entry::Guided { text },
        }
    }

    /// Records that something happened. When this returns, it is on the disk.
    pub fn happened(&mut self, entry: Entry) -> Result<Record, ChangeError> {
        // What cannot be is refused before it is written.
        let (id, at) = (self.id.clone(), self.history.at());
        let refused = |impossible| ChangeError::Impossible { id, at, impossible };
        self.history.allows(&entry).map_err(refused.clone())?;
        warn_of_secrets(&self.id, &entry);
        self.sync(&entry)?;
        let record = self.journal.append(now_ms(), entry)?;
        self.history.take(&record).map_err(refused)?;
        self.write(
            journal::STATE,
            &format!("{:#}\n", state_file::summary(&self.id, &self.history)),
        )?;
        Ok(record)
    }

    /// Brings onto the disk what an entry acknowledges: agents write as they like, and leave that to others.
    fn sync(&self, entry: &Entry) -> Result<(), ChangeError> {
        let Some(may_write) = ownership::acknowledged(&self.history, entry) else { return Ok(()) };
        snapshot::sync(&self.folder, may_write)
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

    /// Makes the folders of the files that a step leaves: without commands not every agent can make one.
    pub fn make_folders(&self, step: &Step) -> Result<(), ChangeError> {
        let folder = ConfinedFolder::open(&self.folder)
            .map_err(|source| io_error("open", &self.folder, source))?;
        for file in step.leaves.iter() {
            // The specs of an archive lie in a folder of their own.
            let name = match file.validator {
                Validator::Archive => "archive/specs",
                _ => file.path.rsplit_once('/').map_or("", |(folder, _)| folder),
            };
            if !name.is_empty() {
                folder
                    .make(name)
                    .map_err(|source| io_error("make", &self.folder.join(name), source))?;
            }
        }
        Ok(())
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

/// Warns where what a person said holds a key or token that can be recognised.
fn warn_of_secrets(id: &ChangeId, entry: &Entry) {
    if entry.words().is_some_and(|words| matches!(Secrets::default().hide(words), Cow::Owned(_))) {
        warn!(
            "what you say holds what looks like a secret: it is kept as it is, in the files of `{id}`, which git keeps too"
        );
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::catalog::CATALOG;
    use crate::template::Phase;

    fn new() -> NewChange<'static> {
        NewChange::following(CATALOG.flow("sdd").unwrap(), "Add login")
    }

    #[test]
    fn the_folders_that_a_step_writes_to_are_made_and_a_link_out_of_the_change_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let (id, project) = ("add-login".parse().unwrap(), Project::at(root.path()));
        let folder = project.change(&id);
        let change = Change::create(&id, &project, new()).unwrap();
        for step in change.history.flow.steps.iter() {
            change.make_folders(step).unwrap();
            change.make_folders(step).unwrap();
        }
        assert!(folder.join("specs").is_dir() && folder.join("archive/specs").is_dir());
        fs::remove_dir_all(folder.join("archive")).unwrap();
        std::os::unix::fs::symlink("..", folder.join("archive")).unwrap();
        change.make_folders(CATALOG.step(Phase::Archive)).unwrap_err();
        assert!(!project.changes().join("specs").exists());
    }

    #[test]
    fn a_change_that_was_moved_to_the_archive_meanwhile_is_not_begun_anew() {
        let root = tempfile::tempdir().unwrap();
        let (id, project) = ("add-login".parse().unwrap(), Project::at(root.path()));
        drop(Change::create(&id, &project, new()).unwrap());
        fs::create_dir(project.archive()).unwrap();
        let archived = project.archive().join("2026-11-17-add-login");
        fs::rename(project.change(&id), &archived).unwrap();
        let refused = |change: Result<Change, ChangeError>| match change.unwrap_err() {
            ChangeError::Archived { folder, .. } => assert_eq!(folder, archived),
            error => panic!("{error}"),
        };
        refused(Change::create(&id, &project, new()));
        assert!(!project.change(&id).exists(), "nothing is made");
        // Whoever was a moment earlier has made the folder already.
        fs::create_dir(project.change(&id)).unwrap();
        refused(Change::create(&id, &project, new()));
        assert!(journal::read(&project.change(&id)).unwrap().0.is_empty());
    }
}
