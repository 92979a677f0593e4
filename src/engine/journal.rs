//! The journal of a change, `journal.jsonl`: one record a line, appended and brought onto the disk before anything
//! relies on it. Nothing in it is ever changed.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::entry::{Entry, Record};
use super::lock::is_at;
use super::way;
use crate::files::faults::{self, Step, before};
use crate::files::{own, replace_atomically, sync_folder};

/// The journal's name in the change's folder.
pub const FILE: &str = "journal.jsonl";

/// What is derived from the journal, and is written after its first entry.
pub(super) const STATE: &str = "state.json";

/// Where the beginning of a line is kept that was never finished.
pub(super) const TORN: &str = "journal.torn";

/// No journal is read beyond this size.
pub(super) const LARGEST: u64 = 64 << 20;

/// Why a journal cannot be used. It is left as it is.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written, or a file beside it.
    #[error("cannot {what} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
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
    /// It is empty or gone, and it was not before.
    #[error("`{}` holds nothing, though the change was begun", path.display())]
    Lost {
        /// The journal.
        path: PathBuf,
    },
}

/// An open journal. Whoever holds it holds the change's lock.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// All that is in it.
    bytes: Vec<u8>,
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

/// Reads the records of a change's journal without changing anything; one that is not there is empty.
pub fn read(folder: &Path) -> Result<(Vec<Record>, Found), JournalError> {
    let path = folder.join(FILE);
    let bytes = bytes(&path).map_err(|source| JournalError::Io {
        what: "read",
        path: path.clone(),
        source,
    })?;
    let records = records(&path, whole(&bytes))?;
    refuse_lost(folder, &records)?;
    Ok((records, found(&bytes)))
}

/// Refuses a journal without an entry where one was written. The state is derived after the first entry, so that its file
/// tells; documents do not, for who calls an agent by hand has some before the change is begun.
fn refuse_lost(folder: &Path, records: &[Record]) -> Result<(), JournalError> {
    if !records.is_empty() {
        return Ok(());
    }
    let state = folder.join(STATE);
    match own::open(&state) {
        Ok(_) => Err(JournalError::Lost { path: folder.join(FILE) }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(JournalError::Io { what: "read", path: state, source }),
    }
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    Ok(own::read(path, LARGEST)?.unwrap_or_default())
}

/// Gives the lines that were finished.
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
    /// Opens the journal of a change, which need not be there yet, and gives what is in it.
    pub fn open(folder: &Path) -> Result<(Self, Vec<Record>, Found), JournalError> {
        let path = folder.join(FILE);
        let io = |what| {
            let path = path.clone();
            move |source| JournalError::Io { what, path, source }
        };
        let all = bytes(&path).map_err(io("read"))?;
        let kept = whole(&all);
        let records = records(&path, kept)?;
        refuse_lost(folder, &records)?;
        let found = found(&all);
        let file = own::append(&path).map_err(io("open"))?;
        if found == Found::Torn {
            keep_torn(folder, &all[kept.len()..])?;
            let cut = before(Step::Write, &path)
                .and_then(|()| file.set_len(kept.len() as u64))
                .and_then(|()| before(Step::Sync, &path))
                .and_then(|()| file.sync_all());
            cut.map_err(io("cut the unfinished end off"))?;
        }
        sync_folder(folder).map_err(io("create"))?;
        let bytes = kept.to_vec();
        Ok((Self { path, file, bytes }, records, found))
    }

    /// Appends an entry; when this returns, it is on the disk.
    pub fn append(&mut self, at_ms: u64, entry: Entry) -> Result<Record, JournalError> {
        let record = Record { version: Record::VERSION, at_ms, entry };
        let written = serde_json::to_vec(&record).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            self.write(&line)
        });
        written.map_err(|source| JournalError::Io {
            what: "write",
            path: self.path.clone(),
            source,
        })?;
        Ok(record)
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let appended = faults::write_all(&mut self.file, &self.path, line)
            .and_then(|()| before(Step::Sync, &self.path))
            .and_then(|()| self.file.sync_data());
        if let Err(error) = appended {
            // What was not acknowledged must not be there when the next one is. If that fails too, half a line is a torn
            // one for the next run, and a whole one counts: it speaks of what was done before, so that run goes on from it.
            let _ = before(Step::Write, &self.path)
                .and_then(|()| self.file.set_len(self.bytes.len() as u64));
            return Err(error);
        }
        self.bytes.extend_from_slice(line);
        Ok(())
    }

    /// Puts the journal back as it was if somebody else has changed it, and says whether that was so.
    pub fn restore(&mut self) -> Result<bool, JournalError> {
        // A copy with the same text would do for a reader, but what is appended would not be in it.
        let is_intact = bytes(&self.path).is_ok_and(|bytes| bytes == self.bytes)
            && is_at(&self.file, &self.path).unwrap_or(false);
        if is_intact {
            return Ok(false);
        }
        let restored = way::clear_folder(&self.path)
            .and_then(|()| replace_atomically(&self.path, &self.bytes))
            .and_then(|()| own::append(&self.path));
        self.file = restored.map_err(|source| JournalError::Io {
            what: "restore",
            path: self.path.clone(),
            source,
        })?;
        Ok(true)
    }

    /// Follows the change's folder to another place.
    pub fn moved_to(&mut self, folder: &Path) {
        self.path = folder.join(FILE);
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
    kept.map_err(|source| JournalError::Io { what: "keep the end of the journal in", path, source })
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
    fn what_an_agent_makes_of_a_journal_is_put_back_and_what_comes_later_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let (mut journal, ..) = Journal::open(folder.path()).unwrap();
        append(&mut journal, "one");
        assert!(!journal.restore().unwrap());

        fs::write(&path, "forged\n").unwrap();
        assert!(journal.restore().unwrap());
        append(&mut journal, "two");
        fs::remove_file(&path).unwrap();
        assert!(journal.restore().unwrap());
        append(&mut journal, "three");
        // A copy in its place reads the same, but nothing is ever appended to it.
        fs::copy(&path, folder.path().join("copy")).unwrap();
        fs::rename(folder.path().join("copy"), &path).unwrap();
        assert!(journal.restore().unwrap());
        append(&mut journal, "four");
        assert_eq!(texts(folder.path()), ["one", "two", "three", "four"]);
    }

    #[test]
    fn of_a_line_cut_at_any_byte_nothing_counts_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, ..) = Journal::open(folder.path()).unwrap();
        append(&mut journal, "one");
        let first = journal.bytes.len();
        append(&mut journal, "two");
        let all = journal.bytes.clone();
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

    #[test]
    fn a_journal_in_whose_place_there_is_no_file_is_put_back_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let (mut journal, ..) = Journal::open(folder.path()).unwrap();
        append(&mut journal, "one");
        fs::remove_file(&path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        assert!(read(folder.path()).is_err(), "a pipe is no journal");
        assert!(journal.restore().unwrap());
        fs::remove_file(&path).unwrap();
        fs::create_dir_all(path.join("deep")).unwrap();
        assert!(journal.restore().unwrap());
        append(&mut journal, "two");
        assert_eq!(texts(folder.path()), ["one", "two"]);
    }
}
