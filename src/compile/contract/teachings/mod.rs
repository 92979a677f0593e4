//! What each prompt of the team must teach its reader: the sections it has, and what it must say, outside code blocks.

use super::Directive;
use crate::template::TeamPrompt;

/// Something that a prompt must say.
#[derive(Clone, Copy, Debug)]
pub struct Teaching {
    /// What it is about, for messages.
    pub about: &'static str,
    /// The phrases that must all stand there, each in one of its spellings.
    pub says: &'static [Directive],
}

/// Lists the sections of a prompt: headings of level 2, compared without case.
pub const fn sections(prompt: TeamPrompt) -> &'static [&'static str] {
    match prompt {
        TeamPrompt::Role(_) | TeamPrompt::Command(_) | TeamPrompt::Context => &[],
    }
}

/// Lists what a prompt must teach.
pub const fn teachings(prompt: TeamPrompt) -> &'static [Teaching] {
    match prompt {
        TeamPrompt::Role(_) | TeamPrompt::Command(_) | TeamPrompt::Context => &[],
    }
}
