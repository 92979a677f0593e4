//! Research that members of a team ask for: topics are found, looked into side by side before the next step begins, and
//! handed on. A topic that fails stops nobody: later prompts simply lack it.

mod at_work;
mod event;
mod inquiry;
mod researcher;

pub use event::{ResearchEvent, TopicRecord, TopicState};
pub use inquiry::{Inquiry, ResearchKind};
