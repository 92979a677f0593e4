//! Our side of a run: prepare its folder, start the guard, follow what the agent prints, and learn how it ended.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use log::warn;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, Command};
use tokio::task::{spawn_blocking, yield_now};
use tokio::time::{Instant, sleep, sleep_until};

use super::cancel::Cancel;
use super::error::ProcessError;
use super::folder::{RunFolder, end_record};
use super::follow::{Follower, Trouble};
use super::orphans::{end_orphans, start_leader};
use super::processes::name;
use super::sweep::end_session;
use crate::models::run::{End, EndRecord, Invocation};
use crate::models::sandbox::Grant;

/// How often to look for new output.
const INTERVAL: Duration = Duration::from_millis(50);
/// How much longer than a run may take its guard is waited for, before agentd itself ends both. An agent may have stopped the guard.
const OVERDUE: Duration = Duration::from_secs(10);
/// The same once the run was asked to end.
const OVERDUE_WHEN_CANCELLED: Duration = Duration::from_secs(3);
/// The exit code of a guard that could not read or write something.
const IO_FAILURE: i32 = 10;
/// How much is read of what a guard says.
const LONGEST_MESSAGE: u64 = 16 << 10;

/// How a run is supervised.
#[derive(Clone, Debug)]
pub struct Supervision<'a> {
    /// The agentd binary, which is the guard's too.
    pub guard: &'a Path,
    /// The folder that the agent runs in.
    pub workspace: &'a Path,
    /// The folder for this run's own files; it is created if it is not there.
    pub run_folder: &'a Path,
    /// What the run may take.
    pub limits: Limits,
    /// What the agent is confined to, if to anything.
    pub grant: Option<Grant>,
    /// Asks for the run to be ended.
    pub cancel: Cancel,
}

/// What a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long it may last.
    pub timeout: Duration,
    /// How long it may be silent on both streams; for ever unless given.
    pub idle_timeout: Option<Duration>,
    /// How long it may take to end once it is asked to.
    pub grace: Duration,
    /// The most bytes that it may print on standard output, and as many on standard error.
    pub largest_output: u64,
}

/// Runs a program under a guard and gives how it ended, once it and all that it started are gone.
///
/// Each line of standard output is handed to `on_line` while the program runs, without its line feed. All that it
/// prints is kept in the run's folder, in `stdout` and `stderr`.
///
/// A future that is dropped cancels the run but does not wait for its end.
pub async fn run(
    invocation: &Invocation,
    supervision: &Supervision<'_>,
    on_line: &mut (dyn FnMut(&str) + Send),
) -> Result<EndRecord, ProcessError> {
    let folder = RunFolder::at(supervision.run_folder)?;
    let result = run_in(&folder, invocation, supervision, on_line).await;
    // The guard has done so, unless it was never started or is lost.
    let cleared = folder.clear();
    let record = result?;
    tell_of(&record.survivors, invocation);
    cleared.map(|()| record)
}

/// Warns of processes that could not be ended, if there are any.
fn tell_of(survivors: &[i32], invocation: &Invocation) {
    if let Some(warning) = warning(&invocation.program.to_string_lossy(), survivors, name) {
        warn!("{warning}");
    }
}

/// Returns which processes could not be ended and what that means, if there are any: nothing else would tell.
fn warning(
    program: &str,
    survivors: &[i32],
    name: impl Fn(i32) -> Option<String>,
) -> Option<String> {
    let told = |pid: &i32| match name(*pid) {
        Some(name) => format!("{pid} (`{name}`)"),
        None => pid.to_string(),
    };
    let survivors: Vec<_> = survivors.iter().map(told).collect();
    (!survivors.is_empty()).then(|| {
        format!(
            "`{program}` has left processes that cannot be ended: {}; while they are there they may write, also into what \
             is committed: end them, and look at what they did",
            survivors.join(", ")
        )
    })
}

async fn run_in(
    folder: &RunFolder,
    invocation: &Invocation,
    supervision: &Supervision<'_>,
    on_line: &mut (dyn FnMut(&str) + Send),
) -> Result<EndRecord, ProcessError> {
    folder.prepare(invocation, supervision.grant.as_ref())?;
    let mut guard = start_guard(invocation, supervision, folder).await?;
    let session = session(&guard);
    let started = Instant::now();
    let mut output = Follower::of(folder.stdout_file(), on_line);
    let followed = follow(&mut guard, &mut output, supervision).await;
    let followed =
        followed.map_err(|error| ProcessError::io("cannot wait for", supervision.guard, error))?;
    let is_swept = followed.overdue.is_none() && followed.status.success();
    let survivors = if is_swept { Vec::new() } else { end_leftovers(session).await };
    let is_read = output.finish().await;
    let mut record = match (end_record(folder.path())?, followed.overdue) {
        (Some(record), _) if followed.status.success() => record,
        (_, Some(end)) => {
            let record = overdue(end, started.elapsed(), folder, survivors);
            folder.record(&record)?;
            record
        }
        (Some(_) | None, None) => {
            tell_of(&survivors, invocation);
            return Err(failure(guard, followed.status, folder).await);
        }
    };
    match is_read {
        Ok(()) => Ok(record),
        Err(Trouble::Unreadable(error)) => Err(error),
        Err(Trouble::TooLong) => {
            // The guard knows only that it was cancelled.
            record.end = End::TooMuchOutput;
            folder.record(&record)?;
            Ok(record)
        }
    }
}

