//! The request of a change, and what a person adds to it later.

use super::next::may_be_rejected;
use crate::cli::errors::BEGIN_ANOTHER;
use crate::cli::input;
use crate::cli::{Failure, Outcome};
use crate::engine::change::Change;
use crate::engine::history::History;
use crate::flow::Position;
use crate::models::change::ChangeId;
use crate::output::human::Tone;
use crate::output::screen::Screen;

/// Reads a request: the text itself, standard input for `-`, or a file for `@FILE`.
pub(crate) fn read(word: &str) -> Outcome<String> {
    let text = input::text_or_file(word)?;
    if text.trim().is_empty() {
        return Err(Failure::usage("the request is empty", "say what you want"));
    }
    Ok(text)
}

/// Returns whether a text differs from what was said before.
pub(super) fn is_new_text(history: &History, text: &str) -> bool {
    let answers = history.questions.iter().filter_map(|question| question.answer.as_ref());
    let said = [&history.request].into_iter().chain(&history.guidance).chain(answers);
    !said.into_iter().any(|said| said.trim() == text.trim())
}

/// Records what a person adds: the answer to a question, or guidance.
pub(super) fn add_to_request(change: &mut Change, text: &str, screen: &Screen) -> Outcome {
    let is_answer = matches!(change.history.state.position, Position::Blocked(_));
    let entry = change.more(text);
    if change.history.allows(&entry).is_err() {
        return Err(too_late(&change.id, &change.history));
    }
    change.happened(entry)?;
    let (label, text) = if is_answer {
        ("answer", "the step runs again with your answer")
    } else {
        ("guidance", "the work starts again with what you added")
    };
    screen.line(label, text, Tone::Plain);
    Ok(())
}

/// Reports that the request can no longer be extended.
pub(super) fn too_late(id: &ChangeId, history: &History) -> Failure {
    if history.is_over() {
        let message =
            format!("change `{id}` is at {}: its request can no longer be extended", history.at());
        return Failure::precondition(message, BEGIN_ANOTHER);
    }
    let back = if may_be_rejected(history) {
        format!("`agentd reject {id} \"…\"` repeats the work")
    } else {
        format!(
            "`agentd run {id} --pause` asks you after the next step, and lets you reject the work"
        )
    };
    Failure::precondition(
        format!("code was already written for `{id}`: its request can no longer be changed"),
        format!("`agentd run {id}` continues it; {back}; a new request is a new change"),
    )
}
