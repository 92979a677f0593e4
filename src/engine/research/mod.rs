//! Research that members of a team ask for: topics are found, looked into side by side while whoever asks goes on, and
//! handed on. A topic that fails stops nobody: later prompts simply lack it.

mod at_work;
mod due;
mod event;
mod inquiry;
mod researcher;

pub use event::{ResearchEvent, TopicRecord, TopicState};
pub use inquiry::PART;
pub(super) use inquiry::RESEARCH;
pub use inquiry::{Inquiry, ResearchKind};
