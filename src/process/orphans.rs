//! Orphans of guards that are gone. agentd adopts what such a guard leaves, and ends it: children that it did not start itself.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use rustix::process::{Pid, WaitOptions, waitpid};

use super::processes::{self, Process};
use super::sweep::{PATIENCE, PAUSE, adopt_orphans, kill_with_groups};

/// The processes in sessions of their own that agentd started, and when each was born: its number may come to be another's.
static OURS: Mutex<BTreeSet<(i32, u64)>> = Mutex::new(BTreeSet::new());

/// Starts a process that leads a session of its own, a guard or a server of tmux: it is no orphan for as long as it runs, also when
/// the caller has forgotten it. From now on agentd adopts orphans.
pub fn start_leader<T, E>(
    start: impl FnOnce() -> Result<T, E>,
    pid: impl FnOnce(&T) -> Option<i32>,
) -> Result<T, E> {
    // Held meanwhile: nobody may take for an orphan what is not listed yet.
    let mut ours = ours();
    // Where the system cannot do that, what leaves its session escapes a guard that is lost.
    let _ = adopt_orphans();
    let started = start()?;
    let pid = pid(&started);
    let all = processes::all();
    ours.retain(|one| all.iter().any(|process| key(process) == *one));
    ours.extend(all.iter().filter(|it| pid == Some(it.pid.as_raw_pid())).map(key));
    Ok(started)
}

/// Ends all children that agentd adopted: those in sessions of their own that it did not start. Whatever else it starts is in its
/// own session. Returns who could not be ended.
pub(super) fn end_orphans() -> Vec<i32> {
    let deadline = Instant::now() + PATIENCE;
    // What cannot be told apart from what we started ourselves is left alone.
    let Some(own) = processes::membership("self") else { return Vec::new() };
    loop {
        let ours = ours();
        let is_orphan = |it: &Process| it.session != own.session && !ours.contains(&key(it));
        let children = processes::living(&processes::children());
        let orphans: Vec<_> = children.iter().filter(|it| is_orphan(it)).map(|it| it.pid).collect();
        if orphans.is_empty() || Instant::now() > deadline {
            return orphans.into_iter().map(Pid::as_raw_pid).collect();
        }
        kill_with_groups(&orphans);
        for orphan in orphans {
            let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
        }
        drop(ours);
        thread::sleep(PAUSE);
    }
}

fn key(process: &Process) -> (i32, u64) {
    (process.pid.as_raw_pid(), process.born)
}

fn ours() -> MutexGuard<'static, BTreeSet<(i32, u64)>> {
    OURS.lock().unwrap_or_else(PoisonError::into_inner)
}
