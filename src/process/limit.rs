//! Children that agentd waits for and does nothing meanwhile: git and tmux. None of them takes for ever, and none keeps agentd
//! from ending when it is asked to.

use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal as Kill, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::processes;
use super::sandbox::{Hold, held};
use super::signals::{Signal, asked_to_end, listen_if_answered};

/// How often to look whether agentd was asked to end.
const INTERVAL: Duration = Duration::from_millis(50);
/// How often to look whether a child does anything.
const LOOK: Duration = Duration::from_millis(500);
/// How much longer a child may run that agentd was waiting for when it was asked to end: most are done by then.
const UNDER_WAY: Duration = Duration::from_millis(300);
/// How long one may run that was started later, so that agentd ends in order.
const LATER: Duration = Duration::from_secs(2);
/// The same for a child that must not be ended half-way, whenever it was started.
const UNDIVIDED: Duration = Duration::from_secs(10);
/// How long a child may take to end once it is asked to. Git removes its locks then.
const GRACE: Duration = Duration::from_secs(2);
/// The same where agentd was asked to end.
const GRACE_WHEN_INTERRUPTED: Duration = Duration::from_millis(300);

/// What becomes of a child when agentd is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Haste {
    /// It is ended soon: what it does can be done again.
    Soon,
    /// It has time to come to its end: it changes what is the user's.
    Undivided,
}

/// Why a child was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It took too long.
    TimedOut,
    /// It waited for something that did not come.
    Stalled,
    /// agentd was asked to end.
    Interrupted(Signal),
}

/// A limit on how long a child runs. The child leads a group of processes, all of which are ended with it.
#[derive(Debug)]
pub struct Limit {
    group: Pid,
    done: Sender<()>,
    watch: JoinHandle<Option<Cut>>,
}

impl Limit {
    /// Starts a child and watches it, and listens to signals before. Where the system has no thread left for that, there is none.
    pub fn start(
        command: &mut Command,
        limit: Duration,
        haste: Haste,
    ) -> io::Result<(Child, Self)> {
        Self::start_held(command, None, (limit, Duration::MAX), haste)
    }

    /// The same for a child that the kernel may hold to where it belongs, and that waits for nobody but its own children: it is ended
    /// if it does nothing for as long as `patience` says. Only Linux tells.
    pub fn start_held(
        command: &mut Command,
        hold: Option<&Hold>,
        (limit, patience): (Duration, Duration),
        haste: Haste,
    ) -> io::Result<(Child, Self)> {
        listen_if_answered()?;
        // Ctrl-C is for agentd, which ends in order: a child that dies of it would look like one that failed.
        command.process_group(0);
        // Only the child is held, not the thread that watches it.
        let mut child = match hold {
            Some(hold) => held(hold, || command.spawn())?,
            None => command.spawn()?,
        };
        let (done, is_done) = channel();
        let group = Pid::from_child(&child);
        let now = Instant::now();
        let idle = Idle { pid: group, patience, since: now, ticks: 0, seen: now };
        let watch =
            thread::Builder::new().spawn(move || watch(group, limit, haste, idle, &is_done));
        if watch.is_err() {
            let _ = child.kill();
            let _ = child.wait();
        }
        Ok((child, Self { group, done, watch: watch? }))
    }

    /// Kills the child and its group at once. It has not been waited for, so that its number is its own.
    pub fn kill(&self) {
        // It may have ended by itself meanwhile.
        let _ = kill_process_group(self.group, Kill::KILL);
    }

    /// Waits for the child, and returns how it ended and whether it was made to.
    pub fn wait(self, child: &mut Child) -> io::Result<(ExitStatus, Option<Cut>)> {
        // As long as nobody has taken its status its number is its own, and nobody else is ended in its place.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        retry_on_intr(|| waitid(WaitId::Pid(self.group), options))?;
        drop(self.done);
        // It fails only if it panics.
        let cut = self.watch.join().unwrap_or(None);
        Ok((child.wait()?, cut))
    }
}

/// Runs a child that prints little, and returns that, how it ended and whether it was made to.
pub fn output(
    command: &mut Command,
    limit: Duration,
    haste: Haste,
) -> io::Result<(Output, Option<Cut>)> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, limit) = Limit::start(command, limit, haste)?;
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let read = match (child.stdout.take(), child.stderr.take()) {
        (Some(mut out), Some(mut err)) => {
            out.read_to_end(&mut stdout).and_then(|_| err.read_to_end(&mut stderr))
        }
        _ => Ok(0),
    };
    let (status, cut) = limit.wait(&mut child)?;
    // Of one that was ended nothing more is expected.
    if cut.is_none() {
        read?;
    }
    Ok((Output { status, stdout, stderr }, cut))
}

