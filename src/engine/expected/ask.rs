//! Asking an agent once more for files that are not what they must be.

use askama::Template as _;

use super::fault::FileFault;

/// The most faults that are named.
const MOST_NAMED: usize = 40;

#[derive(askama::Template)]
#[template(path = "blocks/files.md.j2", escape = "none")]
struct AskForFiles<'f> {
    step: &'f str,
    named: &'f [FileFault],
    more: usize,
}

/// Describes which files of a step are not what they must be, to be put after the instructions when the agent is asked
/// once more.
///
/// ```
/// use agentd::{Phase, catalog::CATALOG, engine::expected::{ChangeFiles, ask_for_files, check}};
///
/// let text = ask_for_files("plan", &check(CATALOG.step(Phase::Plan), &ChangeFiles::default()));
/// assert!(text.contains("\n- proposal.md: the file is missing"));
/// ```
pub fn ask_for_files(step: &str, faults: &[FileFault]) -> String {
    let named = &faults[..faults.len().min(MOST_NAMED)];
    // Rendering to a string fails only where a value's own formatting does, and words do not.
    AskForFiles { step, named, more: faults.len() - named.len() }.render().unwrap_or_default()
}
