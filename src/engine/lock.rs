//! One run at a time on a change: a lock that the system lets go of when its holder is gone, however that came about.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use crate::files::faults;
use crate::files::own::{self, Refused};

/// How much is read of what a holder wrote.
const LONGEST: u64 = 4096;

/// How often a lock that is held is tried once more, and how long after.
const LOOKS: u32 = 5;
const MOMENT: Duration = Duration::from_millis(2);

/// The lock of a change, held for as long as this lives.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Why a change cannot be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// Somebody holds it.
    #[error("`{}` is in use by {holder}", folder.display())]
    Held {
        /// The folder of the change's state.
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
    pub fn take(state: &Path, holder: &str) -> Result<Self, LockError> {
        let path = file_of(state);
        let failed = |source| LockError::Io { path: path.clone(), source };
        let mut file = own::open_or_make(&path).map_err(failed)?;
        match try_lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held { folder: state.to_owned(), holder: said(file) });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let noted = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| faults::write_all(&mut file, &path, format!("{holder}\n").as_bytes()));
        noted.map_err(failed)?;
        Ok(Self { _file: file })
    }

    /// Returns who holds the lock of a change, if anybody does. Nothing is made or written; those who may not look see nobody,
    /// and what is no file of agentd's is refused.
    pub fn holder(state: &Path) -> Result<Option<String>, LockError> {
        let path = file_of(state);
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
}

/// Returns the file of a lock, `ID.lock` beside the folder of the change's state: it is there before that, and is never removed.
fn file_of(state: &Path) -> PathBuf {
    state.with_extension("lock")
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

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    fn state() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("add-login");
        (folder, state)
    }

    #[test]
    fn of_a_hundred_racers_one_wins_and_the_others_learn_who() {
        let (_kept, state) = state();
        let barrier = Barrier::new(100);
        let race = |number: usize| {
            barrier.wait();
            let taken = Lock::take(&state, &format!("racer {number}"));
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
        assert!(Lock::take(&state, "later").is_ok(), "free when the holder is gone");
    }

    #[test]
    fn those_who_look_learn_who_holds_it_and_are_in_nobody_s_way() {
        let (_kept, state) = state();
        assert_eq!(Lock::holder(&state).unwrap(), None);
        assert!(!file_of(&state).exists(), "nothing is made by looking");
        let held = Lock::take(&state, "first").unwrap();
        assert_eq!(Lock::holder(&state).unwrap().as_deref(), Some("first"));
        drop(held);
        assert_eq!(Lock::holder(&state).unwrap(), None);
        let looks = AtomicBool::new(true);
        thread::scope(|scope| {
            scope.spawn(|| {
                while looks.load(Ordering::Relaxed) {
                    Lock::holder(&state).unwrap();
                }
            });
            let taken = (0..200).all(|_| Lock::take(&state, "taker").is_ok());
            looks.store(false, Ordering::Relaxed);
            assert!(taken, "whoever takes it is not told of one who looks");
        });
    }
}
