//! The folder of a run: what is put there for the agent, what the guard leaves there, and reading it back.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::error::ProcessError;
use super::overlay;
use crate::files::faults;
use crate::files::own::{self, Folder};
use crate::files::{make_private_folder, read_small_own, write_atomically};
use crate::models::hash::Hash;
use crate::models::run::{EndRecord, Invocation, OWN, Overlay};
use crate::models::sandbox::Grant;

/// How long the guard of a run is waited for: longer than it takes to end and sweep.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(5);
/// The largest file that says what an agent is confined to.
const LARGEST_GRANT: u64 = 1 << 20;
/// How long the name of a folder of temporary files is.
const TEMPORARY_NAME: usize = 16;

/// A run's folder.
#[derive(Clone, Debug)]
pub(super) struct RunFolder(PathBuf);

impl RunFolder {
    /// Names a folder by its full path, which means the same from any working folder.
    pub(super) fn at(path: &Path) -> Result<Self, ProcessError> {
        let full = std::path::absolute(path);
        full.map(Self).map_err(|error| ProcessError::io("cannot find", path, error))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Returns what the agent reads on standard input.
    pub(super) fn prompt_file(&self) -> PathBuf {
        self.0.join("prompt.xml")
    }

    /// Returns where standard output is kept.
    pub(super) fn stdout_file(&self) -> PathBuf {
        self.0.join("stdout")
    }

    /// Returns where standard error is kept.
    pub(super) fn stderr_file(&self) -> PathBuf {
        self.0.join("stderr")
    }

    /// Returns the record of how the run ended.
    pub(super) fn end_file(&self) -> PathBuf {
        self.0.join("end.json")
    }

    /// Locks the folder for as long as the file that is given lives, in whatever process.
    pub(super) fn lock(&self) -> Result<File, ProcessError> {
        let unusable = |error| ProcessError::io("cannot lock", &self.0, error);
        let file = File::from(Folder::open(&self.0).map_err(unusable)?);
        file.lock().map_err(unusable)?;
        Ok(file)
    }

    /// Writes what must be there when the agent starts. Nothing is ever written over.
    pub(super) fn prepare(
        &self,
        invocation: &Invocation,
        grant: Option<&Grant>,
    ) -> Result<(), ProcessError> {
        write_new(&self.prompt_file(), &invocation.stdin)?;
        let own = self.0.join(OWN);
        make_private_folder(&own)
            .map_err(|error| ProcessError::io("cannot create", &own, error))?;
        for (path, text) in &invocation.files {
            write_new(&self.0.join(path), text)?;
        }
        if let Some(overlay) = &invocation.overlay {
            overlay::lay(overlay, &self.0.join(Overlay::FOLDER))?;
        }
        grant.map_or(Ok(()), |grant| self.write_grant(grant))
    }

    /// Writes what the agent is confined to, and makes the folder of its temporary files.
    pub(super) fn write_grant(&self, grant: &Grant) -> Result<(), ProcessError> {
        // A path that is short enough for the names of sockets in it, and the same again after a crash.
        let name = Hash::of(self.0.as_os_str().as_bytes()).to_string();
        let temporary = grant.temporary.join(name.get(..TEMPORARY_NAME).unwrap_or(&name));
        clear_folder(&temporary)?;
        make_private_folder(&temporary)
            .map_err(|error| ProcessError::io("cannot create", &temporary, error))?;
        let path = self.grant_file();
        let text =
            serde_json::to_vec(&Grant { temporary, ..grant.clone() }).map_err(io::Error::from);
        let written = text.and_then(|text| write_atomically(&path, &text));
        written.map_err(|error| ProcessError::io("cannot write", &path, error))
    }

    /// Reads what the agent is confined to.
    pub(super) fn grant(&self) -> Result<Grant, ProcessError> {
        let path = self.grant_file();
        let text = own::read(&path, LARGEST_GRANT);
        let text = text.and_then(|text| text.ok_or_else(|| io::ErrorKind::NotFound.into()));
        let grant = text.and_then(|text| serde_json::from_slice(&text).map_err(io::Error::from));
        grant.map_err(|error| ProcessError::io("cannot read", &path, error))
    }

    fn grant_file(&self) -> PathBuf {
        self.0.join("sandbox.json")
    }

    /// Takes away what was there for the agent alone: what shows files of the user's, and its temporary files.
    pub(super) fn clear(&self) -> Result<(), ProcessError> {
        clear_folder(&self.0.join(Overlay::FOLDER))?;
        // It is there for a reason unless it is empty.
        let _ = std::fs::remove_dir(self.0.join(OWN));
        match self.grant() {
            Ok(grant) => clear_folder(&grant.temporary),
            Err(ProcessError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Writes how the run ended.
    pub(super) fn record(&self, record: &EndRecord) -> Result<(), ProcessError> {
        let text = serde_json::to_vec(record).map_err(io::Error::from);
        let written = text.and_then(|text| write_atomically(&self.end_file(), &text));
        written.map_err(|error| ProcessError::io("cannot write", &self.end_file(), error))
    }
}

/// Removes a folder with all that is in it, if it is there, and none of what its links lead to.
fn clear_folder(path: &Path) -> Result<(), ProcessError> {
    own::clear(path).map_err(|error| ProcessError::io("cannot remove", path, error))
}

/// Writes a file that was not there, and the folders that it needs, for its owner alone.
fn write_new(path: &Path, text: &str) -> Result<(), ProcessError> {
    if let Some(folder) = path.parent() {
        make_private_folder(folder)
            .map_err(|error| ProcessError::io("cannot create", folder, error))?;
    }
    let file = own::create(path);
    let mut file = file.map_err(|error| ProcessError::io("cannot create", path, error))?;
    faults::write_all(&mut file, path, text.as_bytes())
        .map_err(|error| ProcessError::io("cannot write", path, error))
}

/// Writes what must be there when an agent starts on a terminal, in a folder of its own. What an earlier one has left is
/// replaced.
pub fn lay_out(
    invocation: &Invocation,
    grant: Option<&Grant>,
    own: &Path,
) -> Result<(), ProcessError> {
    for (path, text) in &invocation.files {
        let folder = path.parent().unwrap_or(own);
        make_private_folder(folder)
            .map_err(|error| ProcessError::io("cannot create", folder, error))?;
        let written = write_atomically(path, text.as_bytes());
        written.map_err(|error| ProcessError::io("cannot write", path, error))?;
    }
    clear(own)?;
    if let Some(overlay) = &invocation.overlay {
        overlay::lay(overlay, &own.join(Overlay::FOLDER))?;
    }
    let Some(grant) = grant else { return Ok(()) };
    make_private_folder(own).map_err(|error| ProcessError::io("cannot create", own, error))?;
    RunFolder::at(own)?.write_grant(grant)
}

/// Takes away what stands in for a folder of the user's, where an agent was ended that cannot do so itself; and the folder
/// of its own files, if nothing else is in it.
pub fn clear(own: &Path) -> Result<(), ProcessError> {
    let folder = RunFolder::at(own)?;
    folder.clear()?;
    clear_folder(&folder.grant_file())?;
    // It is there for a reason unless it is empty.
    let _ = std::fs::remove_dir(own);
    Ok(())
}

/// Waits until nobody guards the run of a folder any more. A guard whose agentd was killed is soon gone, but until then
/// its agent may still write; one that stays has an agentd that lives.
pub fn await_end(run_folder: &Path) -> Result<(), ProcessError> {
    let folder = RunFolder::at(run_folder)?;
    let deadline = Instant::now() + PATIENCE;
    let unusable = |error| ProcessError::io("cannot lock", run_folder, error);
    let file = File::from(Folder::open(&folder.0).map_err(unusable)?);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(PAUSE),
            Err(error) => return Err(unusable(error.into())),
        }
    }
}

/// Reads how the run of a folder ended; none if it has not, or its guard is lost.
pub fn end_record(run_folder: &Path) -> Result<Option<EndRecord>, ProcessError> {
    let path = RunFolder::at(run_folder)?.end_file();
    let text = read_small_own(&path);
    let text = text.map_err(|error| ProcessError::io("cannot read", &path, error))?;
    let Some(text) = text else { return Ok(None) };
    let record: EndRecord = serde_json::from_slice(&text)
        .map_err(|error| ProcessError::Record { path: path.clone(), reason: error.to_string() })?;
    if record.version != EndRecord::VERSION {
        let reason = format!("its version is {}, not {}", record.version, EndRecord::VERSION);
        return Err(ProcessError::Record { path, reason });
    }
    Ok(Some(record))
}

/// Reads the last bytes of a file as text, at most so many.
pub fn tail(path: &Path, bytes: u64) -> io::Result<String> {
    let mut file = own::open(path)?;
    let start = file.metadata()?.len().saturating_sub(bytes);
    file.seek(SeekFrom::Start(start))?;
    let mut end = Vec::new();
    file.take(bytes).read_to_end(&mut end)?;
    // A character that the cut has gone through is left out.
    let is_inside = |byte: &u8| start > 0 && byte & 0xc0 == 0x80;
    let cut = end.iter().take(3).take_while(|byte| is_inside(byte)).count();
    Ok(String::from_utf8_lossy(&end[cut..]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_of_a_file_begins_with_a_whole_character() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stderr");
        std::fs::write(&path, "a€b𝄞c").unwrap();
        let tails: Vec<_> = (0..=10).map(|bytes| tail(&path, bytes).unwrap()).collect();
        let c = "c";
        assert_eq!(tails, ["", c, c, c, c, "𝄞c", "b𝄞c", "b𝄞c", "b𝄞c", "€b𝄞c", "a€b𝄞c"]);
        assert!(tail(&folder.path().join("none"), 1).is_err());
    }

    #[test]
    fn a_record_that_is_not_ours_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(end_record(folder.path()).unwrap(), None);
        let mut record = serde_json::json!({
            "version": 1, "end": { "end": "exited", "code": 3 }, "milliseconds": 12, "stdout_bytes": 4,
            "stderr_bytes": 5, "swept": 6, "survivors": [7],
        });
        let write = |text: &str| std::fs::write(folder.path().join("end.json"), text).unwrap();
        write(&record.to_string());
        assert_eq!(end_record(folder.path()).unwrap().unwrap().swept, 6);
        record["version"] = 2.into();
        for text in ["{", &record.to_string()] {
            write(text);
            let message = end_record(folder.path()).unwrap_err().to_string();
            assert!(message.contains("end.json` is not understood"), "{message}");
        }
    }
}
