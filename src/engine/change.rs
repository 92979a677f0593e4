//! A change on disk, held by one run: its journal, its state, and the files that are derived from them.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use log::warn;

use super::archive;
use super::call_log::CallLog;
pub use super::change_error::{ChangeError, checkout_words};
use super::discard;
use super::documents::{self, Documents};
use super::entry::{Entry, FlowCopy, Record};
use super::history::{BrokenHistory, History};
use super::journal::{self, Found, Journal};
use super::lock::Lock;
use super::planted::refuse_planted;
use super::project::{Location, Project, Whereabouts};
use super::put_away::REPLACED;
use super::state_file;
use super::store::Store;
use crate::files::own::{self, Folder, Refused};
use crate::files::{
    Failed, OrFailed as _, make_folder, move_within, replace_atomically, sync_folder,
};
use crate::flow::{Flow, Position, Step, TaskSource};
use crate::models::change::ChangeId;
use crate::models::secrets::Secrets;
use crate::orchestrator::Ledger;
use crate::orchestrator::clock::now_ms;
use crate::prompt::tasks;

/// The largest file of a change that is read as a whole.
const LARGEST: u64 = 64 << 20;

/// A change that this run holds.
#[derive(Debug)]
pub struct Change {
    /// Its id.
    pub id: ChangeId,
    /// The folder of its documents.
    pub folder: PathBuf,
    /// The folder of its state.
    pub state: PathBuf,
    /// What has become of it.
    pub history: History,
    log: CallLog,
    _lock: Lock,
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
    /// Takes the lock of a change, for whoever needs no more of it.
    pub fn lock(id: &ChangeId, project: &Project) -> Result<Lock, ChangeError> {
        let holder = format!("agentd with process id {}", std::process::id());
        Ok(Lock::take(&project.location(id).state, &holder)?)
    }

    /// Holds a change that somebody asked for, wherever its documents are.
    pub fn hold(id: &ChangeId, project: &Project) -> Result<Self, ChangeError> {
        // Nothing is made for a change that is not there.
        location(id, project)?;
        let lock = Self::lock(id, project)?;
        Self::held(id, project, lock)
    }

    /// Holds a change, and begins it if nobody asked for it yet: documents that are there then are those of an earlier round.
    pub fn create(
        id: &ChangeId,
        project: &Project,
        new: NewChange<'_>,
    ) -> Result<Self, ChangeError> {
        let states = project.states();
        make_folder(&states).or_failed("make", &states)?;
        let lock = Self::lock(id, project)?;
        if project.is_being_discarded(id) {
            return Err(ChangeError::Discarding { id: id.clone() });
        }
        match find(id, project)? {
            Whereabouts::Open(_) => return Self::held(id, project, lock),
            Whereabouts::Archived(location) => end_life(id, &location)?,
            Whereabouts::Nowhere => {}
        }
        let Location { folder, state } = project.location(id);
        make(&folder)?;
        refuse_planted(&folder).map_err(|(path, source)| Failed::new("use", path, source))?;
        let NewChange { request, flow, product_manager } = new;
        let checkout = project.checkout.clone();
        let (id, request) = (id.clone(), request.to_owned());
        let created = Entry::Created { id: id.clone(), request, flow, product_manager, checkout };
        warn_of_secrets(&id, &created);
        let record = Record { version: Record::VERSION, at_ms: now_ms(), entry: created };
        let broken = |reason| BrokenHistory { number: 1, reason };
        let history = History::begun(&record).map_err(|reason| ChangeError::Broken {
            folder: state.clone(),
            broken: broken(reason),
        })?;
        if history.flow.steps.iter().any(Step::is_document) {
            write(&folder, "request.md", &history.request)?;
        }
        if history.flow.steps.iter().any(|step| step.tasks == Some(TaskSource::Request)) {
            write(&folder, "tasks.md", &tasks::of_request(&history.request))?;
        }
        Journal::begin(&state, &record)?;
        let (journal, ..) = Journal::open(&state)?;
        let log = CallLog::new(journal, &history);
        let change = Self { id, folder, state, history, log, _lock: lock };
        change.write_state()?;
        Ok(change)
    }

