//! The signals that ask agentd to end: they cancel what runs, and the first is remembered for the exit code.
//!
//! They are listened to from the first child on: before that nothing is under way, and they end agentd as they end any program.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::cancel::{Cancel, Canceller, cancellation};

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
/// What is said at the first signal, where this program listens at all.
static ANSWER: OnceLock<fn()> = OnceLock::new();
static ENDING: LazyLock<(Canceller, Cancel)> = LazyLock::new(cancellation);
/// How many wait for somebody else.
static IDLE: AtomicUsize = AtomicUsize::new(0);

/// Returns the first signal that asked agentd to end, if one has come.
pub fn first_signal() -> Option<Signal> {
    asked_to_end().map(|(signal, _)| signal)
}

/// Returns the first signal and when it came.
pub(super) fn asked_to_end() -> Option<(Signal, Instant)> {
    FIRST.get().copied()
}

/// Returns what is cancelled by the first signal.
pub fn interruption() -> Cancel {
    ENDING.1.clone()
}

/// Has this program listen to signals from its first child on, and say something at once when it hears one.
pub fn answer_signals(say: fn()) {
    ANSWER.get_or_init(|| say);
}

/// Starts to listen before a child is started, if this program answers signals.
pub(super) fn listen_if_answered() -> io::Result<()> {
    if ANSWER.get().is_some() { listen() } else { Ok(()) }
}

/// Starts to listen, on a thread of its own: signals are heard also while agentd waits for a child. The first one cancels; those
/// that follow change nothing, so that what is being ended is ended in order. To start twice is to start once.
///
/// A signal that was ignored when agentd was started stays ignored: `nohup agentd` outlives its terminal.
pub fn listen() -> io::Result<()> {
    static LISTENS: Mutex<bool> = Mutex::new(false);
    let mut listens = LISTENS.lock().unwrap_or_else(PoisonError::into_inner);
    if *listens {
        return Ok(());
    }
    let ignored = ignored_signals();
    let is_heard = |kind: &Signal| ignored & (1 << (kind.number() - 1)) == 0;
    let heard = Signal::ALL.into_iter().filter(is_heard);
    let mut coming = Signals::new(heard.map(|kind| i32::from(kind.number())))?;
    let thread = thread::Builder::new().name("signals".to_owned());
    thread.spawn(move || coming.forever().filter_map(Signal::of_number).for_each(hear))?;
    *listens = true;
    Ok(())
}

fn hear(kind: Signal) {
    let is_first = FIRST.set((kind, Instant::now())).is_ok();
    if IDLE.load(Ordering::SeqCst) > 0 {
        end_by(kind);
    }
    if is_first {
        ENDING.0.cancel();
        if let Some(say) = ANSWER.get() {
            say();
        }
    }
}

/// Waits for somebody else: a person, or whoever reads what is printed. A signal that comes meanwhile ends agentd as it ends any
/// program, since there is nothing to be ended in order.
pub fn idle<T>(wait: impl FnOnce() -> T) -> T {
    IDLE.fetch_add(1, Ordering::SeqCst);
    let waited = wait();
    IDLE.fetch_sub(1, Ordering::SeqCst);
    waited
}

/// Waits as [`idle`] does, unless a signal has come already: nothing more is asked then.
pub fn idle_unless_asked_to_end<T>(wait: impl FnOnce() -> T) -> T {
    idle(|| {
        if let Some(kind) = first_signal() {
            end_by(kind);
        }
        wait()
    })
}

/// Ends agentd by a signal.
fn end_by(kind: Signal) {
    // It fails only for what is no signal.
    let _ = emulate_default_handler(kind.number().into());
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
