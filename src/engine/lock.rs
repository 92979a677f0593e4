//! One run at a time on a change: a lock that the system lets go of when its holder is gone, however that came about.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use crate::files::faults;
use crate::files::own::{self, Refused};

/// The lock's name in the change's folder.
pub const FILE: &str = ".lock";

/// How much is read of what a holder wrote.
const LONGEST: u64 = 4096;

/// How often a lock that is held is tried once more, and how long after.
const LOOKS: u32 = 5;
const MOMENT: Duration = Duration::from_millis(2);

/// The lock of a change, held for as long as this lives.
#[derive(Debug)]
pub struct Lock {
    file: File,
    holder: String,
}

/// Why a change cannot be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// Somebody holds it.
    #[error("`{}` is in use by {holder}", folder.display())]
    Held {
        /// The change's folder.
        folder: PathBuf,
        /// Who holds it, as they said.
        holder: String,
    },
    /// It cannot be taken.
    #[error("cannot lock `{}`: {source}", path.display())]
    Io {
        /// The lock.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Lock {
    /// Takes the lock of a change, or says at once who has it. `holder` is what others are told.
    pub fn take(folder: &Path, holder: &str) -> Result<Self, LockError> {
        let path = folder.join(FILE);
        let failed = |source| LockError::Io { path: path.clone(), source };
        let mut file = own::open_or_make(&path).map_err(failed)?;
        let mut locked = try_lock(&file);
        // A holder that was at its end may have removed the file after it was opened here.
        while locked.is_ok() && !is_at(&file, &path).map_err(failed)? {
            file = own::open_or_make(&path).map_err(failed)?;
            locked = try_lock(&file);
        }
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held { folder: folder.to_owned(), holder: said(file) });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let noted = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| faults::write_all(&mut file, &path, format!("{holder}\n").as_bytes()));
        noted.map_err(failed)?;
        Ok(Self { file, holder: holder.to_owned() })
    }

    /// Takes the lock anew if its file is no longer the one at its place, and says whether that was so: an agent that
    /// cleans up with git removes it, and then it keeps nobody out.
    pub fn renew(&mut self, folder: &Path) -> Result<bool, LockError> {
        let path = folder.join(FILE);
        let failed = |source| LockError::Io { path: path.clone(), source };
        match is_at(&self.file, &path) {
            Ok(true) => return Ok(false),
            Ok(false) => {}
            // What is no file of ours cannot be held by anybody.
            Err(error) if Refused::is(&error) => own::clear(&path).map_err(failed)?,
            Err(error) => return Err(failed(error)),
        }
        *self = Self::take(folder, &self.holder)?;
        Ok(true)
    }

    /// Returns who holds the lock of a change, if anybody does. Nothing is made or written; those who may not look see nobody,
    /// and what is no file of agentd's is refused.
    pub fn holder(folder: &Path) -> Result<Option<String>, LockError> {
        let path = folder.join(FILE);
        let file = match own::open(&path) {
            Ok(file) => file,
            Err(source) if Refused::is(&source) => return Err(LockError::Io { path, source }),
            Err(_) => return Ok(None),
        };
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Ok(Some(said(file))),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(None),
        }
    }

    /// Removes the file of a change that has ended; `folder` is where it is now. The lock is held all the same.
    pub fn remove(&self, folder: &Path) -> io::Result<()> {
        own::clear(&folder.join(FILE))
    }
}

/// Takes the lock. Whoever only looks who has it holds it for a moment, and is in nobody's way.
fn try_lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..LOOKS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(MOMENT),
            done => return done,
        }
    }
    file.try_lock()
}

/// Reads what a holder wrote. Who it is helps, but it is held in any case.
fn said(file: File) -> String {
    let mut holder = String::new();
    let _ = file.take(LONGEST).read_to_string(&mut holder);
    let holder = holder.trim();
    if holder.is_empty() { "another agentd".to_owned() } else { holder.to_owned() }
}

/// Returns whether a file that is open is the one that is found at a path. What is no file of agentd's there is refused.
pub(super) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match own::open(path).and_then(|found| found.metadata()) {
        Ok(found) => Ok((found.dev(), found.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn of_a_hundred_racers_one_wins_and_the_others_learn_who() {
        let folder = tempfile::tempdir().unwrap();
        let barrier = Barrier::new(100);
        let race = |number: usize| {
            barrier.wait();
            let taken = Lock::take(folder.path(), &format!("racer {number}"));
            // Nobody lets go before all have tried.
            barrier.wait();
            taken
        };
        let results: Vec<_> = thread::scope(|scope| {
            let racers: Vec<_> = (0..100).map(|number| scope.spawn(move || race(number))).collect();
            racers.into_iter().map(|racer| racer.join().unwrap()).collect()
        });
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
        for error in results.into_iter().filter_map(Result::err) {
            let LockError::Held { holder, .. } = error else { panic!("{error}") };
            assert!(holder == "another agentd" || holder.starts_with("racer "), "{holder}");
        }
        assert!(Lock::take(folder.path(), "later").is_ok(), "free when the holder is gone");
    }

    #[test]
    fn those_who_look_learn_who_holds_it_and_are_in_nobody_s_way() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Lock::holder(folder.path()).unwrap(), None);
        assert!(!folder.path().join(FILE).exists(), "nothing is made by looking");
        let held = Lock::take(folder.path(), "first").unwrap();
        assert_eq!(Lock::holder(folder.path()).unwrap().as_deref(), Some("first"));
        drop(held);
        assert_eq!(Lock::holder(folder.path()).unwrap(), None);
        let looks = AtomicBool::new(true);
        thread::scope(|scope| {
            scope.spawn(|| {
                while looks.load(Ordering::Relaxed) {
                    Lock::holder(folder.path()).unwrap();
                }
            });
            let taken = (0..200).all(|_| Lock::take(folder.path(), "taker").is_ok());
            looks.store(false, Ordering::Relaxed);
            assert!(taken, "whoever takes it is not told of one who looks");
        });
    }

    #[test]
    fn a_lock_whose_file_was_removed_does_not_count_for_those_who_come_later() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::take(folder.path(), "first").unwrap();
        first.remove(folder.path()).unwrap();
        first.remove(folder.path()).unwrap();
        let second = Lock::take(folder.path(), "second").unwrap();
        drop(first);
        let error = Lock::take(folder.path(), "third").unwrap_err();
        assert!(error.to_string().ends_with("is in use by second"), "{error}");
        drop(second);
    }

    #[test]
    fn a_lock_whose_file_is_gone_is_taken_anew_unless_somebody_was_faster() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let mut first = Lock::take(folder.path(), "first").unwrap();
        assert!(!first.renew(folder.path()).unwrap());
        for _ in 0..2 {
            fs::remove_file(&path).unwrap();
            assert!(first.renew(folder.path()).unwrap());
            let error = Lock::take(folder.path(), "second").unwrap_err();
            assert!(error.to_string().ends_with("is in use by first"), "{error}");
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(first.renew(folder.path()).unwrap());
        fs::remove_file(&path).unwrap();
        let _second = Lock::take(folder.path(), "second").unwrap();
        let error = first.renew(folder.path()).unwrap_err();
        assert!(error.to_string().ends_with("is in use by second"), "{error}");
    }
}
