//! The folder of one run, `runs/NNN-NAME/` with the change's state: the exact prompt, what the agent printed, and
//! what became of it. Its files are for the user alone and are never committed.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::own::{self, Kind, Refused};
use crate::files::{make_folder, write_atomically};

/// The folder of all runs of a change.
pub const RUNS: &str = "runs";

/// A `.gitignore` that leaves nothing out.
const EVERYTHING: &[u8] = b"*\n";

/// A run's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// Where it is.
    pub path: PathBuf,
    /// Its number within the change.
    pub number: u32,
}

impl RunFolder {
    /// Makes the folder of the next run of a change, named for what is run.
    pub fn create(change: &Path, name: &str) -> io::Result<Self> {
        let runs = change.join(RUNS);
        make_folder(&runs)?;
        ignore_in_git(&runs)?;
        let mut last = last_number(&runs)?;
        loop {
            let number =
                last.checked_add(1).filter(|number| is_usable(*number)).ok_or_else(|| {
                    let full = format!("run {last} exists, and no higher number is possible");
                    io::Error::new(io::ErrorKind::InvalidData, full)
                })?;
            let path = runs.join(format!("{number:03}-{name}"));
            match own::create_folder(&path) {
                Ok(()) => return Ok(Self { path, number }),
                // Another run of the change took the number; the next one is free or taken as well.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = number,
                Err(error) => return Err(error),
            }
        }
    }

    /// Names a run's folder that is there.
    pub fn at(path: &Path) -> Self {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        Self { path: path.to_owned(), number: number(name).unwrap_or(0) }
    }

    /// Returns its name.
    pub fn name(&self) -> Cow<'_, str> {
        self.path.file_name().unwrap_or_default().to_string_lossy()
    }

    /// Writes a file as a whole, readable by the user alone. What a crash may have left of it is replaced.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        write_atomically(&self.path.join(name), bytes)
    }
}

fn last_number(runs: &Path) -> io::Result<u32> {
    let mut last = 0;
    for (name, _) in own::entries(runs)? {
        last = last.max(name.to_str().and_then(number).unwrap_or(0));
    }
    Ok(last)
}

/// Returns whether another number comes after one: a folder without a next one was not made by agentd.
const fn is_usable(number: u32) -> bool {
    number < u32::MAX
}

/// Returns the number at the beginning of a run's name.
fn number(name: &str) -> Option<u32> {
    name.split_once('-')?.0.parse().ok().filter(|number| is_usable(*number))
}

/// Makes the folder of what belongs to a change's live session, beside its runs, and gives it.
pub fn live_folder(change: &Path) -> io::Result<PathBuf> {
    let runs = change.join(RUNS);
    make_folder(&runs)?;
    let folder = runs.join("live");
    match own::create_folder(&folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            own::refuse_unless_folder(&folder)?;
        }
        made => made?,
    }
    ignore_in_git(&runs)?;
    Ok(folder)
}

/// Lists the runs of a change from a number on, in order. A link in the place of one is none.
pub fn runs_from(change: &Path, first: u32) -> io::Result<Vec<RunFolder>> {
    let folder = change.join(RUNS);
    let folders = own::entries(&folder)?.into_iter().filter(|(_, kind)| *kind == Kind::Folder);
    let mut runs: Vec<_> = folders.map(|(name, _)| RunFolder::at(&folder.join(name))).collect();
    runs.retain(|run| run.number >= first.max(1));
    runs.sort_by_key(|run| run.number);
    Ok(runs)
}

/// Returns the path of a file that is not there yet, in a folder that is made if need be: `STEM.END`, or `STEM-2.END`.
pub fn free_name(folder: &Path, stem: &str, ending: &str) -> io::Result<PathBuf> {
    make_folder(folder)?;
    let mut path = folder.join(format!("{stem}{ending}"));
    let mut number = 1;
    while path.try_exists()? {
        number += 1;
        path = folder.join(format!("{stem}-{number}{ending}"));
    }
    Ok(path)
}

/// Keeps runs out of the user's commits, wherever the change's folder is.
fn ignore_in_git(runs: &Path) -> io::Result<()> {
    let path = runs.join(".gitignore");
    let ignored = match own::read(&path, EVERYTHING.len() as u64) {
        Err(error) if Refused::is(&error) => {
            return Err(Refused::named(&error, "cannot read", &path));
        }
        read => read.ok().flatten(),
    };
    if ignored.is_some_and(|text| text == EVERYTHING) {
        return Ok(());
    }
    write_atomically(&path, EVERYTHING)
        .map_err(|error| Refused::named(&error, "cannot write", &path))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn runs_are_numbered_private_and_ignored_by_git() {
        let change = tempfile::tempdir().unwrap();
        let first = RunFolder::create(change.path(), "plan").unwrap();
        fs::create_dir(change.path().join("runs/041-review")).unwrap();
        let next = RunFolder::create(change.path(), "challenge").unwrap();
        assert_eq!(first.path, change.path().join("runs/001-plan"));
        assert_eq!((next.path, next.number), (change.path().join("runs/042-challenge"), 42));

        first.write("response.txt", b"text").unwrap();
        let mode = |path: &str| {
            fs::metadata(change.path().join(path)).unwrap().permissions().mode() & 0o777
        };
        assert_eq!((mode("runs/001-plan"), mode("runs/001-plan/response.txt")), (0o700, 0o600));
        assert_eq!(fs::read_to_string(change.path().join("runs/.gitignore")).unwrap(), "*\n");
        first.write("response.txt", b"other").unwrap();
        assert_eq!(fs::read(first.path.join("response.txt")).unwrap(), b"other");
    }

    #[test]
    fn a_run_whose_number_has_no_next_one_is_none_and_no_number_runs_over() {
        let change = tempfile::tempdir().unwrap();
        for name in ["4294967295-review", "99999999999999999999-plan"] {
            fs::create_dir_all(change.path().join("runs").join(name)).unwrap();
        }
        assert_eq!(RunFolder::create(change.path(), "plan").unwrap().number, 1);
        fs::create_dir(change.path().join("runs/4294967294-plan")).unwrap();
        let numbers: Vec<_> =
            runs_from(change.path(), 1).unwrap().iter().map(|run| run.number).collect();
        assert_eq!(numbers, [1, 4_294_967_294]);
        let full = RunFolder::create(change.path(), "plan").unwrap_err();
        assert_eq!(full.to_string(), "run 4294967294 exists, and no higher number is possible");
    }

    #[test]
    fn nothing_is_kept_through_a_link_in_the_place_of_the_runs_or_of_one() {
        let (change, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let run = RunFolder::create(change.path(), "plan").unwrap();
        symlink(elsewhere.path(), change.path().join("runs/002-plan")).unwrap();
        assert_eq!(runs_from(change.path(), 1).unwrap(), [run]);
        fs::rename(change.path().join("runs"), change.path().join("moved")).unwrap();
        symlink(elsewhere.path(), change.path().join("runs")).unwrap();
        for refused in [
            RunFolder::create(change.path(), "plan").map(drop),
            live_folder(change.path()).map(drop),
            runs_from(change.path(), 1).map(drop),
        ] {
            assert!(refused.unwrap_err().to_string().contains("is a link"));
        }
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }
}
