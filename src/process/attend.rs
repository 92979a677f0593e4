//! An agent on a terminal of its own: it gets its whole environment from us, and all that it started is ended with it,
//! or when the terminal goes.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rustix::termios::ttyname;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, sleep_until};

use super::error::ProcessError;
use super::folder::{RunFolder, clear};
use super::guard::spawn;
use super::sweep::{Family, adopt_orphans};
use crate::models::run::PaneOrder;

/// How long an agent may take to end when its terminal is gone.
const GRACE: Duration = Duration::from_millis(500);

/// Runs an agent on the terminal of this process until it ends or we are told to, and leaves nobody behind. That means all
/// children of this process: it must do nothing else.
pub async fn attend(order: &PaneOrder) -> Result<(), ProcessError> {
    let fail = |error| ProcessError::io("cannot start", order.program.as_ref(), error);
    adopt_orphans().map_err(|error| fail(error.into()))?;
    let mut ended = signal(SignalKind::child()).map_err(fail)?;
    let mut hang_up = signal(SignalKind::hangup()).map_err(fail)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(fail)?;
    // Ctrl-C is for the agent, which is in the same group of processes.
    let _interrupts = signal(SignalKind::interrupt()).map_err(fail)?;
    let own = Path::new(&order.own);
    let mut grant = if order.is_confined { Some(RunFolder::at(own)?.grant()?) } else { None };
    if let (Some(grant), Ok(terminal)) = (&mut grant, ttyname(io::stdin(), Vec::new())) {
        // Programs open their terminal by its name too, and no other one.
        grant.write.push(OsStr::from_bytes(terminal.as_bytes()).into());
    }
    let mut command = Command::new(&order.program);
    command.args(&order.args).env_clear().current_dir(&order.workspace);
    command.envs(order.env.iter().map(|(name, value)| (name, value)));
    let agent = spawn(command, grant).map_err(fail)?;
    let mut family = Family::of(&agent.child, agent.domain);
    let mut deadline = None;
    loop {
        family.notice_ended();
        if family.agent_status().is_some() {
            break;
        }
        let until = deadline.unwrap_or_else(|| Instant::now() + Duration::from_secs(1));
        tokio::select! {
            _ = ended.recv() => {}
            _ = hang_up.recv() => deadline = deadline.or(Some(Instant::now() + GRACE)),
            _ = terminate.recv() => deadline = deadline.or(Some(Instant::now() + GRACE)),
            () = sleep_until(until) => if deadline.is_some() { break },
        }
    }
    family.sweep();
    clear(own)
}
