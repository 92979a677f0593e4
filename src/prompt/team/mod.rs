//! The prompts of the team: from a compiled template, what the project adds to it, values and the files of a change to a
//! finished prompt, and to the message that makes an agent read it.
//!
//! `builders` is what others call, one function a prompt. Each reads its files when it is called, and never before: what
//! was written meanwhile is in the next prompt. This folder decides what goes into a prompt, not who gets it and when.

mod assemble;
mod audience;
mod builders;
mod change_diff;
mod check;
mod earlier_attempt;
mod error;
mod extension;
mod facts;
mod handoff;
mod injection;
mod markers;
mod plans;
mod schedule;
mod session;
mod topic;
mod values;

pub use builders::{
    Part, ReviewerTask, build_architect_prompt, build_change_prompt, build_code_researcher_prompt,
    build_coder_subplan_prompt, build_coder_whole_plan_prompt, build_designer_prompt,
    build_fix_prompt, build_planner_prompt, build_product_manager_prompt, build_prompt,
    build_reviewer_prompt, build_reviewer_summary_prompt, build_web_researcher_prompt,
};
pub use check::{Finding, Weight, check_extensions};
pub use error::TeamPromptError;
pub use extension::{FOLDERS as EXTENSION_FOLDERS, extension_files};
pub use facts::{Audience, Facts, RefusedWork, ScheduledGroup};
pub use injection::{Coders, injection_message, messages_to_send};
pub use session::{BuiltPrompt, TeamSession};
pub use topic::{InvalidTopic, Topic};
