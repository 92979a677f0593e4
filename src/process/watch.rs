//! Watching an agent to its end: its output, its time, its exit and agentd, in one thread and one `poll`, so that
//! no part of it can wait for another.

use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitStatus};

use super::error::ProcessError;
use super::guard::Started;
use super::run::Limits;
use super::spool::Spool;
use super::sweep::{Family, Left};
use crate::models::run::{End, EndRecord};

/// How long an agent may take to end when agentd has cancelled or is gone.
const GRACE_WHEN_CANCELLED: Duration = Duration::from_millis(500);
/// How long output is waited for after the agent's end: what it was piped through may be about to pass it on.
const LINGER: Duration = Duration::from_millis(200);
/// How often orphans that have ended are reaped while the agent runs.
const TICK: Duration = Duration::from_secs(1);
/// How often to look for the agent's end where it cannot be polled for.
const SHORT_TICK: Duration = Duration::from_millis(20);

/// An agent that runs, and all that matters for how it ends.
pub(super) struct Watch<'a> {
    limits: Limits,
    control: BorrowedFd<'a>,
    family: Family,
    /// Becomes readable when the agent ends.
    agent: Option<OwnedFd>,
    outputs: [Spool; 2],
    buffer: Vec<u8>,
    started: Instant,
    /// When it last printed something.
    heard: Instant,
    /// When agentd has cancelled or was found gone.
    cancelled: Option<Instant>,
    ending: Option<Ending>,
    /// Whether more have ended than were reaped in one go.
    are_more_ended: bool,
}

/// The agent has been asked to end.
struct Ending {
    reason: End,
    since: Instant,
}

impl<'a> Watch<'a> {
    /// Begins to watch an agent that has just been started.
    pub(super) fn over(
        agent: Started,
        mut outputs: [Spool; 2],
        limits: Limits,
        control: BorrowedFd<'a>,
    ) -> Self {
        let now = Instant::now();
        let Started { mut child, domain } = agent;
        let [stdout, stderr] = &mut outputs;
        if let Some(source) = child.stdout.take() {
            stdout.connect(source.into());
        }
        if let Some(source) = child.stderr.take() {
            stderr.connect(source.into());
        }
        Self {
            limits,
            control,
            agent: pollable(Pid::from_child(&child)),
            family: Family::of(&child, domain),
            outputs,
            buffer: vec![0; 64 << 10],
            started: now,
            heard: now,
            cancelled: None,
            ending: None,
            are_more_ended: false,
        }
    }

    /// Watches until the agent has ended and nobody is left.
    pub(super) fn until_the_end(mut self) -> Result<EndRecord, ProcessError> {
        while !self.is_over() {
            self.wait(self.time_to_wait());
            if self.pump() > 0 {
                self.heard = Instant::now();
            }
            self.are_more_ended = self.family.notice_ended() == Left::More;
            self.end_if_due();
        }
        let duration = self.started.elapsed();
        self.family.signal(Signal::KILL);
        self.linger();
        let swept = self.family.sweep();
        let end = self.end();
        let [stdout, stderr] = self.outputs;
        Ok(EndRecord {
            version: EndRecord::VERSION,
            end,
            milliseconds: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
            stdout_bytes: stdout.finish()?,
            stderr_bytes: stderr.finish()?,
            swept: swept.count,
            survivors: swept.survivors,
        })
    }

    /// Returns whether the agent has ended, or has had its time to do so.
    fn is_over(&self) -> bool {
        self.family.agent_status().is_some()
            || self.kill_at().is_some_and(|time| time <= Instant::now())
    }

    fn kill_at(&self) -> Option<Instant> {
        let ending = self.ending.as_ref()?;
        let in_order = ending.since + self.limits.grace;
        let in_haste = self.cancelled.map(|time| time + GRACE_WHEN_CANCELLED);
        Some(in_haste.map_or(in_order, |time| time.min(in_order)))
    }