fn watch(
    group: Pid,
    limit: Duration,
    haste: Haste,
    mut idle: Idle,
    done: &Receiver<()>,
) -> Option<Cut> {
    let start = Instant::now();
    loop {
        let Err(RecvTimeoutError::Timeout) = done.recv_timeout(INTERVAL) else { return None };
        let (cut, grace) = match asked_to_end() {
            Some((signal, at)) if is_due(start, at, haste) => {
                (Cut::Interrupted(signal), GRACE_WHEN_INTERRUPTED)
            }
            _ if start.elapsed() >= limit => (Cut::TimedOut, GRACE),
            _ if idle.is_too_long() => (Cut::Stalled, GRACE),
            _ => continue,
        };
        // Whoever is gone already needs no signal.
        let _ = kill_process_group(group, Kill::TERM);
        let _ = done.recv_timeout(grace);
        // What the child has started may be deaf to the request that ended the child.
        let _ = kill_process_group(group, Kill::KILL);
        return Some(cut);
    }
}

/// How long a child has done nothing.
struct Idle {
    pid: Pid,
    /// How long it may.
    patience: Duration,
    since: Instant,
    /// How long it had computed when it was looked at.
    ticks: u64,
    seen: Instant,
}

impl Idle {
    fn is_too_long(&mut self) -> bool {
        if self.patience == Duration::MAX || self.seen.elapsed() < LOOK {
            return false;
        }
        self.seen = Instant::now();
        match processes::waits_at(self.pid) {
            Some(ticks) if ticks == self.ticks => self.since.elapsed() >= self.patience,
            found => {
                self.ticks = found.unwrap_or_default();
                self.since = self.seen;
                false
            }
        }
    }
}

/// Returns whether a child that started then must end by now, since agentd was asked to.
fn is_due(start: Instant, asked: Instant, haste: Haste) -> bool {
    match haste {
        Haste::Undivided => start.max(asked).elapsed() >= UNDIVIDED,
        Haste::Soon if start < asked => asked.elapsed() >= UNDER_WAY,
        Haste::Soon => start.elapsed() >= LATER,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::super::processes;
    use super::*;

    fn child(script: &str, limit: Duration) -> (Child, Limit) {
        Limit::start(Command::new("sh").args(["-c", script]), limit, Haste::Soon).unwrap()
    }

    /// Returns whether a process of the group has not ended. One that has ended can stay in the list for as long as its new parent
    /// does not ask for it.
    fn runs_in(group: Pid) -> bool {
        processes::all().iter().any(|process| {
            let membership = processes::membership(process.pid);
            membership.is_some_and(|of| of.group == group.as_raw_pid())
        })
    }

    #[test]
    fn a_child_that_ends_in_time_is_left_alone() {
        let (mut child, limit) = child("exit 3", Duration::from_mins(1));
        let (status, cut) = limit.wait(&mut child).unwrap();
        assert_eq!((status.code(), cut), (Some(3), None));
    }

    #[test]
    fn a_child_that_takes_too_long_is_ended_with_its_group_whatever_it_ignores() {
        for (script, signal) in [
            ("sleep 60", 15),
            ("trap '' TERM; sleep 60 & wait; wait", 9),
            ("(trap '' TERM; sleep 60) & sleep 0.1; exec sleep 60", 15),
        ] {
            let start = Instant::now();
            let (mut child, limit) = child(script, Duration::from_millis(200));
            let group = Pid::from_child(&child);
            let (status, cut) = limit.wait(&mut child).unwrap();
            assert_eq!((status.signal(), cut), (Some(signal), Some(Cut::TimedOut)), "{script}");
            assert!(start.elapsed() < Duration::from_secs(15), "{script}");
            while runs_in(group) {
                assert!(start.elapsed() < Duration::from_secs(30), "{script}: some are left");
                thread::sleep(Duration::from_millis(20));
            }
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_that_waits_for_what_does_not_come_is_ended_and_one_that_waits_for_its_own_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe").display().to_string();
        let ended = |script: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-c", script]);
            let times = (Duration::from_mins(1), Duration::from_secs(1));
            let started = Limit::start_held(&mut shell, None, times, Haste::Soon);
            let (mut child, limit) = started.unwrap();
            limit.wait(&mut child).unwrap()
        };
        let (status, cut) = ended(&format!("mkfifo {pipe}; exec cat {pipe}"));
        assert_eq!((status.signal(), cut), (Some(15), Some(Cut::Stalled)));
        let (status, cut) = ended("sleep 3; exit 3");
        assert_eq!((status.code(), cut), (Some(3), None));
    }

    #[test]
    fn what_is_under_way_ends_sooner_than_what_is_begun_later() {
        let now = Instant::now();
        let ago = |milliseconds| now.checked_sub(Duration::from_millis(milliseconds)).unwrap();
        let is_due = |start, asked, haste| super::is_due(ago(start), ago(asked), haste);
        assert!(is_due(9000, 400, Haste::Soon) && !is_due(9000, 100, Haste::Soon));
        assert!(is_due(3000, 5000, Haste::Soon) && !is_due(1000, 5000, Haste::Soon));
        assert!(
            is_due(11_000, 20_000, Haste::Undivided) && is_due(20_000, 11_000, Haste::Undivided)
        );
        assert!(!is_due(9000, 20_000, Haste::Undivided) && !is_due(20_000, 9000, Haste::Undivided));
    }
}
