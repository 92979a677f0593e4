//! One at a time: a lock that git itself goes on holding if we are killed while it works.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::process::Stdio;

use super::error::GitError;

/// The file, in a git folder.
const FILE: &str = "agentd.lock";

/// A lock on a file, free again when this is dropped and no git that was given it runs any more.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Waits for the lock of a repository or a workspace, given by its git folder, and takes it. The file stays when the lock
    /// is given back.
    #[expect(clippy::disallowed_methods, reason = "nothing is written to a lock")]
    pub(super) fn of(git_dir: &Path) -> Result<Self, GitError> {
        let path = git_dir.join(FILE);
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(|error| GitError::io("open", &path, error))?;
        file.lock().map_err(|error| GitError::io("lock", &path, error))?;
        Ok(Self(file))
    }

    /// Returns the lock to a program as its standard input, which it keeps open until it ends.
    pub(super) fn as_input(&self) -> io::Result<Stdio> {
        self.0.try_clone().map(Stdio::from)
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_program_that_was_given_the_lock_holds_it_when_we_no_longer_do() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::of(folder.path()).unwrap();
        let mut holder =
            Command::new("sleep").arg("60").stdin(lock.as_input().unwrap()).spawn().unwrap();
        drop(lock);
        let other = File::open(folder.path().join(FILE)).unwrap();
        assert!(other.try_lock().is_err());
        holder.kill().unwrap();
        holder.wait().unwrap();
        assert!(other.try_lock().is_ok());
    }
}
