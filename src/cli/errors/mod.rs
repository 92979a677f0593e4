//! What the errors of the layers below mean to whoever typed a command: the exit code, and what to do next.

mod agents;
mod changes;
mod prompts;

pub(super) use agents::look_at;
pub(super) use changes::BEGIN_ANOTHER;
