//! Flows as data: the steps of a change, what leads from one to the next, and what must hold before it is archived.
//!
//! [`table`] is what a flow file says, [`vocab`] its closed sets of words. [`state`] is where a change is and what happens
//! to it; [`explore`] visits every state that a flow can reach. Nothing here knows files, agents or clocks. `build.rs` mounts
//! this folder as it stands, so the states that the build has proved are those that the program goes through.

pub mod explore;
pub mod facts;
pub mod state;
pub mod steps;
pub mod table;
pub mod vocab;

pub use explore::{Explored, explore};
pub use facts::Facts;
pub use state::{Event, Next, Position, Refusal, State, Waiting};
pub use steps::{StepId, StepSet};
pub use table::{
    End, Flow, Guidance, Leaves, Limit, Prompt, Reads, RejectRule, Rounds, Step, Target, Text,
};
pub use vocab::{
    ConfiguredLimit, Fact, Guarantee, Kind, Need, Outcome, Subject, TaskSource, Validator,
    Workspace,
};
