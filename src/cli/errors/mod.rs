//! What errors of the lower layers mean on the command line: the exit code, and what to do next.

mod agents;
mod changes;
mod prompts;

pub(super) use agents::look_at;
pub(super) use changes::BEGIN_ANOTHER;
