//! A person at the terminal decides at a gate, or answers an agent's question, while the run waits.

use std::process::Command;

use super::decide::decide;
use super::next::may_be_rejected;
use super::show::Show;
use crate::cli::{Failure, Kind, Outcome, PathContext as _, ProjectContext, confirm};
use crate::engine::entry::Entry;
use crate::engine::history::History;
use crate::flow::{Next, Waiting};
use crate::models::change::ChangeId;
use crate::process;

/// The plans of the flows: what a person may want to edit before it is carried out.
const PLANS: [&str; 3] = ["proposal.md", "tasks.md", "04_planning/plan.md"];

/// What a run does next.
pub(super) enum Decision {
    /// It continues.
    Continue,
    /// It continues with the answer to a question.
    Answer(String),
    /// It ends. The change waits.
    Quit,
}

/// Asks what happens to a change that waits for a person, if somebody can be asked.
pub(super) fn ask(id: &ChangeId) -> Outcome<Decision> {
    // An agent that has made itself a terminal decides nothing.
    if !confirm::is_possible() || process::guard_above().is_some() {
        return Ok(Decision::Quit);
    }
    loop {
        let context = ProjectContext::find()?;
        let history = context.read(id)?.history;
        let entry = match history.state.next(&history.flow, |limit| context.rounds(limit)) {
            Next::Wait(Waiting::Blocked(_)) => {
                let answer = confirm::ask_text("Your answer (empty to quit):")?;
                let is_empty = answer.is_empty();
                return Ok(if is_empty { Decision::Quit } else { Decision::Answer(answer) });
            }
            Next::Wait(Waiting::Paused(_) | Waiting::Gate(_)) => match question(&history)?.as_str()
            {
                "a" | "approve" => Entry::Approved { note: None },
                "r" | "reject" if may_be_rejected(&history) => {
                    match confirm::ask_text("What should change? (empty to go back)")? {
                        reason if reason.is_empty() => continue,
                        reason => Entry::Rejected { reason },
                    }
                }
                "v" | "view" => {
                    Show::of(id.clone()).run()?;
                    continue;
                }
                "e" | "edit" => {
                    edit(&context, id)?;
                    continue;
                }
                _ => return Ok(Decision::Quit),
            },
            Next::Wait(Waiting::Exhausted(_)) | Next::Run(_) | Next::End => {
                return Ok(Decision::Quit);
            }
        };
        decide(&context, id, entry)?;
        return Ok(Decision::Continue);
    }
}

fn question(history: &History) -> Outcome<String> {
    let reject = if may_be_rejected(history) { " [r]eject" } else { "" };
    confirm::ask(&format!("[a]pprove{reject} [v]iew [e]dit the plan [q]uit?"))
}

/// Opens the plan of a change in the person's editor. What they change is accepted and judged again when the change continues.
fn edit(context: &ProjectContext, id: &ChangeId) -> Outcome {
    let folder = context.location(id)?.folder;
    let plans = PLANS.map(|name| folder.join(name)).into_iter().filter(|path| path.is_file());
    let editor = ["VISUAL", "EDITOR"].into_iter().find_map(std::env::var_os);
    let editor = editor.filter(|it| !it.is_empty()).unwrap_or_else(|| "vi".into());
    // As git does: the setting may hold options.
    let script = format!("{} \"$@\"", editor.to_string_lossy());
    let mut shell = Command::new("sh");
    let status = shell.args(["-c", &script, "editor"]).args(plans).status();
    let status = status.or_fail("cannot start the editor in", &folder)?;
    if status.success() {
        return Ok(());
    }
    let message = format!("the editor `{}` failed: {status}", editor.to_string_lossy());
    Err(Failure::new(Kind::Io, message).help("set EDITOR to the command of your editor"))
}
