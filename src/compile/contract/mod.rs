//! What templates must hold: system templates phase by phase, the prompts of the team one by one. With
//! [`crate::template::vocab`] this is the one table for the compiler, the marker parser and the state machine.

mod teachings;
mod team;

use crate::template::Phase;

pub use teachings::{Teaching, sections, teachings};
pub use team::{Presence, SessionFile, TeamContract, session_paths, team};

/// The sections that every system template has, as level-2 headings compared without case.
pub const SECTIONS: [&str; 4] =
    ["Identity & Role", "Core Principles", "Context Placeholders", "Workflow Context"];

/// The section in which a missing variable belongs.
pub const VARIABLES_SECTION: &str = SECTIONS[2];

/// The tag that every system template explains.
pub const THOUGHT_TAG: &str = "<thought>";

/// The marker with which every prompt of an agent teaches it to ask a person, as messages show it.
pub const BLOCKED_MARKER: &str = "<blocked>what you need to know</blocked>";

/// The hole of role and command templates at which a project's own instructions are spliced in.
pub const EXTENSION_POINT: &str = "project_instructions";

/// Something that a phase's prompt must speak of, outside code blocks: one of these spellings.
pub type Directive = &'static [&'static str];

/// Lists the directives of a phase.
pub const fn directives(phase: Phase) -> &'static [Directive] {
    match phase {
        Phase::Plan => &[
            &["proposal.md"],
            &["specs/"],
            &["tasks.md"],
            &["Mermaid"],
            &["JSON Schema"],
            &["abstractions"],
        ],
        Phase::Challenge => &[&["technical review"], &["consistency"], &["gaps"]],
        Phase::Implement => &[&["tasks"], &["unit and integration tests"], &["IMPLEMENTATION.md"]],
        Phase::Review => &[&["test evidence"], &["security"], &["code quality"]],
        Phase::Archive => &[&["changelog"], &["specs"], &["clean-up", "cleanup", "clean up"]],
    }
}
