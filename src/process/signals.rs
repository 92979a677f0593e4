//! The signals that ask agentd to end: they cancel what runs, and the first is remembered for the exit code.

use std::io;
use std::sync::{Arc, OnceLock};

use tokio::signal::unix::{SignalKind, signal};

use super::cancel::Canceller;

/// A signal that asks agentd to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGHUP: the terminal is gone.
    HangUp,
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

impl Signal {
    const ALL: [Self; 3] = [Self::HangUp, Self::Interrupt, Self::Terminate];

    /// Finds a signal by its number; any other is none that asks for an end.
    pub fn of_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|signal| i32::from(signal.number()) == number)
    }

    /// Gives the signal's number.
    pub const fn number(self) -> u8 {
        match self {
            Self::HangUp => 1,
            Self::Interrupt => 2,
            Self::Terminate => 15,
        }
    }

    /// Gives the exit code of a program that this signal has ended, as shells show it.
    pub const fn exit_code(self) -> u8 {
        128 + self.number()
    }
}

/// What signals have come.
#[derive(Clone, Debug, Default)]
pub struct Interruptions(Arc<OnceLock<Signal>>);

impl Interruptions {
    /// Gives the first signal that has come.
    pub fn first(&self) -> Option<Signal> {
        self.0.get().copied()
    }
}

/// Starts to listen, within a tokio runtime. The first signal cancels; those that follow change nothing, so that
/// what is being ended is ended in order.
///
/// A signal that was ignored when agentd was started stays ignored: `nohup agentd` outlives its terminal.
pub fn listen(canceller: &Canceller) -> io::Result<Interruptions> {
    let interruptions = Interruptions::default();
    let ignored = ignored_signals();
    for kind in Signal::ALL {
        if ignored & (1 << (kind.number() - 1)) != 0 {
            continue;
        }
        let mut coming = signal(SignalKind::from_raw(kind.number().into()))?;
        let (canceller, interruptions) = (canceller.clone(), interruptions.clone());
        tokio::spawn(async move {
            while coming.recv().await.is_some() {
                interruptions.0.get_or_init(|| kind);
                canceller.cancel();
            }
        });
    }
    Ok(interruptions)
}

/// Gives the set of ignored signals, the first in the lowest bit; where the system does not tell, none.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    u64::from_str_radix(set.trim(), 16).unwrap_or(0)
}
