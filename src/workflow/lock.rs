//! One run at a time on a change: a lock that the system lets go of when its holder is gone, however that came about.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use crate::files::faults::{self, Step, before};

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
    #[error("cannot lock `{}`: {source}", folder.display())]
    Io {
        /// The change's folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Lock {
    /// Takes the lock of a change, or says at once who has it. `holder` is what others are told.
    #[expect(clippy::disallowed_methods, reason = "who holds a lock is only told to people")]
    pub fn take(folder: &Path, holder: &str) -> Result<Self, LockError> {
        let failed = |source| LockError::Io { folder: folder.to_owned(), source };
        let path = folder.join(FILE);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file =
            before(Step::Create, &path).and_then(|()| options.open(&path)).map_err(failed)?;
        let mut locked = try_lock(&file);
        // A holder that was at its end may have removed the file after it was opened here.
        while locked.is_ok() && !is_at(&file, &path).map_err(failed)? {
            file = options.open(&path).map_err(failed)?;
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
        let failed = |source| LockError::Io { folder: folder.to_owned(), source };
        let path = folder.join(FILE);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_file() && is_at(&self.file, &path).map_err(failed)? => {
                return Ok(false);
            }
            // What is no file cannot be held by anybody.
            Ok(found) if found.is_dir() => fs::remove_dir_all(&path).map_err(failed)?,
            Ok(found) if !found.is_file() => fs::remove_file(&path).map_err(failed)?,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        *self = Self::take(folder, &self.holder)?;
        Ok(true)
    }

    /// Says who holds the lock of a change, if anybody does. Nothing is made or written; those who cannot look are told of
    /// nobody.
    pub fn holder(folder: &Path) -> Option<String> {
        let file = File::open(folder.join(FILE)).ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Some(said(file)),
            Ok(()) | Err(TryLockError::Error(_)) => None,
        }
    }

    /// Removes the file of a change that has ended; `folder` is where it is now. The lock is held all the same.
    pub fn remove(&self, folder: &Path) -> io::Result<()> {
        match fs::remove_file(folder.join(FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
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

/// Says whether a file that is open is the one that is found at a path.
pub(super) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match fs::metadata(path) {
        Ok(found) => Ok((found.dev(), found.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(Lock::holder(folder.path()), None);
        assert!(!folder.path().join(FILE).exists(), "nothing is made by looking");
        let held = Lock::take(folder.path(), "first").unwrap();
        assert_eq!(Lock::holder(folder.path()).as_deref(), Some("first"));
        drop(held);
        assert_eq!(Lock::holder(folder.path()), None);
        let looks = AtomicBool::new(true);
        thread::scope(|scope| {
            scope.spawn(|| {
                while looks.load(Ordering::Relaxed) {
                    Lock::holder(folder.path());
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
