//! Running an agent's program: it runs under a guard that ends it, and all that it started, whatever becomes of us.
//!
//! The guard is a second process of this binary, one for each run. `run` is our side: it prepares the run's folder,
//! starts the guard and follows what the agent prints. `guard` is the other side: it starts the agent, keeps its
//! output, ends it when it must, sweeps what is left and records how the run ended. A pipe between the two carries
//! nothing: when it closes, the guard knows that we want the run to end, or that we are gone.

mod attend;
mod cancel;
#[cfg(target_os = "linux")]
mod capabilities;
mod comments;
mod descriptors;
mod domain;
mod error;
mod folder;
mod follow;
mod guard;
#[cfg(target_os = "linux")]
mod hidden;
mod limit;
mod lines;
mod orphans;
mod overlay;
mod processes;
mod replay;
mod run;
mod sandbox;
#[cfg(target_os = "linux")]
mod seccomp;
mod signals;
mod spool;
mod sweep;
mod watch;

pub use attend::attend;
pub use cancel::{Cancel, Canceller, cancellation};
pub use descriptors::keep_descriptors;
pub use error::ProcessError;
pub use folder::{await_end, clear, end_record, lay_out, tail};
pub use guard::{Order, guard};
pub use limit::{Cut, Haste, Limit, output};
pub use lines::LONGEST_LINE;
pub use orphans::start_leader;
pub use processes::{guard_above, is_running};
pub use replay::replay;
pub use run::{Limits, Supervision, run};
pub use sandbox::{Hold, Support, support};
pub use signals::{
    Signal, answer_signals, first_signal, idle, idle_unless_asked_to_end, interruption, listen,
    survive_size_limit,
};
pub use sweep::end_session;
