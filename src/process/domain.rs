//! A domain of the kernel's (Landlock) round an agent and all that it starts: however fast they fork, and whatever sessions they
//! make, one call kills all of them at the same instant, and nobody else.
//!
//! Whoever is in a domain that is closed for signals can send them to its processes alone. A thread of ours is in it, and sends one to
//! everybody.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// The thread of ours that is in a domain.
#[derive(Debug)]
pub(super) struct Domain {
    orders: Sender<Sender<()>>,
}

impl Domain {
    /// Starts something in a domain of its own. There is none where the kernel cannot close it.
    pub(super) fn around<T: Send + 'static>(
        start: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> io::Result<(T, Option<Self>)> {
        let (orders, coming) = channel::<Sender<()>>();
        let (started, is_started) = channel();
        let within = move || {
            let is_closed = kernel::enter();
            // Whoever has gone meanwhile gives no orders either.
            let _ = started.send(start().map(|started| (started, is_closed)));
            for done in coming {
                if is_closed {
                    kernel::kill_all();
                }
                let _ = done.send(());
            }
        };
        thread::Builder::new().name("domain".to_owned()).spawn(within)?;
        let panicked = |_| Err(io::Error::other("the thread of a domain panicked"));
        let (started, is_closed) = is_started.recv().unwrap_or_else(panicked)?;
        Ok((started, is_closed.then_some(Self { orders })))
    }

    /// Kills all processes of the domain.
    pub(super) fn kill(&self) {
        let (done, is_done) = channel();
        // It fails only if the thread has panicked; who lives then is a survivor.
        if self.orders.send(done).is_ok() {
            let _ = is_done.recv();
        }
    }
}

#[cfg(target_os = "linux")]
mod kernel {
    use landlock::{
        AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _,
        RulesetError, RulesetStatus, Scope, path_beneath_rules,
    };
    use rustix::io::Errno;
    use rustix::process::{Pid, Signal, getppid, kill_process_group, test_kill_process};

    /// Puts this thread into a domain, and says whether that is closed. Our parent is the proof: it could be signalled before.
    pub(super) fn enter() -> bool {
        let Some(outside) = getppid() else { return false };
        test_kill_process(outside).is_ok()
            && restrict().is_ok_and(|status| status == RulesetStatus::FullyEnforced)
            && test_kill_process(outside) == Err(Errno::PERM)
    }

    fn restrict() -> Result<RulesetStatus, RulesetError> {
        let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        // A domain that says nothing of them forbids links and renames from one folder to another.
        let ruleset = ruleset.handle_access(AccessFs::Refer)?.scope(Scope::Signal)?.create()?;
        let ruleset = ruleset.add_rules(path_beneath_rules(["/"], AccessFs::Refer))?;
        Ok(ruleset.restrict_self()?.ruleset)
    }

    /// Kills whom this thread can signal. The list of processes is locked meanwhile: whoever is about to fork dies before.
    pub(super) fn kill_all() {
        // There may be nobody. This number stands for everybody but ourselves.
        let _ = kill_process_group(Pid::INIT, Signal::KILL);
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    pub(super) const fn enter() -> bool {
        false
    }

    pub(super) const fn kill_all() {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Command, Stdio};

    use super::super::sandbox::{Support, support};
    use super::*;

    #[test]
    fn all_in_a_domain_are_killed_at_once_and_nobody_else() {
        if support() != Support::Full {
            return;
        }
        let mut outside = Command::new("sleep").arg("60").spawn().unwrap();
        let start = || {
            let mut shell = Command::new("sh");
            shell.args(["-c", "setsid sleep 60 & setsid sleep 60 & echo up; wait"]);
            shell.stdout(Stdio::piped()).spawn()
        };
        let (mut shell, domain) = Domain::around(start).unwrap();
        let mut output = shell.stdout.take().unwrap();
        io::Read::read_exact(&mut output, &mut [0; 3]).unwrap();
        domain.unwrap().kill();
        assert_eq!(shell.wait().unwrap().signal(), Some(9));
        // Its children hold it too.
        assert_eq!(io::Read::read(&mut output, &mut [0; 3]).unwrap(), 0);
        assert!(outside.try_wait().unwrap().is_none(), "nobody else is killed");
        outside.kill().and_then(|()| outside.wait()).unwrap();
    }
}
