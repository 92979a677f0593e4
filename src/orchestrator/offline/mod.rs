//! The offline agent: it plays every phase without a model, so that the whole workflow can be tried, shown and tested
//! on any machine. All of it is pure: a prompt becomes an answer and a list of files, and somebody else writes them.
//!
//! What it is asked for it learns from the prompt alone, as any agent does: `part` finds the phase and the skeleton,
//! `plan` to `archive` play one phase each, `team` every member of a team, `idea` is the small command that stands in for every request. `speak` puts
//! an answer into the shape that one of the real CLIs prints, and `script` is a list of ways to misbehave.

mod archive;
mod challenge;
mod idea;
mod implement;
mod judge;
mod part;
mod plan;
mod review;
pub(crate) mod script;
pub(crate) mod speak;
pub(crate) mod team;
mod verdict;

use std::path::PathBuf;

use thiserror::Error;

use crate::models::envelope::EnvelopeError;
use crate::template::Phase;
use part::{Part, Wish};

/// What stands in every answer and at the head of every file.
const NO_MODEL: &str = "Offline agent: no model is behind this.";

/// What comes of a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The answer.
    pub answer: String,
    /// The files to write: those of the change have full paths, those of the code start at the workspace.
    pub files: Vec<(PathBuf, String)>,
}

/// Why a prompt cannot be played.
#[derive(Debug, Error)]
pub enum Unplayable {
    /// It is no document of ours.
    #[error("the prompt is not a document that agentd writes: {0}")]
    Document(#[from] EnvelopeError),
    /// Its system prompt is none of the compiled ones.
    #[error("the system prompt is none of those in this program, so the phase is not known")]
    UnknownPhase,
    /// It does not say where the files of the phase go.
    #[error("the prompt of phase `{phase}` does not say where its files go")]
    NoSkeleton {
        /// The phase.
        phase: Phase,
    },
    /// It wants code, and wants it printed.
    #[error("an agent that delivers text cannot implement")]
    CodeAsText,
}

/// Plays the phase that a prompt asks for.
pub fn play(document: &str) -> Result<Played, Unplayable> {
    if let Some(played) = team::play(document) {
        return Ok(played);
    }
    let part = match Part::read(document) {
        Err(unplayable) => return judge::play(document).ok_or(unplayable),
        part => part?,
    };
    match part.wish {
        Wish::Verdict(phase) => Ok(verdict::play(&part, phase)),
        Wish::Phase(template) => match template.phase {
            Phase::Plan => plan::play(&part),
            Phase::Challenge => Ok(challenge::play(&part)),
            Phase::Implement => implement::play(&part),
            Phase::Review => Ok(review::play(&part)),
            Phase::Archive => archive::play(&part),
        },
    }
}
