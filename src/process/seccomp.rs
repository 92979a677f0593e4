//! System calls that a confined program may not make, since Landlock knows nothing of them: to set the limits and priorities of other
//! processes, to use keys and message queues that the kernel keeps for the user, to set flags of files that it may only read, and to
//! make sockets that lead to other programs or machines.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

use crate::models::sandbox::Grant;

/// Whose numbers of calls these are. Where it is none of them, the filter cannot be made.
const ARCHITECTURE: TargetArch = if cfg!(target_arch = "aarch64") {
    TargetArch::aarch64
} else if cfg!(target_arch = "riscv64") {
    TargetArch::riscv64
} else {
    TargetArch::x86_64
};
/// Where the kind of a socket stands beside its flags.
const KINDS: u64 = 0xf;
/// Asks of a priority: is it that of all processes of a user?
const OF_A_USER: u64 = libc::PRIO_USER as u64;
/// The same for the order in which disks are used.
const DISKS_OF_A_USER: u64 = 3;
/// What sets flags and versions of an open file: `FS_IOC_SETFLAGS`, `FS_IOC_FSSETXATTR` and `FS_IOC_SETVERSION`, with what ext4 and
/// programs of 32 bits call them.
const SETTERS: [u64; 7] =
    [0x4008_6602, 0x4004_6602, 0x401c_5820, 0x4008_7602, 0x4004_7602, 0x4008_6604, 0x4004_6604];
/// The call `file_setattr`, which sets them by the file's path. It has the same number everywhere.
const SET_BY_PATH: i64 = 469;
/// What is set in the number of a call by the third set of numbers that x86-64 has.
const X32: i64 = 0x4000_0000;

/// Refuses the calls to this thread, and to what it starts from now on. They fail as if the program lacked the right.
///
/// A program for another architecture than agentd's own is ended: its calls have other numbers.
pub(super) fn refuse_calls(grant: &Grant) -> io::Result<()> {
    let filter = filter(grant).map_err(io::Error::other)?;
    apply_filter(&filter).map_err(io::Error::other)
}

fn filter(grant: &Grant) -> Result<BpfProgram, BackendError> {
    let mut rules = vec![
        (libc::SYS_add_key, Vec::new()),
        (libc::SYS_keyctl, Vec::new()),
        (libc::SYS_request_key, Vec::new()),
        (libc::SYS_mq_open, Vec::new()),
        (libc::SYS_mq_unlink, Vec::new()),
        (libc::SYS_ioctl, refused_setters()?),
        (SET_BY_PATH, Vec::new()),
    ];
    rules.extend(refused_for_others()?);
    if let Some(sockets) = refused_sockets(grant)? {
        rules.push((libc::SYS_socket, vec![sockets]));
        rules.push((libc::SYS_socketpair, refused_pairs()?));
        // With this, sockets are made without that call.
        rules.push((libc::SYS_io_uring_setup, Vec::new()));
    }
    let mut refused = BTreeMap::new();
    for (call, rules) in rules {
        if cfg!(target_arch = "x86_64") {
            refused.insert(call | X32, rules.clone());
        }
        refused.insert(call, rules);
    }
    let refusal = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    SeccompFilter::new(refused, SeccompAction::Allow, refusal, ARCHITECTURE)?.try_into()
}

/// Returns the calls that set something of a process, as far as another than the caller is meant. Without a number it is the caller.
fn refused_for_others() -> Result<Vec<(i64, Vec<SeccompRule>)>, BackendError> {
    let other = |index| word(index, SeccompCmpOp::Ne, 0);
    let all_of = |kind| word(0, SeccompCmpOp::Eq, kind);
    // Without new limits they are only read.
    let limits = vec![other(0)?, argument(2, SeccompCmpOp::Ne, 0)?];
    let calls = [
        (libc::SYS_prlimit64, vec![limits]),
        (libc::SYS_sched_setscheduler, vec![vec![other(0)?]]),
        (libc::SYS_sched_setparam, vec![vec![other(0)?]]),
        (libc::SYS_sched_setattr, vec![vec![other(0)?]]),
        (libc::SYS_setpriority, vec![vec![other(1)?], vec![all_of(OF_A_USER)?]]),
        (libc::SYS_ioprio_set, vec![vec![other(1)?], vec![all_of(DISKS_OF_A_USER)?]]),
    ];
    let rules = calls.into_iter().map(|(call, conditions)| {
        let rules: Result<Vec<_>, _> = conditions.into_iter().map(SeccompRule::new).collect();
        Ok((call, rules?))
    });
    rules.collect()
}

/// Returns which requests may not be made of an open file.
fn refused_setters() -> Result<Vec<SeccompRule>, BackendError> {
    let is = |setter: u64| SeccompRule::new(vec![word(1, SeccompCmpOp::Eq, setter)?]);
    SETTERS.into_iter().map(is).collect()
}

/// Returns which pairs of sockets may not be made: those for single messages, which can be sent to any socket with a path from one
/// of the pair. Pairs of other kinds lead nowhere.
fn refused_pairs() -> Result<Vec<SeccompRule>, BackendError> {
    let is = |kind: i32| {
        let kind = kind.unsigned_abs().into();
        let kind_is = SeccompCmpOp::MaskedEq(KINDS);
        SeccompRule::new(vec![SeccompCondition::new(1, SeccompCmpArgLen::Dword, kind_is, kind)?])
    };
    // The kernel makes the latter into the former.
    [libc::SOCK_DGRAM, libc::SOCK_RAW].into_iter().map(is).collect()
}

/// Returns which sockets may not be made.
fn refused_sockets(grant: &Grant) -> Result<Option<SeccompRule>, BackendError> {
    let is = |family: i32| family_is(SeccompCmpOp::Eq, family);
    let is_not = |family: i32| family_is(SeccompCmpOp::Ne, family);
    let conditions = match (grant.network, grant.sockets) {
        (true, true) => return Ok(None),
        (true, false) => vec![is(libc::AF_UNIX)?],
        // What is left asks the kernel about itself.
        (false, true) => vec![is_not(libc::AF_UNIX)?, is_not(libc::AF_NETLINK)?],
        (false, false) => vec![is_not(libc::AF_NETLINK)?],
    };
    SeccompRule::new(conditions).map(Some)
}

fn family_is(operator: SeccompCmpOp, family: i32) -> Result<SeccompCondition, BackendError> {
    word(0, operator, family.unsigned_abs().into())
}

/// Compares what the kernel reads of an argument that is an `int`.
fn word(index: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value)
}

fn argument(
    index: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(index, SeccompCmpArgLen::Qword, operator, value)
}
