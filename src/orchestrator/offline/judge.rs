//! Judges for a flow of a project: its template is not known here, but that it wants a verdict can be seen.

use super::{NO_MODEL, Played};
use crate::models::prompt::UnifiedPrompt;

/// The verdict that a template of a judge teaches.
const PASS: &str = "<review>PASS</review>";

/// Passes whatever is judged. A prompt that wants no verdict is none for this agent.
pub(super) fn play(document: &str) -> Option<Played> {
    let prompt = UnifiedPrompt::from_xml(document).ok()?;
    let wants_verdict = prompt.system_prompt?.contains(PASS);
    let answer = format!("{NO_MODEL} It passes whatever it is shown.\n\n{PASS}");
    wants_verdict.then(|| Played { answer, files: Vec::new() })
}