async fn start_guard(
    invocation: &Invocation,
    supervision: &Supervision<'_>,
    folder: &RunFolder,
) -> Result<Child, ProcessError> {
    let Supervision { guard, workspace, limits, grant, .. } = supervision;
    let is_folder = match tokio::fs::metadata(workspace).await {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(io::ErrorKind::NotADirectory.into()),
        Err(error) => Err(error),
    };
    is_folder.map_err(|error| ProcessError::io("cannot run in", workspace, error))?;
    // The workspace becomes its working folder before the guard is looked for.
    let program = std::path::absolute(guard);
    let program = program.map_err(|error| ProcessError::io("cannot find", guard, error))?;
    let mut command = Command::new(program);
    let number = |duration: Duration| duration.as_millis().min(u64::MAX.into()).to_string();
    command.arg0("agentd").args(["--color", "never", "__guard"]).arg(folder.path());
    command.args(["--timeout-ms", &number(limits.timeout), "--grace-ms", &number(limits.grace)]);
    if let Some(idle) = limits.idle_timeout {
        command.args(["--idle-ms", &number(idle)]);
    }
    command.args(grant.is_some().then_some("--confined"));
    command.args(["--largest-output", &limits.largest_output.to_string(), "--"]);
    command.arg(&invocation.program).args(&invocation.args);
    command.env_clear().envs(invocation.env.iter().map(|(name, value)| (name, value)));
    command.current_dir(workspace);
    // The guard prints nothing: its standard output is the lock on its folder, which it holds until it ends.
    let lock = folder.lock()?;
    command.stdin(Stdio::piped()).stdout(lock).stderr(Stdio::piped());
    start_leader(|| command.spawn(), session)
        .map_err(|error| ProcessError::io("cannot start the guard", guard, error))
}

/// Returns the session that a guard leads.
fn session(guard: &Child) -> Option<i32> {
    guard.id().and_then(|pid| i32::try_from(pid).ok())
}

/// How a guard ended.
struct Followed {
    status: ExitStatus,
    /// How the run ended, where its guard did not end it in time.
    overdue: Option<End>,
}

/// Follows the output until the guard has ended, and closes the pipe to the guard when the run is to end. A guard that takes too
/// long for either is killed: it may have been stopped.
async fn follow(
    guard: &mut Child,
    output: &mut Follower<'_>,
    supervision: &Supervision<'_>,
) -> io::Result<Followed> {
    let (limits, mut cancel) = (supervision.limits, supervision.cancel.clone());
    let mut control = guard.stdin.take();
    let (mut deadline, mut overdue) =
        (Instant::now() + limits.timeout + limits.grace + OVERDUE, None);
    loop {
        let count = output.read().await;
        let is_cancelled = tokio::select! {
            status = guard.wait() => return status.map(|status| Followed { status, overdue }),
            () = cancel.cancelled(), if control.is_some() => true,
            () = sleep_until(deadline), if overdue.is_none() => {
                overdue =
                    Some(if control.is_some() { End::TimedOut } else { End::Cancelled });
                // One that is stopped dies of it too.
                guard.start_kill()?;
                false
            }
            () = yield_now(), if count > 0 => false,
            () = sleep(INTERVAL), if count == 0 => false,
        };
        if control.is_some() && (is_cancelled || output.has_trouble()) {
            control = None;
            deadline = deadline.min(Instant::now() + OVERDUE_WHEN_CANCELLED);
        }
    }
}

/// Ends what a guard left that did not come to sweep, and returns who could not be ended.
async fn end_leftovers(session: Option<i32>) -> Vec<i32> {
    let Some(session) = session else { return Vec::new() };
    let ended = spawn_blocking(move || {
        let mut survivors = end_session(session);
        survivors.extend(end_orphans());
        survivors.sort_unstable();
        survivors.dedup();
        survivors
    });
    // It fails only if it panics.
    ended.await.unwrap_or_default()
}

/// Returns the record of a run that agentd itself ended.
fn overdue(end: End, time: Duration, folder: &RunFolder, survivors: Vec<i32>) -> EndRecord {
    let size = |path: &Path| path.metadata().map_or(0, |file| file.len());
    EndRecord {
        version: EndRecord::VERSION,
        end,
        milliseconds: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        stdout_bytes: size(&folder.stdout_file()),
        stderr_bytes: size(&folder.stderr_file()),
        swept: 0,
        survivors,
    }
}

/// Returns why there is no record.
async fn failure(mut guard: Child, status: ExitStatus, folder: &RunFolder) -> ProcessError {
    let mut message = Vec::new();
    if let Some(stderr) = guard.stderr.take() {
        // Without a message there is still the status to tell of.
        let _ = stderr.take(LONGEST_MESSAGE).read_to_end(&mut message).await;
    }
    let message = String::from_utf8_lossy(&message);
    // What to do about it is said by whoever gets the error.
    let message = message.split("\nhelp: ").next().unwrap_or_default();
    let message = message.trim().trim_start_matches("error: ").to_owned();
    if status.code() == Some(IO_FAILURE) {
        return ProcessError::io("cannot run in", folder.path(), io::Error::other(message));
    }
    ProcessError::GuardLost { status: status.to_string(), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_that_could_not_be_ended_are_named_with_what_that_means() {
        let name = |pid: i32| (pid == 42).then(|| "make".to_owned());
        assert_eq!(warning("claude", &[], name), None);
        let told = warning("claude", &[42, 43], name).unwrap_or_default();
        assert!(told.starts_with("`claude` has left processes"), "{told}");
        assert!(told.contains("42 (`make`), 43;") && told.contains("may write"), "{told}");
    }

    #[test]
    fn the_record_of_a_run_that_agentd_ended_names_who_survived() {
        let folder = RunFolder::at(Path::new("/none")).unwrap();
        let record = overdue(End::TimedOut, Duration::from_secs(9), &folder, vec![42]);
        assert_eq!((record.milliseconds, record.survivors), (9000, vec![42]));
    }
}
