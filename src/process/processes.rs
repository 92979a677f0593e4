//! What the system tells of its processes: who is whose child, and in whose session. Only Linux tells.

use rustix::process::Pid;

/// A process that has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: Pid,
    pub(super) parent: i32,
    pub(super) session: i32,
    /// When it began, in ticks since the system did: its number may come to be another's.
    pub(super) born: u64,
}

/// Says whether there is a process of this number that has not ended.
pub fn is_running(pid: i32) -> bool {
    all().iter().any(|process| process.pid.as_raw_pid() == pid)
}

/// Gives the name of a process, where the system tells.
pub(super) fn name(pid: i32) -> Option<String> {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim_end().to_owned())
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
