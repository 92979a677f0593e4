//! What a run of agentd takes, as the system counts it: the time that it computed and its most memory, its own and its
//! guards'.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::project::ended;
use crate::ran::Ran;

/// What a process took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// The time that it computed, whatever else the machine did.
    pub(crate) computed: Duration,
    /// The most memory, in KiB.
    pub(crate) memory: u64,
}

/// What a run of agentd came to, and what it took.
pub(crate) struct Took {
    pub(crate) ran: Ran,
    pub(crate) own: Usage,
    /// The time of all guards that were looked at, and the memory of the one with the most.
    pub(crate) guards: Usage,
}

/// Runs a command to its end and looks at it alone.
pub(crate) fn took(command: &mut Command) -> Took {
    watched(command, |_, _| {})
}

/// Runs a command to its end and looks at its guards too, who read what agents print.
pub(crate) fn took_with_guards(command: &mut Command) -> Took {
    watched(command, look_at_guards)
}

fn watched(command: &mut Command, look: fn(u32, &mut BTreeMap<u32, Usage>)) -> Took {
    let child = command.spawn().expect("it starts");
    let (mut memory, mut guards) = (0, BTreeMap::new());
    let start = Instant::now();
    // Its output is read at the end, so it must fit into a pipe.
    while !is_over(&child) {
        memory = peak_memory(child.id()).unwrap_or(memory);
        look(child.id(), &mut guards);
        assert!(start.elapsed() < Duration::from_mins(10), "it does not end");
        std::thread::sleep(Duration::from_millis(1));
    }
    let own = Usage { computed: computed(child.id()).expect("it is there"), memory };
    let guards = Usage {
        computed: guards.values().map(|guard| guard.computed).sum(),
        memory: guards.values().map(|guard| guard.memory).max().unwrap_or_default(),
    };
    Took { ran: ended(child), own, guards }
}

/// Says whether a child has ended, and leaves it to be waited for: until then its times can be read.
fn is_over(child: &Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(Pid::from_child(child)), options).expect("a child").is_some()
}

/// Takes note of what the guards of a process have taken so far; what was last seen of one that has gone stays.
fn look_at_guards(pid: u32, seen: &mut BTreeMap<u32, Usage>) {
    for guard in children(pid).into_iter().filter(|child| is_guard(*child)) {
        if let (Some(computed), Some(memory)) = (computed(guard), peak_memory(guard)) {
            seen.insert(guard, Usage { computed, memory });
        }
    }
}

fn is_guard(pid: u32) -> bool {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    words.split(|byte| *byte == 0).any(|word| word == b"__guard")
}

/// Lists the children of a process, whichever of its threads started them.
fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let listed =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    listed
        .flat_map(|pids| pids.split_whitespace().flat_map(str::parse).collect::<Vec<_>>())
        .collect()
}

/// Gives the most memory that a process has had so far, in KiB; none once it is gone.
fn peak_memory(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Gives how long a process has computed that nobody has waited for yet.
fn computed(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after_name = stat.rsplit_once(") ")?.1;
    let ticks: u64 = after_name.split(' ').skip(11).take(2).flat_map(str::parse::<u64>).sum();
    // Linux tells everybody hundredths of a second.
    Some(Duration::from_millis(ticks * 10))
}
