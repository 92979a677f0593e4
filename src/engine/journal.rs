//! The journal of a change, `journal.jsonl`: one record a line, appended and brought onto the disk before anything
//! relies on it. Nothing in it is ever changed.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::entry::{Entry, Record};
use crate::files::faults::{self, Step, before};
use crate::files::{Failed, OrFailed as _, move_within, own, sync_folder, write_atomically};
use crate::models::change::ChangeId;

/// The journal's name in the folder of a change's state.
pub const FILE: &str = "journal.jsonl";

/// Where the beginning of a line is kept that was never finished.
pub(super) const TORN: &str = "journal.torn";

/// No journal is read beyond this size.
pub(super) const LARGEST: u64 = 64 << 20;

/// Why a journal cannot be used. It is left as it is.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written, or a file beside it.
    #[error(transparent)]
    Io(#[from] Failed),
    /// A line is none that a journal holds.
    #[error("`{}` is damaged at line {line}: {reason}", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// It was written by another version of agentd.
    #[error("the journal `{}` has version {version}, and this agentd reads version {}", path.display(), Record::VERSION)]
    Version {
        /// The journal.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// It tells of another change.
    #[error("`{}` is the journal of change `{other}`", path.display())]
    Foreign {
        /// The journal.
        path: PathBuf,
        /// The change that it tells of.
        other: ChangeId,
    },
    /// It is empty or gone, and no journal is.
    #[error("`{}` is empty, though the change was started", path.display())]
    Lost {
        /// The journal.
        path: PathBuf,
    },
}

impl JournalError {
    /// Returns the error of the system beneath, or this one where there is none.
    pub(super) fn into_io(self) -> io::Error {
        match self {
            Self::Io(Failed { source, .. }) => source,
            other => io::Error::other(other),
        }
    }
}

/// An open journal. Whoever holds it holds the change's lock.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// How much is in it.
    bytes: u64,
}

/// Says whether a journal was found as it was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It was.
    Whole,
    /// Its last line was never finished, and does not count.
    Torn,
}

/// The version of a line, whatever else it holds.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// Reads the records of a change's journal without changing anything.
pub fn read(folder: &Path) -> Result<(Vec<Record>, Found), JournalError> {
    let path = folder.join(FILE);
    let bytes = bytes(&path).or_failed("read", &path)?;
    let records = records(&path, whole(&bytes))?;
    ensure_own(&path, &records)?;
    Ok((records, found(&bytes)))
}

/// Refuses a journal without an entry, since it has one from the beginning, and one of a change that has another folder.
fn ensure_own(path: &Path, records: &[Record]) -> Result<(), JournalError> {
    let path = path.to_owned();
    match records.first().map(|record| &record.entry) {
        None => Err(JournalError::Lost { path }),
        Some(Entry::Created { id, .. }) if !is_folder_of(id, &path) => {
            Err(JournalError::Foreign { path, other: id.clone() })
        }
        Some(_) => Ok(()),
    }
}

/// Returns whether a journal lies in the folder of a change, or in one that is being made or removed.
fn is_folder_of(id: &ChangeId, journal: &Path) -> bool {
    let folder = journal.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    folder.strip_prefix(id.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    Ok(own::read(path, LARGEST)?.unwrap_or_default())
}

/// Returns the lines that were finished.
fn whole(bytes: &[u8]) -> &[u8] {
    &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1)]
}

fn found(bytes: &[u8]) -> Found {
    if whole(bytes).len() == bytes.len() { Found::Whole } else { Found::Torn }
}

fn records(path: &Path, bytes: &[u8]) -> Result<Vec<Record>, JournalError> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
    let record = |(index, line): (usize, &[u8])| {
        let damaged = |error: serde_json::Error| JournalError::Damaged {
            path: path.to_owned(),
            line: index + 1,
            reason: error.to_string(),
        };
        let Versioned { version } = serde_json::from_slice(line).map_err(damaged)?;
        if version != Record::VERSION {
            return Err(JournalError::Version { path: path.to_owned(), version });
        }
        serde_json::from_slice(line).map_err(damaged)
    };
    lines.map(record).collect()
}

impl Journal {
    /// Begins the journal of a change. The folder of its state is there with the first entry, or not at all.
    pub fn begin(state: &Path, first: &Record) -> Result<(), JournalError> {
        let (unfinished, path) = (state.with_extension("new"), state.join(FILE));
        let begun = || -> io::Result<()> {
            let mut line = serde_json::to_vec(first)?;
            line.push(b'\n');
            own::clear(&unfinished)?;
            own::create_folder(&unfinished)?;
            write_atomically(&unfinished.join(FILE), &line)?;
            let (Some(parent), Some(name)) = (state.parent(), state.file_name()) else {
                return Err(io::ErrorKind::InvalidInput.into());
            };
            let unfinished = unfinished.file_name().unwrap_or_default();
            move_within(parent, Path::new(unfinished), Path::new(name))
        };
        Ok(begun().or_failed("begin", path)?)
    }

