//! Where writing can be made to fail: each step that brings something onto the disk is announced here first, and in a
//! build for tests one of them can be chosen to fail. A release has nothing of it. It does not know what is written.

use std::io::{self, Write};
use std::path::Path;

#[cfg(debug_assertions)]
pub(crate) use chosen::arm;

/// A step by which something gets onto the disk.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A file or a folder is made.
    Create,
    /// Bytes go into a file, or are cut off it.
    Write,
    /// A file or a folder is brought onto the disk.
    Sync,
    /// A file or a folder gets its name.
    Rename,
}

/// Announces a step. It fails if that step was chosen to.
#[inline]
pub(crate) fn before(step: Step, path: &Path) -> io::Result<()> {
    #[cfg(debug_assertions)]
    if let Some(fault) = chosen::fault(step, path) {
        return fault.strike();
    }
    #[cfg(not(debug_assertions))]
    let _ = (step, path);
    Ok(())
}

/// Writes all bytes to the file of a path. Where that was chosen to fail as on a full disk, half of them are written.
#[inline]
pub(crate) fn write_all(file: &mut impl Write, path: &Path, bytes: &[u8]) -> io::Result<()> {
    #[cfg(debug_assertions)]
    if let Some(fault) = chosen::fault(Step::Write, path) {
        if fault.is_halfway() {
            file.write_all(&bytes[..bytes.len() / 2])?;
        }
        return fault.strike();
    }
    #[cfg(not(debug_assertions))]
    let _ = path;
    file.write_all(bytes)
}

#[cfg(debug_assertions)]
mod chosen {
    //! Which step fails, and how. All processes of a run count together, in a ledger that has a line for each step.

    use std::ffi::OsStr;
    use std::fs::File;
    use std::io::{self, Read as _, Write as _};
    use std::path::{Path, PathBuf};
    use std::sync::OnceLock;

    use rustix::io::Errno;
    use rustix::process::{Signal, getpid, kill_process};

    use super::Step;

    static ORDER: OnceLock<Order> = OnceLock::new();

    #[derive(Debug)]
    struct Order {
        fault: Fault,
        /// The number of the step, from one on; nought stands for none.
        number: usize,
        ledger: PathBuf,
    }

    /// How a step fails.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Fault {
        /// This step alone, as by a bad disk.
        Error,
        /// This step and all after it, as on a full disk.
        Full,
        /// The process is killed at this step.
        Kill,
    }

    /// Chooses a step: `FAULT:NUMBER:LEDGER`, as in `full:12:/tmp/ledger`. Anything else chooses none.
    pub(crate) fn arm(order: &OsStr) {
        let Some(mut words) = order.to_str().map(|order| order.splitn(3, ':')) else { return };
        let fault = match words.next() {
            Some("error") => Fault::Error,
            Some("full") => Fault::Full,
            Some("kill") => Fault::Kill,
            Some(_) | None => return,
        };
        if let (Some(Ok(number)), Some(ledger)) = (words.next().map(str::parse), words.next()) {
            // Nobody orders twice.
            let _ = ORDER.set(Order { fault, number, ledger: ledger.into() });
        }
    }

    /// Takes a step down, and says how it fails.
    pub(super) fn fault(step: Step, path: &Path) -> Option<Fault> {
        let Order { fault, number, ledger } = ORDER.get()?;
        let count = take_down(ledger, step, path).ok()?;
        let is_due = match fault {
            Fault::Error | Fault::Kill => count == *number,
            Fault::Full => (1..=count).contains(number),
        };
        is_due.then_some(*fault)
    }

    /// Adds a line to the ledger, and gives its number.
    #[expect(clippy::disallowed_methods, reason = "a test's list of steps only grows")]
    fn take_down(ledger: &Path, step: Step, path: &Path) -> io::Result<usize> {
        let mut file = File::options().read(true).append(true).create(true).open(ledger)?;
        file.lock()?;
        let mut before = Vec::new();
        file.read_to_end(&mut before)?;
        file.write_all(format!("{step:?} {}\n", path.display()).as_bytes())?;
        Ok(memchr::memchr_iter(b'\n', &before).count() + 1)
    }

    impl Fault {
        /// Returns whether bytes are written in part.
        pub(super) fn is_halfway(self) -> bool {
            self != Self::Error
        }

        pub(super) fn strike(self) -> io::Result<()> {
            let number = match self {
                Self::Error => Errno::IO,
                Self::Full => Errno::NOSPC,
                Self::Kill => {
                    kill_process(getpid(), Signal::KILL)?;
                    Errno::IO
                }
            };
            Err(number.into())
        }
    }
}
