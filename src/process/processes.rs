//! What the system tells of its processes: who is whose child, and in whose session. Only Linux tells.

use std::fmt::Display;

use rustix::process::Pid;

/// Among how many words of a command line the name of a guard or a pane stands.
const MOST_WORDS: usize = 5;

/// A process that has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: Pid,
    pub(super) parent: i32,
    pub(super) session: i32,
    /// When it began, in ticks since the system did: its number may come to be another's.
    pub(super) born: u64,
}

/// The numbers that a process shares with others. 0 stands for a leader that our namespace of numbers does not show, as where this
/// program was started into one from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Membership {
    pub(super) group: i32,
    pub(super) session: i32,
}

/// Returns the group and the session of a process, and of this one for `self`. `getpgid` and `getsid` of rustix take 0 for a bug.
pub(super) fn membership(pid: impl Display) -> Option<Membership> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ').skip(2);
    let mut number = || fields.next()?.parse().ok();
    Some(Membership { group: number()?, session: number()? })
}

/// Returns how long a process has computed, in ticks, if it waits for something that no child of its does.
pub(super) fn waits_at(pid: Pid) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let waits = fields.next()? == "S";
    let mut ticks = || fields.nth(10)?.parse::<u64>().ok();
    let user = ticks()?;
    let ticks = user + fields.next()?.parse::<u64>().ok()?;
    let is_parent = || all().iter().any(|process| process.parent == pid.as_raw_pid());
    (waits && !is_parent()).then_some(ticks)
}

/// Returns whether there is a process of this number that has not ended.
pub fn is_running(pid: i32) -> bool {
    all().iter().any(|process| process.pid.as_raw_pid() == pid)
}

/// Returns the name of a process, where the system tells.
pub(super) fn name(pid: i32) -> Option<String> {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim_end().to_owned())
}

/// Returns the guard of an agent, or the pane of one, beneath which this process runs. Whatever an agent starts stays beneath its
/// guard, which adopts orphans.
pub fn guard_above() -> Option<i32> {
    let all = all();
    // Its number as the system shows it, whatever namespace of numbers it was put in.
    let mut pid = std::fs::read_link("/proc/self").ok()?.to_str()?.parse().ok()?;
    // No chain of parents is longer.
    for _ in 0..all.len() {
        pid = all.iter().find(|process| process.pid.as_raw_pid() == pid)?.parent;
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let mut words = words.split(|byte| *byte == 0).take(MOST_WORDS);
        if words.any(|word| word == b"__guard" || word == b"__pane") {
            return Some(pid);
        }
    }
    None
}

/// Lists the children of this process that have not ended.
pub(super) fn living_children() -> Vec<i32> {
    living(&children()).into_iter().map(|it| it.pid.as_raw_pid()).collect()
}

/// Looks at those of some processes that have not ended.
pub(super) fn living(pids: &[Pid]) -> Vec<Process> {
    let stats =
        pids.iter().filter_map(|pid| std::fs::read_to_string(format!("/proc/{pid}/stat")).ok());
    stats.filter_map(|stat| parse(&stat)).collect()
}

/// Lists the children of this process, some of which may have ended meanwhile.
#[cfg(target_os = "linux")]
pub(super) fn children() -> Vec<Pid> {
    let Some(lists) = lists_of_children() else {
        let own = rustix::process::getpid().as_raw_pid();
        return all().iter().filter(|process| process.parent == own).map(|p| p.pid).collect();
    };
    let pids = lists.split_ascii_whitespace().filter_map(|pid| pid.parse().ok());
    pids.filter_map(Pid::from_raw).collect()
}

/// Reads the lists of children that kernels keep which were built to keep them.
#[cfg(target_os = "linux")]
fn lists_of_children() -> Option<String> {
    let mut lists = String::new();
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let path = thread.ok()?.path().join("children");
        lists.push_str(&std::fs::read_to_string(path).ok()?);
    }
    Some(lists)
}

/// Lists all processes that can be seen.
#[cfg(target_os = "linux")]
pub(super) fn all() -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let stats = entries
        .flatten()
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter_map(|stat| parse(&stat)).collect()
}

/// Reads `PID (NAME) STATE PARENT GROUP SESSION …`, where the name may hold anything; the birth is the 22nd field.
fn parse(stat: &str) -> Option<Process> {
    let (pid, rest) = stat.split_once(" (")?;
    let (_, rest) = rest.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let has_ended = ["Z", "X"].contains(&fields.next()?);
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    let born = fields.nth(15)?.parse().ok()?;
    let pid = Pid::from_raw(pid.parse().ok()?)?;
    (!has_ended).then_some(Process { pid, parent, session, born })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn children() -> Vec<Pid> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn all() -> Vec<Process> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name_is() {
        let rest = "7 40 39 0 -1 4194560 117 0 0 0 0 0 0 0 20 0 1 0 9876 5812224 260";
        let pid = Pid::from_raw(42).unwrap();
        let process = Process { pid, parent: 7, session: 39, born: 9876 };
        assert_eq!(parse(&format!("42 (a) Z 1 (b) S {rest}")), Some(process));
        assert_eq!(parse(&format!("42 (sh) Z {rest}")), None, "it has ended");
        assert_eq!(parse("42 (sh"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_is_found_in_either_list() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = Pid::from_child(&child);
        let own = rustix::process::getpid().as_raw_pid();
        let in_lists = children().contains(&pid);
        let in_all = all().iter().any(|process| process.pid == pid && process.parent == own);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(in_lists && in_all);
    }
}
