//! `agentd run --dry-run`: shows what would be sent next, and writes, runs and asks nothing.

use log::warn;

use super::next::answers;
use super::request::{is_new_text, too_late};
use super::setup::set_up_to_look;
use crate::cli::agent_options::AgentOptions;
use crate::cli::errors::BEGIN_ANOTHER;
use crate::cli::flows::load::FoundFlow;
use crate::cli::{
    Failure, Outcome, ProjectContext, archived, no_such_change, print_raw, read_history,
};
use crate::engine::change::NewChange;
use crate::engine::entry::Entry;
use crate::engine::history::History;
use crate::engine::preview::{Preview, Prompts, Said, preview};
use crate::engine::project::Whereabouts;
use crate::flow::{Next, Position};
use crate::models::change::ChangeId;
use crate::orchestrator::Composed;
use crate::orchestrator::prompts::inputs::LeftOut;

/// Prints what would be sent next.
pub(super) fn dry_run(
    context: ProjectContext,
    id: &ChangeId,
    request: Option<&str>,
    options: &AgentOptions,
    flow: &FoundFlow,
) -> Outcome {
    print_call(&next_call(context, id, request, options, flow)?)
}

/// What would be sent next, and what a run may do first.
pub(crate) struct NextCall {
    pub(crate) step: String,
    pub(crate) prompts: Prompts,
    pub(crate) reservations: Vec<String>,
}

/// Builds what would be sent next, byte for byte.
pub(crate) fn next_call(
    context: ProjectContext,
    id: &ChangeId,
    request: Option<&str>,
    options: &AgentOptions,
    flow: &FoundFlow,
) -> Outcome<NextCall> {
    let begun = match context.whereabouts(id)? {
        Whereabouts::Open(location) => Some(read_history(&location.state)?),
        Whereabouts::Archived(location) => return Err(archived(id, &location.folder)),
        Whereabouts::Nowhere => None,
    };
    let said = match (&begun, request) {
        (None, None) => return Err(no_such_change(id)),
        (None, Some(request)) => {
            let product_manager = context.config()?.team.product_manager;
            Said::Request(NewChange { request, flow: flow.copy(), product_manager })
        }
        (Some(history), Some(text)) if is_new_text(history, text) => more(id, history, text)?,
        (Some(_), _) => Said::Nothing,
    };
    let setup = set_up_to_look(context, options, flow)?;
    match preview(&setup, id, said)? {
        Preview::Step { step, prompts, reservations } => {
            Ok(NextCall { step: step.name.to_string(), prompts, reservations })
        }
        Preview::Nothing { next, at } => Err(nothing_sent(id, begun.as_ref(), next, &at)),
    }
}

/// Refuses additional text that comes too late.
fn more<'t>(id: &ChangeId, history: &History, text: &'t str) -> Outcome<Said<'t>> {
    let words = text.to_owned();
    let entry = match history.state.position {
        Position::Blocked(_) => Entry::Answered { text: words },
        _ => Entry::Guided { text: words },
    };
    history.allows(&entry).map_err(|_| too_late(id, history))?;
    Ok(Said::More(text))
}

/// Prints what would be sent, and lists on standard error what a run may add to it.
pub(crate) fn print_call(call: &NextCall) -> Outcome {
    for reservation in &call.reservations {
        warn!("{reservation}");
    }
    match &call.prompts {
        Prompts::Document(composed) => print_request(composed),
        Prompts::Roles(prompts) => {
            let texts = prompts
                .iter()
                .map(|prompt| format!("==> {} <==\n{}\n", prompt.file, prompt.text.trim_end()));
            print_raw(texts.collect::<Vec<_>>().join("\n").as_bytes())
        }
    }
}

/// Prints a request as it would be sent, and on standard error what was left out.
pub(crate) fn print_request(composed: &Composed) -> Outcome {
    for LeftOut { name, bytes } in &composed.left_out {
        warn!("`{name}` ({bytes} bytes) does not fit and is left out");
    }
    print_raw(composed.document.as_bytes())
}

fn nothing_sent(id: &ChangeId, history: Option<&History>, next: Next, at: &str) -> Failure {
    let help = match (next, history) {
        (Next::Wait(waiting), Some(history)) => answers(id, history, waiting),
        (Next::Run(_), _) => format!("`agentd run {id}` archives the change, without an agent"),
        (Next::Wait(_), None) | (Next::End, _) => BEGIN_ANOTHER.to_owned(),
    };
    Failure::precondition(format!("nothing would be sent for `{id}`: it is at {at}"), help)
}
