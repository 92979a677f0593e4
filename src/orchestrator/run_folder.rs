//! The folder of one run, `runs/NNN-PHASE/` in the change's folder: the exact prompt, what the agent printed, and
//! what became of it. Its files are for the user alone and are never committed.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::template::Phase;

/// A run's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// Where it is.
    pub path: PathBuf,
    /// Its number within the change.
    pub number: u32,
}

impl RunFolder {
    /// Makes the folder of the next run of a change.
    pub fn create(change: &Path, phase: Phase) -> io::Result<Self> {
        let runs = change.join("runs");
        fs::create_dir_all(&runs)?;
        ignore_in_git(&runs)?;
        let mut number = last_number(&runs)? + 1;
        loop {
            let path = runs.join(format!("{number:03}-{phase}"));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self { path, number }),
                // Another run of the change took the number; the next one is free or taken as well.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes a file that is not there yet, readable by the user alone.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let mut file =
            options.write(true).create_new(true).mode(0o600).open(self.path.join(name))?;
        file.write_all(bytes)
    }
}

fn last_number(runs: &Path) -> io::Result<u32> {
    let mut last = 0;
    for entry in fs::read_dir(runs)? {
        let name = entry?.file_name();
        let digits = name.to_str().and_then(|name| name.split_once('-')).map(|(digits, _)| digits);
        last = last.max(digits.and_then(|digits| digits.parse().ok()).unwrap_or(0));
    }
    Ok(last)
}

/// Keeps runs out of the user's commits, wherever the change's folder is.
fn ignore_in_git(runs: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).open(runs.join(".gitignore")) {
        Ok(mut file) => file.write_all(b"*\n"),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn runs_are_numbered_private_and_ignored_by_git() {
        let change = tempfile::tempdir().unwrap();
        let first = RunFolder::create(change.path(), Phase::Plan).unwrap();
        fs::create_dir(change.path().join("runs/041-review")).unwrap();
        let next = RunFolder::create(change.path(), Phase::Challenge).unwrap();
        assert_eq!(first.path, change.path().join("runs/001-plan"));
        assert_eq!((next.path, next.number), (change.path().join("runs/042-challenge"), 42));

        first.write("response.txt", b"text").unwrap();
        let mode = |path: &str| {
            fs::metadata(change.path().join(path)).unwrap().permissions().mode() & 0o777
        };
        assert_eq!((mode("runs/001-plan"), mode("runs/001-plan/response.txt")), (0o700, 0o600));
        assert_eq!(fs::read_to_string(change.path().join("runs/.gitignore")).unwrap(), "*\n");
        let again = first.write("response.txt", b"other").unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    }
}
