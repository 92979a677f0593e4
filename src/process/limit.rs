//! Children that agentd waits for and does nothing meanwhile: git and tmux. None of them takes for ever, and none keeps agentd
//! from ending when it is asked to.

use std::io;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal as Kill, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::processes;
use super::signals::{Signal, asked_to_end};

/// How often to look whether agentd was asked to end.
const INTERVAL: Duration = Duration::from_millis(50);
/// How often to look whether a child does anything.
const LOOK: Duration = Duration::from_millis(500);
/// How much longer a child may run that agentd was waiting for when it was asked to end: most are done by then.
const UNDER_WAY: Duration = Duration::from_millis(300);
/// How long one may run that was started later, so that agentd ends in order.
const LATER: Duration = Duration::from_secs(2);
/// How long a child may take to end once it is asked to. Git removes its locks then.
const GRACE: Duration = Duration::from_secs(2);

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
    done: Sender<()>,
    watch: JoinHandle<Option<Cut>>,
}

impl Limit {
    /// Begins to watch a child. Where the system has no thread left for that, the child is ended.
    pub fn on(child: &mut Child, limit: Duration) -> io::Result<Self> {
        Self::with_patience(child, limit, Duration::MAX)
    }

    /// The same for a child that waits for nobody but its own children: it is ended if it does nothing for so long. Only Linux
    /// tells.
    pub fn with_patience(
        child: &mut Child,
        limit: Duration,
        patience: Duration,
    ) -> io::Result<Self> {
        let (done, is_done) = channel();
        let pid = Pid::from_child(child);
        let idle = Idle { pid, patience, since: Instant::now(), ticks: 0, seen: Instant::now() };
        let watch = thread::Builder::new().spawn(move || watch(pid, limit, idle, &is_done));
        if watch.is_err() {
            let _ = child.kill();
            let _ = child.wait();
        }
        Ok(Self { done, watch: watch? })
    }

    /// Waits for the child, and returns how it ended and whether it was made to.
    pub fn wait(self, child: &mut Child) -> io::Result<(ExitStatus, Option<Cut>)> {
        let pid = Pid::from_child(child);
        // As long as nobody has taken its status its number is its own, and nobody else is ended in its place.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        retry_on_intr(|| waitid(WaitId::Pid(pid), options))?;
        drop(self.done);
        // It fails only if it panics.
        let cut = self.watch.join().unwrap_or(None);
        Ok((child.wait()?, cut))
    }
}

fn watch(pid: Pid, limit: Duration, mut idle: Idle, done: &Receiver<()>) -> Option<Cut> {
    let start = Instant::now();
    loop {
        let Err(RecvTimeoutError::Timeout) = done.recv_timeout(INTERVAL) else { return None };
        let cut = match asked_to_end() {
            Some((signal, at)) if is_due(start, at) => Cut::Interrupted(signal),
            _ if start.elapsed() >= limit => Cut::TimedOut,
            _ if idle.is_too_long() => Cut::Stalled,
            _ => continue,
        };
        // Whoever is gone already needs no signal.
        let _ = kill_process_group(pid, Kill::TERM);
        if done.recv_timeout(GRACE) == Err(RecvTimeoutError::Timeout) {
            let _ = kill_process_group(pid, Kill::KILL);
        }
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
fn is_due(start: Instant, asked: Instant) -> bool {
    if start < asked { asked.elapsed() >= UNDER_WAY } else { start.elapsed() >= LATER }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
    use std::process::Command;

    use super::super::processes;
    use super::*;

    fn child(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).process_group(0).spawn().unwrap()
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
        let mut child = child("exit 3");
        let (status, cut) =
            Limit::on(&mut child, Duration::from_mins(1)).unwrap().wait(&mut child).unwrap();
        assert_eq!((status.code(), cut), (Some(3), None));
    }

    #[test]
    fn a_child_that_takes_too_long_is_ended_with_its_group_whatever_it_ignores() {
        for (script, signal) in [("sleep 60", 15), ("trap '' TERM; sleep 60 & wait; wait", 9)] {
            let start = Instant::now();
            let mut child = child(script);
            let group = Pid::from_child(&child);
            let limit = Limit::on(&mut child, Duration::from_millis(200)).unwrap();
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
            let mut child = child(script);
            let limit =
                Limit::with_patience(&mut child, Duration::from_mins(1), Duration::from_secs(1));
            limit.unwrap().wait(&mut child).unwrap()
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
        assert!(is_due(ago(9000), ago(400)) && !is_due(ago(9000), ago(100)));
        assert!(is_due(ago(3000), ago(5000)) && !is_due(ago(1000), ago(5000)));
    }
}