    /// Takes over a change whose lock is held, from the checkout that began it alone.
    fn held(id: &ChangeId, project: &Project, lock: Lock) -> Result<Self, ChangeError> {
        let Location { folder, state } = location(id, project)?;
        refuse_planted(&folder).map_err(|(path, source)| Failed::new("use", path, source))?;
        documents::sweep(&folder).or_failed("clear up", &folder)?;
        let (journal, records, found) = Journal::open(&state)?;
        if found == Found::Torn {
            warn!(
                "the last line of the journal of `{id}` is incomplete: it was moved to journal.torn"
            );
        }
        let broken = |broken| ChangeError::Broken { folder: state.clone(), broken };
        let history = History::of(&records).map_err(broken)?;
        let Some(history) = history else { return Err(ChangeError::NotBegun { id: id.clone() }) };
        if !project.may_hold(history.checkout.as_deref()) {
            let checkout = history.checkout;
            return Err(ChangeError::OtherCheckout { id: id.clone(), checkout });
        }
        let log = CallLog::new(journal, &history);
        let mut change = Self { id: id.clone(), folder, state, history, log, _lock: lock };
        if change.history.checkout != project.checkout {
            make(&change.folder)?;
            change.happened(Entry::Adopted { checkout: project.checkout.clone() })?;
        }
        change.reopen(project)?;
        Ok(change)
    }

    /// Takes back what the archive of a change wrote that is worked on again, and moves its documents back. A crash may have come
    /// before that was done.
    pub fn reopen(&mut self, project: &Project) -> Result<(), ChangeError> {
        let open = project.change(&self.id);
        let is_reopened = !self.history.is_over() && self.history.applying.is_none();
        if self.folder == open || !is_reopened {
            return Ok(());
        }
        let (records, _) = journal::read(&self.state)?;
        let (plans, root) = (discard::plans(&records), project.folder());
        let taken = archive::take_back(&plans, &root, &self.state.join(REPLACED))?;
        for file in taken.left {
            warn!("`agentd/{file}` was edited since the archive, and is left unchanged");
        }
        if let Some(plan) = plans.last() {
            archive::move_back(plan, &root)?;
        }
        self.moved_to(&open);
        self.write_state()
    }

    /// Copies what a change is made of to another project, without its runs. One that is not there gives an empty folder.
    pub fn copy(id: &ChangeId, project: &Project, copy: &Project) -> Result<(), ChangeError> {
        let (from, to) = (project.location(id), copy.location(id));
        let journal = from.state.join(journal::FILE);
        let copied = || -> io::Result<()> {
            make_folder(&to.folder)?;
            Documents::read(&from.folder)?.write_to(&to.folder)?;
            match own::read(&journal, journal::LARGEST) {
                Ok(Some(bytes)) => {
                    make_folder(&to.state)?;
                    replace_atomically(&to.state.join(journal::FILE), &bytes)?;
                    let records = journal::read(&from.state).map(|(records, _)| records);
                    let history = History::of(&records.unwrap_or_default()).unwrap_or_default();
                    let documents = history.map(|history| history.documents).unwrap_or_default();
                    let (copies, copy) = (Store::of(&from.state), Store::of(&to.state));
                    copies.copy_to(&copy, &documents.accepted)?;
                    copies.copy_to(&copy, &documents.at_start)
                }
                Ok(None) => Ok(()),
                Err(error) => Err(Refused::named(&error, "cannot read", &journal)),
            }
        };
        Ok(copied().or_failed("copy", &from.folder)?)
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
        self.take_calls()?;
        // What cannot be is refused before it is written.
        let (id, at) = (self.id.clone(), self.history.at());
        let refused = |impossible| ChangeError::Impossible { id, at, impossible };
        self.history.allows(&entry).map_err(refused.clone())?;
        warn_of_secrets(&self.id, &entry);
        let record = self.log.append(entry)?;
        self.history.take(&record).map_err(refused)?;
        self.write_state()?;
        Ok(record)
    }

