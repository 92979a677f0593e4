//! System calls that a confined program may not make, since Landlock knows nothing of them: to set the limits of other processes, to
//! use the keys that the kernel keeps for the user, and to make sockets that lead to other programs or machines.

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
    // Without a process it is the caller whose limits are meant; without new limits they are only read.
    let others = vec![argument(0, SeccompCmpOp::Ne, 0)?, argument(2, SeccompCmpOp::Ne, 0)?];
    let mut rules = vec![
        (libc::SYS_prlimit64, vec![SeccompRule::new(others)?]),
        (libc::SYS_add_key, Vec::new()),
        (libc::SYS_keyctl, Vec::new()),
        (libc::SYS_request_key, Vec::new()),
    ];
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
    SeccompCondition::new(0, SeccompCmpArgLen::Dword, operator, family.unsigned_abs().into())
}

fn argument(
    index: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(index, SeccompCmpArgLen::Qword, operator, value)
}
