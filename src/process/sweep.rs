//! Ending processes until none is left: those that an agent leaves to its guard, and those of a guard that is lost.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group, wait,
};

use super::processes;

/// How long processes are waited for that have been killed.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait before looking again.
pub(super) const PAUSE: Duration = Duration::from_millis(1);

/// The agent and all that it has started: what is orphaned becomes a child of ours.
#[derive(Debug)]
pub(super) struct Family {
    agent: Pid,
    status: Option<WaitStatus>,
}

/// What a sweep has done.
#[derive(Debug, Default)]
pub(super) struct Swept {
    /// How many processes it has ended.
    pub(super) count: u32,
    /// Which it could not end.
    pub(super) survivors: Vec<i32>,
}

/// What was reaped in one go.
struct Reaped {
    /// How many were killed, the agent not among them.
    killed: u32,
    left: Left,
}

#[derive(PartialEq, Eq)]
enum Left {
    Nobody,
    Somebody,
}

/// Makes orphans below this process children of ours, where the system can do that.
pub(super) fn adopt_orphans() -> Result<(), Errno> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

impl Family {
    pub(super) const fn of(agent: Pid) -> Self {
        Self { agent, status: None }
    }

    /// Returns how the agent has ended, once that is known.
    pub(super) const fn agent_status(&self) -> Option<WaitStatus> {
        self.status
    }

    /// Sends a signal to the agent and its process group, unless the agent has ended.
    pub(super) fn signal(&self, signal: Signal) {
        // Only while the agent is not reaped is its number sure to be its own.
        if self.status.is_none() {
            // There is nothing to be said of a process that cannot be signalled: the sweep lists who survives.
            let _ = kill_process_group(self.agent, signal);
        }
    }

    /// Takes note of all children that have ended.
    pub(super) fn notice_ended(&mut self) {
        self.reap();
    }

    /// Kills all children, which brings us their orphans, until none is left.
    pub(super) fn sweep(&mut self) -> Swept {
        let deadline = Instant::now() + PATIENCE;
        let mut swept = Swept::default();
        loop {
            let reaped = self.reap();
            swept.count += reaped.killed;
            if reaped.left == Left::Nobody {
                return swept;
            }
            let children = processes::children();
            if Instant::now() > deadline {
                swept.survivors = children.iter().map(|pid| pid.as_raw_pid()).collect();
                return swept;
            }
            children.into_iter().for_each(kill_with_group);
            thread::sleep(PAUSE);
        }
    }

    fn reap(&mut self) -> Reaped {
        let mut killed = 0;
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.agent && self.status.is_none() => {
                    self.status = Some(status);
                }
                Ok(Some((_, status))) => {
                    let by_kill = status.terminating_signal() == Some(Signal::KILL.as_raw());
                    killed += u32::from(by_kill);
                }
                Ok(None) => return Reaped { killed, left: Left::Somebody },
                Err(Errno::INTR) => {}
                // There are no children any more.
                Err(_) => return Reaped { killed, left: Left::Nobody },
            }
        }
    }
}

/// Kills a child, and its group at the same instant, which a process that forks all the time cannot outrun.
pub(super) fn kill_with_group(child: Pid) {
    // A failure shows in the next round, when the child is still there.
    let own = processes::membership("self").map(|own| own.group);
    if let Some(group) = processes::membership(child).map(|it| it.group)
        && own.is_some_and(|own| own != group)
        && let Some(group) = Pid::from_raw(group)
    {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = kill_process(child, Signal::KILL);
}

/// Kills all processes of a session, and all that descend from them, and waits until they are gone.
pub fn end_session(leader: i32) {
    let deadline = Instant::now() + PATIENCE;
    // Those outside of the session are known as descendants only as long as their parents live.
    let mut doomed = BTreeSet::new();
    while Instant::now() < deadline {
        let all = processes::all();
        doomed.retain(|one| {
            all.iter().any(|process| (process.pid.as_raw_pid(), process.born) == *one)
        });
        let mut before = usize::MAX;
        while doomed.len() != before {
            before = doomed.len();
            let is_doomed = |pid: i32| doomed.iter().any(|(one, _)| *one == pid);
            let more = all.iter().filter(|it| it.session == leader || is_doomed(it.parent));
            let more: Vec<_> = more.map(|it| (it.pid.as_raw_pid(), it.born)).collect();
            doomed.extend(more);
        }
        if doomed.is_empty() {
            return;
        }
        for pid in doomed.iter().filter_map(|(pid, _)| Pid::from_raw(*pid)) {
            let _ = kill_process(pid, Signal::KILL);
        }
        thread::sleep(PAUSE);
    }
}
