//! The offline agent: it plays every phase without a model, so that the whole workflow can be tried, shown and tested
//! on any machine. All of it is pure: a prompt becomes an answer and a list of files, and somebody else writes them.
//!
//! What it is asked for it learns from the prompt alone, as any agent does: `request` finds the phase and the skeleton,
//! `sample` fills in what it answers to a phase, `team` what any member of a team hands over. Both are templates of several
//! files each. `speak` puts an answer into the shape that one of the real CLIs prints.

mod repeated_verdict;
mod request;
mod sample;
pub(crate) mod speak;
pub(crate) mod team;

use std::path::PathBuf;

use thiserror::Error;

use crate::models::envelope::EnvelopeError;
use crate::template::Phase;
use request::{Request, Wish};

/// What stands in every answer and at the head of every file.
const NO_MODEL: &str = "Offline agent: there is no model.";

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
    #[error("the prompt is not a document written by agentd: {0}")]
    Document(#[from] EnvelopeError),
    /// Its system prompt is none of the compiled ones.
    #[error("the system prompt is unknown to this program, and so is the phase")]
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
    let request = match Request::read(document) {
        Err(unplayable) => return repeated_verdict::pass(document).ok_or(unplayable),
        request => request?,
    };
    match request.wish {
        Wish::Verdict(phase) => Ok(repeated_verdict::play(&request, phase)),
        Wish::Phase(template) => sample::play(&request, template.phase),
    }
}

/// Puts the text of an answer together; the first line names the speaker.
fn said(text: &str) -> String {
    format!("{NO_MODEL}\n\n{}\n", text.trim())
}

/// The folder of the code that is played.
const CODE: &str = "agentd-demo/";

/// Takes a filled-in template apart, in which each file and the answer stand behind a line `=== NAME`.
fn taken_apart(filled: &str) -> (String, Vec<(String, String)>) {
    let mut answer = String::new();
    let mut files = Vec::new();
    for part in format!("\n{filled}").split("\n=== ").skip(1) {
        let (name, text) = part.split_once('\n').unwrap_or((part, ""));
        let text = format!("{}\n", text.trim_matches('\n'));
        if name == "answer" {
            answer = text;
        } else {
            files.push((name.to_owned(), text));
        }
    }
    (answer, files)
}

/// Returns where a file goes: the code into the workspace, all else below a folder.
fn placed(root: &str, (name, text): (String, String)) -> (PathBuf, String) {
    let path = if name.starts_with(CODE) { name } else { format!("{root}{name}") };
    (path.into(), text)
}
