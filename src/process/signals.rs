//! The signals that ask agentd to end: they cancel what runs, and the first is remembered for the exit code.

use std::io;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Instant;

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use signal_hook::iterator::Signals;

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

    /// Returns the signal's number.
    pub const fn number(self) -> u8 {
        match self {
            Self::HangUp => 1,
            Self::Interrupt => 2,
            Self::Terminate => 15,
        }
    }

    /// Returns the exit code of a program that this signal has ended, as shells show it.
    pub const fn exit_code(self) -> u8 {
        128 + self.number()
    }
}

/// The first signal that came, and when.
static FIRST: OnceLock<(Signal, Instant)> = OnceLock::new();

/// Returns the first signal that asked agentd to end, if one has come.
pub fn first_signal() -> Option<Signal> {
    asked_to_end().map(|(signal, _)| signal)
}

/// Returns the first signal and when it came.
pub(super) fn asked_to_end() -> Option<(Signal, Instant)> {
    FIRST.get().copied()
}

/// Starts to listen, on a thread of its own: signals are heard also while agentd waits for a child. The first one cancels; those
/// that follow change nothing, so that what is being ended is ended in order.
///
/// A signal that was ignored when agentd was started stays ignored: `nohup agentd` outlives its terminal.
pub fn listen(canceller: &Canceller) -> io::Result<()> {
    let ignored = ignored_signals();
    let is_heard = |kind: &Signal| ignored & (1 << (kind.number() - 1)) == 0;
    let heard = Signal::ALL.into_iter().filter(is_heard);
    let mut coming = Signals::new(heard.map(|kind| i32::from(kind.number())))?;
    let canceller = canceller.clone();
    let thread = thread::Builder::new().name("signals".to_owned());
    let listening = thread.spawn(move || {
        for kind in coming.forever().filter_map(Signal::of_number) {
            FIRST.get_or_init(|| (kind, Instant::now()));
            canceller.cancel();
        }
    });
    listening.map(drop)
}

/// Makes a write beyond the largest size of a file (`ulimit -f`) an error like any other, in place of a signal that ends this
/// process without a word. Programs that are started get the signal as before.
pub fn survive_size_limit() -> io::Result<()> {
    // It is enough that somebody handles it.
    flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Returns the set of ignored signals, the first in the lowest bit; where the system does not tell, none.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    u64::from_str_radix(set.trim(), 16).unwrap_or(0)
}
