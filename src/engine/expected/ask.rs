//! Asking an agent once more for files that are not what they must be.

use askama::Template as _;

use super::fault::FileFault;
use crate::template::Phase;

/// The most faults that are named.
const MOST_NAMED: usize = 40;

#[derive(askama::Template)]
#[template(path = "blocks/files.md.j2", escape = "none")]
struct AskForFiles<'f> {
    phase: Phase,
    named: &'f [FileFault],
    more: usize,
}

/// Says which files of a phase are not what they must be, to be put after the instructions when the agent is asked
/// once more.
///
/// ```
/// use agentd::{Phase, engine::expected::{ChangeFiles, ask_for_files, check}};
///
/// let text = ask_for_files(Phase::Plan, &check(Phase::Plan, &ChangeFiles::default()));
/// assert!(text.contains("\n- proposal.md: the file is missing"));
/// ```
pub fn ask_for_files(phase: Phase, faults: &[FileFault]) -> String {
    let named = &faults[..faults.len().min(MOST_NAMED)];
    // Rendering to a string fails only where a value's own formatting does, and words do not.
    AskForFiles { phase, named, more: faults.len() - named.len() }.render().unwrap_or_default()
}
