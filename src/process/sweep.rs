//! Ending processes until none is left: those that an agent leaves to its guard, and those of a guard that is lost.

use std::collections::BTreeSet;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group, wait,
};

use super::domain::Domain;
use super::processes;

/// How long processes are waited for that have been killed.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait before looking again.
pub(super) const PAUSE: Duration = Duration::from_millis(1);
/// How many are reaped in one go: those who fork without end must not keep a guard from all else that it has to do.
const MOST_AT_ONCE: u32 = 1000;
/// How many are reaped before all that live are killed again, which takes longer.
const MOST_BETWEEN_KILLS: u32 = 10_000;
/// Of how many children the groups are killed too, which must be asked for.
const MOST_GROUPS: usize = 100;

/// The agent and all that it has started: what is orphaned becomes a child of ours.
#[derive(Debug)]
pub(super) struct Family {
    agent: Pid,
    status: Option<WaitStatus>,
    domain: Option<Domain>,
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

/// Who is there after reaping.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    Nobody,
    Somebody,
    /// Some who have ended, perhaps, and who knows who else.
    More,
}

/// Makes orphans below this process children of ours, where the system can do that.
pub(super) fn adopt_orphans() -> Result<(), Errno> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

impl Family {
    pub(super) fn of(agent: &Child, domain: Option<Domain>) -> Self {
        Self { agent: Pid::from_child(agent), status: None, domain }
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

    /// Takes note of children that have ended.
    pub(super) fn notice_ended(&mut self) -> Left {
        self.reap(MOST_AT_ONCE).left
    }

    /// Kills everybody until nobody is left.
    pub(super) fn sweep(&mut self) -> Swept {
        let deadline = Instant::now() + PATIENCE;
        let mut swept = Swept::default();
        loop {
            let reaped = self.reap(MOST_BETWEEN_KILLS);
            swept.count += reaped.killed;
            if reaped.left == Left::Nobody {
                return swept;
            }
            if Instant::now() > deadline {
                swept.survivors = processes::living_children();
                return swept;
            }
            self.kill();
            if reaped.left == Left::Somebody {
                thread::sleep(PAUSE);
            }
        }
    }

    /// Kills all in the domain. Without one, kills all children, which brings us their orphans.
    fn kill(&self) {
        match &self.domain {
            Some(domain) => domain.kill(),
            None => kill_with_groups(&processes::children()),
        }
    }

    fn reap(&mut self, most: u32) -> Reaped {
        let mut killed = 0;
        for _ in 0..most {
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
        Reaped { killed, left: Left::More }
    }
}

/// Kills children, and the groups of the youngest, whom they may have left behind. The children first: in the time that it takes to
/// ask for a group, one that forks all the time is another one. The youngest first: the oldest may have ended long ago.
pub(super) fn kill_with_groups(children: &[Pid]) {
    // A failure shows in the next round, when the child is still there.
    for child in children.iter().rev() {
        let _ = kill_process(*child, Signal::KILL);
    }
    let own = processes::membership("self").map(|own| own.group);
    for child in children.iter().rev().take(MOST_GROUPS) {
        // Nobody has reaped it, so that the group is still its own.
        if let Some(group) = processes::membership(child).map(|it| it.group)
            && own.is_some_and(|own| own != group)
            && let Some(group) = Pid::from_raw(group)
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Kills all processes of a session, and all that descend from them, waits until they are gone, and returns who is not.
pub fn end_session(leader: i32) -> Vec<i32> {
    let deadline = Instant::now() + PATIENCE;
    // Those outside of the session are known as descendants only as long as their parents live.
    let mut doomed = BTreeSet::new();
    loop {
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
        if doomed.is_empty() || Instant::now() > deadline {
            return doomed.into_iter().map(|(pid, _)| pid).collect();
        }
        for pid in doomed.iter().filter_map(|(pid, _)| Pid::from_raw(*pid)) {
            let _ = kill_process(pid, Signal::KILL);
        }
        thread::sleep(PAUSE);
    }
}
