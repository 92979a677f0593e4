//! `agentd run --dry-run`: what would be sent next. Nothing is written, run or asked for.

use std::io::{self, Write as _};

use log::warn;

use super::super::failure::{Failure, Kind, Outcome};
use super::flow::ChosenFlow;
use super::run::{answers, is_new_text, too_late};
use super::status::history;
use super::workshop::{AgentOptions, Room, archived, no_such_change, set_up_to_look};
use crate::engine::change::NewChange;
use crate::engine::entry::Entry;
use crate::engine::history::History;
use crate::engine::preview::{Preview, Prompts, Said, preview};
use crate::engine::project::Whereabouts;
use crate::flow::{Next, Position};
use crate::models::change::ChangeId;
use crate::orchestrator::Composed;
use crate::orchestrator::prompts::budget::LeftOut;

/// Prints what would be sent next.
pub(super) fn dry_run(
    room: Room,
    id: &ChangeId,
    request: Option<&str>,
    options: &AgentOptions,
    flow: &ChosenFlow,
) -> Outcome {
    show(&next_call(room, id, request, options, flow)?)
}

/// What would be sent next, with what a run may do first.
pub(in super::super) struct NextCall {
    pub(in super::super) step: String,
    pub(in super::super) prompts: Prompts,
    pub(in super::super) reservations: Vec<String>,
}

/// Puts together what would be sent next, byte for byte.
pub(in super::super) fn next_call(
    room: Room,
    id: &ChangeId,
    request: Option<&str>,
    options: &AgentOptions,
    flow: &ChosenFlow,
) -> Outcome<NextCall> {
    let folder = room.project.change(id);
    let begun = match room.whereabouts(id)? {
        Whereabouts::Open(folder) => Some(history(&folder)?),
        Whereabouts::Archived(path) => return Err(archived(id, &path)),
        Whereabouts::Nowhere => None,
    };
    let said = match (&begun, request) {
        (None, None) => return Err(no_such_change(id)),
        (None, Some(request)) => {
            let product_manager = room.config()?.team.product_manager;
            Said::Request(NewChange { request, flow: flow.copy.clone(), product_manager })
        }
        (Some(history), Some(text)) if is_new_text(history, text) => more(id, history, text)?,
        (Some(_), _) => Said::Nothing,
    };
    let setup = set_up_to_look(room, options, flow)?;
    match preview(&setup, id, &folder, said)? {
        Preview::Step { step, prompts, reservations } => {
            Ok(NextCall { step: step.name.to_string(), prompts, reservations })
        }
        Preview::Nothing { next, at } => Err(nothing_sent(id, begun.as_ref(), next, &at)),
    }
}

/// Refuses words that come too late.
fn more<'t>(id: &ChangeId, history: &History, text: &'t str) -> Outcome<Said<'t>> {
    let words = text.to_owned();
    let entry = match history.state.position {
        Position::Blocked(_) => Entry::Answered { text: words },
        _ => Entry::Guided { text: words },
    };
    match history.allows(&entry) {
        Ok(()) => Ok(Said::More(text)),
        Err(_) => Err(too_late(id, history)),
    }
}

/// Prints what would be sent, and on standard error what a run may send that is not in it.
pub(in super::super) fn show(call: &NextCall) -> Outcome {
    for reservation in &call.reservations {
        warn!("{reservation}");
    }
    match &call.prompts {
        Prompts::Document(composed) => print_request(composed),
        Prompts::Roles(prompts) => {
            let mut stdout = io::stdout().lock();
            for (number, prompt) in prompts.iter().enumerate() {
                let gap = if number == 0 { "" } else { "\n" };
                let text = prompt.text.trim_end();
                write!(stdout, "{gap}==> {} <==\n{text}\n", prompt.file)?;
            }
            Ok(stdout.flush()?)
        }
    }
}

/// Prints a request as it would be sent, and on standard error what was left out of it.
pub(in super::super) fn print_request(composed: &Composed) -> Outcome {
    for LeftOut { name, bytes } in &composed.left_out {
        warn!("`{name}` ({bytes} bytes) does not fit and is left out");
    }
    let mut stdout = io::stdout().lock();
    stdout.write_all(composed.document.as_bytes())?;
    Ok(stdout.flush()?)
}

fn nothing_sent(id: &ChangeId, history: Option<&History>, next: Next, at: &str) -> Failure {
    let help = match (next, history) {
        (Next::Wait(waiting), Some(history)) => answers(id, history, waiting),
        (Next::Run(_), _) => format!("`agentd run {id}` puts the change away, without an agent"),
        (Next::Wait(_), None) | (Next::End, _) => {
            "begin another change under an id of its own".to_owned()
        }
    };
    Failure::new(Kind::Precondition, format!("nothing is sent for `{id}`: it is at {at}"))
        .help(help)
}
