//! `agentd run --dry-run`: the prompt that would be sent next. Nothing is written, run or asked for.

use std::io::{self, Write as _};

use log::warn;

use super::super::failure::{Failure, Kind, Outcome};
use super::run::{is_new_text, may_be_guided, too_late};
use super::status::history;
use super::workshop::{AgentOptions, Room, archived, no_such_change, set_up_to_look};
use crate::engine::entry::{Entry, Record};
use crate::engine::history::History;
use crate::engine::machine::{Check, Step};
use crate::engine::preview::{Preview, preview};
use crate::engine::project::Whereabouts;
use crate::engine::setup::Setup;
use crate::engine::team::{self, Foreseen, Said, TeamNext};
use crate::models::change::ChangeId;
use crate::orchestrator::Composed;
use crate::orchestrator::prompts::budget::LeftOut;
use crate::template::Phase;

/// Prints the prompt that would be sent next.
pub(super) fn dry_run(
    room: Room,
    id: &ChangeId,
    request: Option<&str>,
    options: &AgentOptions,
) -> Outcome {
    show(&next_prompt(room, id, request, options, None)?)
}

/// Puts together the prompt that would be sent next, byte for byte. One that is wanted of a certain phase is refused
/// where another phase is next.
pub(in super::super) fn next_prompt(
    room: Room,
    id: &ChangeId,
    request: Option<&str>,
    options: &AgentOptions,
    wanted: Option<Phase>,
) -> Outcome<Preview> {
    let folder = room.project.change(id);
    let mut history = match room.whereabouts(id)? {
        Whereabouts::Open(folder) => history(&folder)?,
        Whereabouts::Archived(path) => return Err(archived(id, &path)),
        Whereabouts::Nowhere => History::default(),
    };
    match (&history.request, request) {
        (None, None) => return Err(no_such_change(id)),
        (None, Some(request)) => history.request = Some(request.to_owned()),
        (Some(_), Some(text)) if is_new_text(&history, text) => guide(&mut history, id, text)?,
        (Some(_), _) => {}
    }
    let setup = set_up_to_look(room, options)?;
    let phase = next_phase(&setup, id, &history)?;
    if let Some(wanted) = wanted.filter(|wanted| *wanted != phase) {
        let message = format!("change `{id}` is at {}, not at {wanted}", history.at());
        return Err(Failure::new(Kind::Precondition, message)
            .help(format!("`agentd prompt {phase} --change {id}` prints what is sent next")));
    }
    Ok(preview(&setup, id, &folder, &history, phase)?)
}

/// Prints a prompt, and on standard error what a run may send that is not in it.
pub(in super::super) fn show(preview: &Preview) -> Outcome {
    for reservation in &preview.reservations {
        warn!("{reservation}");
    }
    print_request(&preview.composed)
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

/// Prints the prompts of a team that would be sent next, each under the name of its file.
pub(super) fn dry_run_team(
    room: Room,
    id: &ChangeId,
    request: Option<&str>,
    options: &AgentOptions,
) -> Outcome {
    let folder = room.project.change(id);
    let said = match (room.whereabouts(id)?, request) {
        (Whereabouts::Archived(path), _) => return Err(archived(id, &path)),
        (Whereabouts::Nowhere, None) => return Err(no_such_change(id)),
        (Whereabouts::Nowhere, Some(request)) => Said::Request(request, room.first_step()?),
        (Whereabouts::Open(folder), Some(text)) => {
            let history = history(&folder)?;
            match (is_new_text(&history, text), may_be_guided(&history)) {
                (true, true) => Said::Guidance(text),
                (true, false) => return Err(too_late(id, &history)),
                (false, _) => Said::Nothing,
            }
        }
        (Whereabouts::Open(_), None) => Said::Nothing,
    };
    let setup = set_up_to_look(room, options)?;
    let foreseen = match team::preview(&setup, id, &folder, said)? {
        Foreseen::Step(foreseen) => foreseen,
        Foreseen::Nothing { next, at } => return Err(nothing_sent(id, next, &at)),
    };
    for reservation in &foreseen.reservations {
        warn!("{reservation}");
    }
    let mut stdout = io::stdout().lock();
    for (number, prompt) in foreseen.prompts.iter().enumerate() {
        let gap = if number == 0 { "" } else { "\n" };
        let text = prompt.text.trim_end();
        write!(stdout, "{gap}==> {} <==\n{text}\n", prompt.file)?;
    }
    Ok(stdout.flush()?)
}

fn nothing_sent(id: &ChangeId, next: TeamNext, at: &str) -> Failure {
    let help = match next {
        TeamNext::Exhausted => {
            format!("`agentd reject {id} \"what to do\"` gives it new rounds")
        }
        TeamNext::Apply => format!("`agentd run {id}` puts the change away, without an agent"),
        TeamNext::Wait | TeamNext::Run(_) | TeamNext::Verify => {
            format!("`agentd approve {id}` lets it go on")
        }
        TeamNext::End => "begin another change under an id of its own".to_owned(),
    };
    Failure::new(Kind::Precondition, format!("nothing is sent for `{id}`: it is at {at}"))
        .help(help)
}

/// Adds guidance to what is known of the change, here alone.
fn guide(history: &mut History, id: &ChangeId, text: &str) -> Outcome {
    if !may_be_guided(history) {
        return Err(too_late(id, history));
    }
    let entry = Entry::Guided { text: text.to_owned() };
    let record = Record { version: Record::VERSION, at_ms: history.changed_ms, entry };
    history.take(&record).map_err(|error| Failure::new(Kind::Bug, error.to_string()))
}

/// Gives the phase whose prompt would be sent next.
fn next_phase(setup: &Setup, id: &ChangeId, history: &History) -> Outcome<Phase> {
    let help = match history.state.step(setup.rounds()) {
        Step::Run(phase) => return Ok(phase),
        Step::Verify(Check::AfterImplement) => return Ok(Phase::Review),
        Step::Verify(Check::BeforeArchive) => return Ok(Phase::Archive),
        Step::Wait(_) => format!("`agentd approve {id}` lets it go on"),
        Step::Exhausted(_) => format!("`agentd reject {id} \"what to do\"` gives it new rounds"),
        Step::Apply => format!("`agentd run {id}` puts the archive in place, without an agent"),
        Step::End => "begin another change under an id of its own".to_owned(),
    };
    let message = format!("nothing is sent for `{id}`: it is at {}", history.at());
    Err(Failure::new(Kind::Precondition, message).help(help))
}
