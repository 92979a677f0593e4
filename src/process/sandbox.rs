//! The sandbox: a program is started by a thread that the kernel has confined, so that it and all that it starts are confined
//! too, and this process is not.
//!
//! Landlock holds it to what a [`Grant`] says: files that may be written and read, no signals to processes outside, no abstract
//! sockets of others. As root, it also loses the capabilities with which a process gets round that.
//!
//! Programs that are trusted, git above all, can be held to folders in the same way.

use std::io;
use std::path::PathBuf;
use std::thread;

use super::domain::Domain;
use crate::models::sandbox::Grant;

/// How far the kernel can confine programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// In all that agentd asks for.
    Full,
    /// In files, but not in all else.
    Partial(Gap),
    /// Not at all.
    None,
}

/// What is not confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Signals and some sockets: the kernel is older than 6.12.
    Scopes,
    /// System calls.
    Calls,
    /// The rights of root that lead round the rest.
    Rights,
}

impl Support {
    /// Returns what holds, for people.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Full => "files, signals and sockets are confined (Landlock, seccomp)",
            Self::Partial(Gap::Scopes) => {
                "only files are confined: this kernel's Landlock is older than that of Linux 6.12"
            }
            Self::Partial(Gap::Calls) => {
                "only files and signals are confined: this kernel refuses no system calls (seccomp)"
            }
            Self::Partial(Gap::Rights) => {
                "files, signals and sockets are confined, but not rights of root that lead round that: agentd must not give them up"
            }
            Self::None => "not available: this kernel has no Landlock, or it is switched off",
        }
    }
}

/// Finds out how far the kernel can confine programs.
pub fn support() -> Support {
    let nothing = Grant {
        write: Vec::new(),
        read: Vec::new(),
        hidden: Vec::new(),
        temporary: PathBuf::new(),
        network: true,
        sockets: true,
        is_required: false,
    };
    on_a_thread(|| kernel::confine(&nothing)).unwrap_or(Support::None)
}

/// Starts a program, confined to a grant, and gives what kills it and all that it starts, where the kernel has that. Where the kernel
/// cannot confine it, it is started nevertheless, unless the grant forbids that.
pub(super) fn confined<T: Send + 'static>(
    grant: Grant,
    start: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<(T, Option<Domain>)> {
    let confine_and_start = move || {
        let support = kernel::confine(&grant)?;
        if grant.is_required && support != Support::Full {
            let reason = format!("the sandbox is required: {}", support.describe());
            return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        }
        start()
    };
    Domain::around(|| on_a_thread(confine_and_start))
}

/// What a program that is trusted is held to nevertheless, since it follows paths that somebody else may lead elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Hold {
    /// The folders below which it may write; none if it may write everywhere.
    pub write: Option<Vec<PathBuf>>,
    /// The folders that it may read, though they are hidden. Those that it may write are among them.
    pub read: Vec<PathBuf>,
    /// What it may not read.
    pub hidden: Vec<PathBuf>,
}

/// Starts a program that is held to where it belongs, as far as the kernel can do that.
pub(super) fn held<T: Send>(
    hold: &Hold,
    start: impl FnOnce() -> io::Result<T> + Send,
) -> io::Result<T> {
    on_a_thread(|| {
        kernel::hold(hold)?;
        start()
    })
}

/// Runs something on a thread of its own: what the kernel takes from that thread, this one keeps.
fn on_a_thread<T: Send>(run: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, run)?;
        thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread of a sandbox panicked")))
    })
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::io;
    use std::path::PathBuf;

    use landlock::{
        ABI, Access as _, AccessFs, BitFlags, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _,
        RulesetError, RulesetStatus, Scope, path_beneath_rules,
    };

    use super::super::capabilities::give_up;
    use super::super::hidden::shown;
    use super::super::seccomp::refuse_calls;
    use super::{Gap, Hold, Support};
    use crate::models::sandbox::Grant;

    /// The newest interface of the kernel that agentd asks for: it has scopes of signals and sockets.
    const NEWEST: ABI = ABI::V6;

    /// What programs write whatever they do.
    const DEVICES: [&str; 8] = [
        "/dev/full",
        "/dev/null",
        "/dev/ptmx",
        "/dev/random",
        "/dev/shm",
        "/dev/tty",
        "/dev/urandom",
        "/dev/zero",
    ];

    /// Confines this thread, and what it starts from now on.
    pub(super) fn confine(grant: &Grant) -> io::Result<Support> {
        let are_rights_given_up = give_up();
        let status = restrict(grant).map_err(io::Error::other)?;
        let refused = refuse_calls(grant);
        Ok(match status {
            RulesetStatus::NotEnforced => Support::None,
            RulesetStatus::PartiallyEnforced => Support::Partial(Gap::Scopes),
            RulesetStatus::FullyEnforced if refused.is_err() => Support::Partial(Gap::Calls),
            RulesetStatus::FullyEnforced if !are_rights_given_up => Support::Partial(Gap::Rights),
            RulesetStatus::FullyEnforced => Support::Full,
        })
    }

    fn restrict(grant: &Grant) -> Result<RulesetStatus, RulesetError> {
        let (all, read) = (AccessFs::from_all(NEWEST), AccessFs::from_read(NEWEST));
        // Most devices are none of a program's business: disks hold all files, and terminals what people type.
        let hidden = [&grant.hidden[..], &[PathBuf::from("/dev")]].concat();
        let ruleset = Ruleset::default().handle_access(all)?.scope(Scope::from_all(NEWEST))?;
        let status = ruleset
            .create()?
            // The names of files are no secret: a program that lists a folder on its way works on.
            .add_rules(path_beneath_rules(["/"], AccessFs::ReadDir))?
            .add_rules(path_beneath_rules(&grant.read, read))?
            .add_rules(path_beneath_rules(shown(&hidden), read))?
            .add_rules(path_beneath_rules(DEVICES, all))?
            .add_rules(path_beneath_rules(grant.write.iter().chain([&grant.temporary]), all))?
            .restrict_self()?;
        Ok(status.ruleset)
    }

    /// Holds this thread, and what it starts from now on.
    pub(super) fn hold(hold: &Hold) -> io::Result<()> {
        restrict_to(hold).map_err(io::Error::other)
    }

    fn restrict_to(hold: &Hold) -> Result<(), RulesetError> {
        let mut handled = BitFlags::EMPTY;
        if hold.write.is_some() {
            handled |= AccessFs::from_write(NEWEST);
        }
        let read = AccessFs::from_read(NEWEST);
        if !hold.hidden.is_empty() {
            handled |= read;
        }
        let write = hold.write.iter().flatten();
        let mut ruleset = Ruleset::default()
            .handle_access(handled)?
            .create()?
            .add_rules(path_beneath_rules(DEVICES, handled))?
            .add_rules(path_beneath_rules(write, handled))?;
        if !hold.hidden.is_empty() {
            ruleset = ruleset
                .add_rules(path_beneath_rules(["/"], AccessFs::ReadDir))?
                .add_rules(path_beneath_rules(shown(&hold.hidden), read))?
                .add_rules(path_beneath_rules(&hold.read, read))?;
        }
        ruleset.restrict_self().map(drop)
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    use std::io;

    use super::{Hold, Support};
    use crate::models::sandbox::Grant;

    /// Confines nothing.
    pub(super) fn confine(_: &Grant) -> io::Result<Support> {
        Ok(Support::None)
    }

    /// Holds nothing.
    pub(super) fn hold(_: &Hold) -> io::Result<()> {
        Ok(())
    }
}