    fn time_to_wait(&self) -> Duration {
        if self.are_more_ended {
            return Duration::ZERO;
        }
        let next = self.kill_at().unwrap_or_else(|| {
            let idle = self.limits.idle_timeout.map(|timeout| self.heard + timeout);
            let late = self.started + self.limits.timeout;
            idle.map_or(late, |time| time.min(late))
        });
        let tick = if self.agent.is_some() { TICK } else { SHORT_TICK };
        next.saturating_duration_since(Instant::now()).min(tick)
    }

    /// Waits until there is output, the agent ends, agentd is gone or the time is over.
    fn wait(&mut self, time: Duration) {
        let outputs = self.outputs.iter().filter_map(Spool::source);
        let others = self.agent.as_ref().map(|agent| agent.as_fd());
        let mut awaited: Vec<_> = outputs.chain(others).map(readable).collect();
        let control_at = awaited.len();
        if self.cancelled.is_none() {
            awaited.push(readable(self.control));
        }
        wait_for(&mut awaited, time);
        let is_touched = awaited.get(control_at).is_some_and(|fd| !fd.revents().is_empty());
        // Nothing is ever sent; what comes all the same is passed over.
        if is_touched && !matches!(rustix::io::read(self.control, &mut [0; 64]), Ok(1..)) {
            self.cancelled = Some(Instant::now());
        }
    }

    /// Reads each stream once; gives how much there was.
    fn pump(&mut self) -> usize {
        self.outputs.iter_mut().map(|output| output.pump(&mut self.buffer)).sum()
    }

    fn end_if_due(&mut self) {
        if self.ending.is_none()
            && self.family.agent_status().is_none()
            && let Some(reason) = self.due()
        {
            self.family.signal(Signal::TERM);
            self.ending = Some(Ending { reason, since: Instant::now() });
        }
    }

    /// Returns the reason to end the agent, if there is one.
    fn due(&self) -> Option<End> {
        let is_silent = |limit: Duration| self.heard.elapsed() >= limit;
        if self.cancelled.is_some() {
            Some(End::Cancelled)
        } else if self.outputs.iter().any(Spool::has_stopped) {
            Some(End::TooMuchOutput)
        } else if self.started.elapsed() >= self.limits.timeout {
            Some(End::TimedOut)
        } else if self.limits.idle_timeout.is_some_and(is_silent) {
            Some(End::Idle)
        } else {
            None
        }
    }

    /// Takes what is still in the pipes. They stay open as long as a descendant holds them, so it is brief.
    fn linger(&mut self) {
        let deadline = Instant::now() + LINGER;
        loop {
            let time = deadline.saturating_duration_since(Instant::now());
            let mut awaited: Vec<_> =
                self.outputs.iter().filter_map(Spool::source).map(readable).collect();
            if awaited.is_empty() || time.is_zero() {
                return;
            }
            wait_for(&mut awaited, time);
            self.pump();
        }
    }

    /// Returns how the run ended: for the reason that we ended it for, else as the agent did by itself.
    fn end(&mut self) -> End {
        if let Some(ending) = self.ending.take() {
            return ending.reason;
        }
        // The last words may have been too many.
        if self.outputs.iter().any(Spool::has_stopped) {
            return End::TooMuchOutput;
        }
        let status = self.family.agent_status();
        match status.and_then(WaitStatus::terminating_signal) {
            Some(signal) => End::Killed { signal },
            None => End::Exited { code: status.and_then(WaitStatus::exit_status).unwrap_or(-1) },
        }
    }
}

fn readable(fd: BorrowedFd<'_>) -> PollFd<'_> {
    PollFd::from_borrowed_fd(fd, PollFlags::IN)
}

/// Waits for any of these; an interruption only makes us look sooner.
fn wait_for(awaited: &mut [PollFd<'_>], time: Duration) {
    let timespec = Timespec::try_from(time).ok();
    if let Err(error) = poll(awaited, timespec.as_ref())
        && error != Errno::INTR
    {
        // It cannot fail in another way but for want of memory, and must not become a busy loop then.
        std::thread::sleep(SHORT_TICK);
    }
}

/// Returns something that can be polled for the end of a process.
#[cfg(target_os = "linux")]
fn pollable(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn pollable(_: Pid) -> Option<OwnedFd> {
    None
}