    /// Opens the journal of a change, and gives what is in it.
    pub fn open(folder: &Path) -> Result<(Self, Vec<Record>, Found), JournalError> {
        let path = folder.join(FILE);
        let all = bytes(&path).or_failed("read", &path)?;
        let kept = whole(&all);
        let records = records(&path, kept)?;
        ensure_own(&path, &records)?;
        let found = found(&all);
        let file = own::append(&path).or_failed("open", &path)?;
        if found == Found::Torn {
            keep_torn(folder, &all[kept.len()..])?;
            let cut = before(Step::Write, &path)
                .and_then(|()| file.set_len(kept.len() as u64))
                .and_then(|()| before(Step::Sync, &path))
                .and_then(|()| file.sync_all());
            cut.or_failed("remove the incomplete end of", &path)?;
        }
        sync_folder(folder).or_failed("create", &path)?;
        let bytes = kept.len() as u64;
        Ok((Self { path, file, bytes }, records, found))
    }

    /// Appends an entry; when this returns, it is on the disk.
    pub fn append(&mut self, at_ms: u64, entry: Entry) -> Result<Record, JournalError> {
        let record = Record { version: Record::VERSION, at_ms, entry };
        let written = serde_json::to_vec(&record).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            self.write(&line)
        });
        written.or_failed("write", &self.path)?;
        Ok(record)
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let appended = faults::write_all(&mut self.file, &self.path, line)
            .and_then(|()| before(Step::Sync, &self.path))
            .and_then(|()| self.file.sync_data());
        if let Err(error) = appended {
            // What was not acknowledged must not be there when the next one is. If that fails too, half a line is a torn
            // one for the next run, and a whole one counts: it speaks of what was done before, so that run goes on from it.
            let _ = before(Step::Write, &self.path).and_then(|()| self.file.set_len(self.bytes));
            return Err(error);
        }
        self.bytes += line.len() as u64;
        Ok(())
    }
}

/// Adds the beginning of a line to those that were never finished either.
fn keep_torn(folder: &Path, bytes: &[u8]) -> Result<(), JournalError> {
    let path = folder.join(TORN);
    let kept = own::append(&path)
        .and_then(|mut file| {
            faults::write_all(&mut file, &path, &[bytes, b"\n"].concat())?;
            // It is cut off the journal next, and must be here then, whatever happens.
            before(Step::Sync, &path)?;
            file.sync_all()
        })
        .and_then(|()| sync_folder(folder));
    Ok(kept.or_failed("keep the end of the journal in", path)?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn append(journal: &mut Journal, text: &str) {
        journal.append(1, Entry::Guided { text: text.to_owned() }).unwrap();
    }

    fn texts(folder: &Path) -> Vec<String> {
        let text = |record: Record| match record.entry {
            Entry::Guided { text } => text,
            other => panic!("{other:?}"),
        };
        read(folder).unwrap().0.into_iter().map(text).collect()
    }

    #[test]
    fn of_a_line_cut_at_any_byte_nothing_counts_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("x");
        let one = Entry::Guided { text: "one".to_owned() };
        let one = Record { version: Record::VERSION, at_ms: 1, entry: one };
        Journal::begin(&state, &one).unwrap();
        let (mut journal, ..) = Journal::open(&state).unwrap();
        let first = usize::try_from(journal.bytes).unwrap();
        append(&mut journal, "two");
        let all = fs::read(state.join(FILE)).unwrap();
        for end in 0..first {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(FILE), &all[..end]).unwrap();
            let lost = Journal::open(folder.path()).unwrap_err();
            assert!(matches!(lost, JournalError::Lost { .. }), "{lost}");
            assert_eq!(fs::read(folder.path().join(FILE)).unwrap(), &all[..end]);
        }
        for end in first + 1..all.len() {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(FILE), &all[..end]).unwrap();
            let (mut journal, records, found) = Journal::open(folder.path()).unwrap();
            assert_eq!((records.len(), found), (1, Found::Torn));
            append(&mut journal, "three");
            assert_eq!(texts(folder.path()), ["one", "three"]);
            let torn = fs::read(folder.path().join(TORN)).unwrap();
            assert_eq!(torn, [&all[first..end], b"\n"].concat());
        }
    }
}
