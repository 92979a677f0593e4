//! The guard's side of a run: it starts the agent, watches it to its end, and records that end.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::io::Errno;

use super::domain::Domain;
use super::error::ProcessError;
use super::folder::RunFolder;
use super::run::Limits;
use super::sandbox::confined;
use super::spool::Spool;
use super::sweep::adopt_orphans;
use super::watch::Watch;
use crate::files::own;
use crate::models::run::{End, EndRecord};
use crate::models::sandbox::Grant;

/// What a guard is told to do.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The run's folder, which holds the prompt.
    pub run_folder: &'a Path,
    /// The agent's program.
    pub program: &'a OsStr,
    /// Its arguments.
    pub args: &'a [OsString],
    /// Where programs are looked for: the value of `PATH`.
    pub search_path: Option<&'a OsStr>,
    /// What the run may take.
    pub limits: Limits,
    /// Whether the folder holds a grant that the agent is confined to.
    pub is_confined: bool,
}

/// Runs an agent to its end, in the environment and the working folder of this process, and records that end.
///
/// When `control` is closed, the agent is ended. All processes that it leaves are ended in any case, and that means
/// all children of this process: it must do nothing else.
pub fn guard(order: &Order<'_>, control: BorrowedFd<'_>) -> Result<(), ProcessError> {
    // Out of reach of the terminal's Ctrl-C. It fails only for the leader of a group, under an interactive shell.
    let _ = rustix::process::setsid();
    let folder = RunFolder::at(order.run_folder)?;
    adopt_orphans().map_err(|error| ProcessError::io("cannot guard", folder.path(), error))?;
    let record = match start(order, &folder)? {
        Start::Running(agent, outputs) => {
            Watch::over(agent, outputs, order.limits, control).until_the_end()?
        }
        Start::Refused(end) => EndRecord {
            version: EndRecord::VERSION,
            end,
            milliseconds: 0,
            stdout_bytes: 0,
            stderr_bytes: 0,
            swept: 0,
            survivors: Vec::new(),
        },
    };
    // Also where agentd is gone and cannot see to it. What is left is no reason to lose the record.
    let cleared = folder.clear();
    folder.record(&record)?;
    cleared
}

enum Start {
    Running(Started, [Spool; 2]),
    /// The program cannot be started, which is an end too.
    Refused(End),
}

fn start(order: &Order<'_>, folder: &RunFolder) -> Result<Start, ProcessError> {
    let prompt = folder.prompt_file();
    let stdin =
        own::open(&prompt).map_err(|error| ProcessError::io("cannot read", &prompt, error))?;
    let largest = order.limits.largest_output;
    let outputs = [
        Spool::create(folder.stdout_file(), largest)?,
        Spool::create(folder.stderr_file(), largest)?,
    ];
    let mut command = Command::new(order.program);
    command.args(order.args).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.process_group(0);
    let grant = if order.is_confined { Some(folder.grant()?) } else { None };
    match spawn(command, grant) {
        Ok(agent) => Ok(Start::Running(agent, outputs)),
        Err(error) => refusal(order, error).map(Start::Refused),
    }
}

/// A program that was started.
pub(super) struct Started {
    pub(super) child: Child,
    /// What kills it with all that it starts.
    pub(super) domain: Option<Domain>,
}

/// Starts a program, confined to a grant if there is one.
pub(super) fn spawn(mut command: Command, grant: Option<Grant>) -> io::Result<Started> {
    let Some(grant) = grant else {
        return Ok(Started { child: command.spawn()?, domain: None });
    };
    command.envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, &grant.temporary)));
    let (child, domain) = confined(grant, move || command.spawn())?;
    Ok(Started { child, domain })
}

/// Tells a program that cannot be started from a system that cannot start any.
fn refusal(order: &Order<'_>, error: io::Error) -> Result<End, ProcessError> {
    match Errno::from_io_error(&error) {
        Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE) => {
            Err(ProcessError::io("cannot start", Path::new(order.program), error))
        }
        Some(_) | None if !is_there(order) => Ok(End::NotFound),
        Some(Errno::NOENT) => {
            let reason = "the interpreter that it names is not there".to_owned();
            Ok(End::NotExecutable { reason })
        }
        Some(_) | None => Ok(End::NotExecutable { reason: error.to_string() }),
    }
}

/// Returns whether there is a file of the program's name where the system looks for it.
fn is_there(order: &Order<'_>) -> bool {
    if order.program.as_bytes().contains(&b'/') {
        return Path::new(order.program).exists();
    }
    let folders = order.search_path.unwrap_or_default().as_bytes().split(|byte| *byte == b':');
    folders
        .map(|folder| Path::new(OsStr::from_bytes(folder)))
        .any(|folder| !order.program.is_empty() && folder.join(order.program).is_file())
}