    /// Returns where calls of agents are recorded that are under way for this change.
    pub(super) fn ledger(&self) -> Arc<dyn Ledger> {
        Arc::new(self.log.clone())
    }

    /// Takes account of the calls that ended since the last entry.
    pub(super) fn take_calls(&mut self) -> Result<(), ChangeError> {
        for record in self.log.take_pending() {
            let (id, at) = (self.id.clone(), self.history.at());
            let refused = |impossible| ChangeError::Impossible { id, at, impossible };
            self.history.take(&record).map_err(refused)?;
        }
        Ok(())
    }

    /// Writes down where the change is, for people and programs. Nothing reads it back.
    fn write_state(&self) -> Result<(), ChangeError> {
        let state = state_file::summary(&self.id, &self.history);
        self.write(documents::STATE, &format!("{state:#}\n"))
    }

    /// Writes a file of the change, whole.
    pub fn write(&self, name: &str, text: &str) -> Result<(), ChangeError> {
        write(&self.folder, name, text)
    }

    /// Reads a file of the change; one that is not there is none.
    pub fn read(&self, name: &str) -> Result<Option<String>, ChangeError> {
        read_file(&self.folder, name)
    }

    /// Follows the change's documents to the archive.
    pub fn moved_to(&mut self, folder: &Path) {
        folder.clone_into(&mut self.folder);
    }
}

/// Writes a file of a change, whole.
fn write(folder: &Path, name: &str, text: &str) -> Result<(), ChangeError> {
    let path = folder.join(name);
    Ok(replace_atomically(&path, text.as_bytes()).or_failed("write", &path)?)
}

fn find(id: &ChangeId, project: &Project) -> Result<Whereabouts, ChangeError> {
    Ok(project.find(id).or_failed("read", project.states())?)
}

/// Finds a change that somebody asked for.
fn location(id: &ChangeId, project: &Project) -> Result<Location, ChangeError> {
    match find(id, project)? {
        Whereabouts::Open(location) | Whereabouts::Archived(location) => Ok(location),
        Whereabouts::Nowhere => Err(ChangeError::NotBegun { id: id.clone() }),
    }
}

/// Sets the state of an archived change aside as `ID.1`, `ID.2` and so on, once its documents are gone: its id is free then.
fn end_life(id: &ChangeId, location: &Location) -> Result<(), ChangeError> {
    let Location { folder, state } = location;
    let is_over = journal::read(state).is_ok_and(|(records, _)| {
        History::of(&records).is_ok_and(|it| it.is_some_and(|it| it.is_over()))
    });
    if !is_over || Folder::open(folder).is_ok() {
        return Err(ChangeError::Archived { id: id.clone(), folder: folder.clone() });
    }
    let ended = || -> io::Result<()> {
        let (mut number, mut aside) = (1, state.with_extension("1"));
        while aside.try_exists()? {
            number += 1;
            aside = state.with_extension(number.to_string());
        }
        let (Some(parent), Some(name)) = (state.parent(), aside.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        move_within(parent, Path::new(id.as_str()), Path::new(name))
    };
    Ok(ended().or_failed("set aside", state)?)
}

/// Reads a file of a change, whose folder need not be there; a file that is not there is none.
pub fn read_file(folder: &Path, name: &str) -> Result<Option<String>, ChangeError> {
    let path = folder.join(name);
    let bytes = own::read(&path, LARGEST).or_failed("read", &path)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Makes the folder of a change.
fn make(folder: &Path) -> Result<(), ChangeError> {
    // Who made the one that is taken over may have been cut off before its name was on the disk.
    let made = make_folder(folder).and_then(|()| folder.parent().map_or(Ok(()), sync_folder));
    Ok(made.or_failed("make", folder)?)
}

/// Warns where what a person said holds a key or token that can be recognised.
fn warn_of_secrets(id: &ChangeId, entry: &Entry) {
    if entry.words().is_some_and(|words| matches!(Secrets::default().hide(words), Cow::Owned(_))) {
        warn!(
            "your text looks like it contains a secret: it is stored unredacted in the files of `{id}`, which git may record"
        );
    }
}
