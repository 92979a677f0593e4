//! The person's choice when checks fail before a change.

use crate::cli::confirm;
use crate::cli::{Failure, Kind, Outcome};
use crate::engine::change::Change;
use crate::engine::entry::Entry;
use crate::models::settings::RedBaseline;
use crate::output::human::{Tone, chosen};
use crate::output::sanitize::safe;
use crate::output::screen::Screen;

/// Records a different choice than the one already made, if that is still possible. The run itself makes the first
/// choice.
pub(super) fn choose(change: &mut Change, choice: Option<RedBaseline>, screen: &Screen) -> Outcome {
    let before = change.history.baseline.as_ref().and_then(|before| before.choice);
    let (Some(choice), Some(before)) = (choice, before) else { return Ok(()) };
    if choice == before || change.history.is_over() {
        return Ok(());
    }
    let id = &change.id;
    if (before, choice) != (RedBaseline::Fix, RedBaseline::Tolerate) {
        let message = format!("change `{id}` was started with `--baseline {}`", before.word());
        return Err(Failure::precondition(
            message,
            format!(
                "leave out `--baseline`; `agentd reject {id} \"Make the checks pass\"` repeats the work"
            ),
        ));
    }
    change.happened(Entry::BaselineChosen { choice })?;
    screen.line("baseline", chosen(choice), Tone::Notice);
    Ok(())
}

/// Asks the person at the terminal what to do when a run has stopped for that reason.
pub(super) fn ask(failure: &Failure) -> Outcome<Option<RedBaseline>> {
    if failure.kind() != Kind::RedBaseline || !confirm::is_possible() {
        return Ok(None);
    }
    let message = safe(&failure.message);
    let question = format!("{message}\nMust the change [f]ix this, [t]olerate it, or [S]top?");
    Ok(match confirm::ask(&question)?.as_str() {
        "f" | "fix" => Some(RedBaseline::Fix),
        "t" | "tolerate" => Some(RedBaseline::Tolerate),
        _ => None,
    })
}

/// Parses what to do when checks fail before the change.
pub(super) fn rule(word: &str) -> Result<RedBaseline, String> {
    RedBaseline::from_word(word)
        .ok_or_else(|| format!("must be one of {}", RedBaseline::WORDS.join(", ")))
}
