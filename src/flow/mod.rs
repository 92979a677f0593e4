//! Flows as data: the steps of a change, what leads from one to the next, and what must hold before it is archived.
//!
//! [`table`] is what a flow file says, [`column`] what it says of a step, [`vocab`] its closed sets of words. [`event`] is what can happen to a change and
//! [`state`] where that leads; [`mod@explore`] visits every state that a flow can reach. Nothing here knows files, agents or
//! clocks. `build.rs` mounts this folder as it stands, so the states that the build has proved are those that the program
//! goes through.

pub mod column;
pub mod event;
pub mod explore;
pub mod facts;
mod pattern;
pub mod state;
pub mod steps;
pub mod table;
mod transition;
pub mod vocab;

pub use column::{Column, ColumnId, Step, Visitor, VisitorMut};
pub use event::{Event, Next, Position, Refusal, Waiting};
pub use explore::{Explored, MOST_STATES, Path, explore};
pub use facts::Facts;
pub use pattern::{covers, overlap};
pub use state::{CheckRun, State};
pub use steps::{StepId, StepSet};
pub use table::{
    CHECK_REPORT, End, Flow, Guidance, Leaves, Limit, List, Prompt, Reads, RejectRule, Rounds,
    Target, Text,
};
pub use vocab::{
    ConfiguredLimit, Fact, Guarantee, Kind, MergedFolder, Need, Outcome, Subject, TaskSource,
    Validator, Workspace,
};
