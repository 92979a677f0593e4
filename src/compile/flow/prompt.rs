//! What an agent is asked, and how it can answer: a prompt knows the outcomes of its step.

use super::FlowCode;
use super::read::{Entry, Reader, meant};
use crate::compile::diagnostic::quoted;
use crate::flow::{Kind, Outcome, Prompt};
use crate::template::{Command, Phase, Role};

/// Reads the prompt of a step. Without one, a step that is named like a role asks that role; any other has a template of its own.
pub(super) fn read(
    reader: &mut Reader<'_>,
    step: &str,
    kind: Kind,
    entry: Option<Entry<'_>>,
) -> Option<Prompt> {
    if kind != Kind::Agent {
        return None;
    }
    let Some(entry) = entry else {
        return Some(Role::from_word(step).map_or(Prompt::Own, Prompt::Role));
    };
    let text = reader.text(entry)?;
    let found = match text.split_once(':') {
        Some(("system", phase)) => Phase::from_word(phase).map(Prompt::System),
        Some(("commands", command)) => Command::from_word(command).map(Prompt::Command),
        Some(_) => None,
        None if text == "own" => Some(Prompt::Own),
        None => Role::from_word(text).map(Prompt::Role),
    };
    if found.is_none() {
        let message = format!("there is no prompt {}", quoted(text));
        let all = all();
        let all: Vec<_> = all.iter().map(String::as_str).collect();
        reader.report(FlowCode::WrongValue, entry.span, message, meant(text, &all));
    }
    found
}

fn all() -> Vec<String> {
    let system = Phase::ALL.iter().map(|phase| format!("system:{phase}"));
    let roles = Role::ALL.iter().map(ToString::to_string);
    let commands = Command::ALL.iter().map(|command| format!("commands:{command}"));
    system.chain(roles).chain(commands).chain(["own".to_owned()]).collect()
}

/// Returns under which name the configuration says who answers a prompt.
pub(super) fn slot(prompt: Option<Prompt>, step: &str) -> String {
    match prompt {
        Some(Prompt::System(phase)) => phase.word().to_owned(),
        Some(Prompt::Role(role)) => role.word().to_owned(),
        Some(Prompt::Command(command)) => command.role().word().to_owned(),
        Some(Prompt::Own) | None => step.to_owned(),
    }
}

/// Lists how a step with this prompt can end, as its template teaches; `None` for a flow's own template, which follows the flow.
pub(super) fn outcomes(prompt: Prompt) -> Option<Vec<Outcome>> {
    match prompt {
        Prompt::System(Phase::Implement) => Some(vec![Outcome::AllDone, Outcome::TasksLeft]),
        Prompt::System(phase) if phase.verdicts().is_empty() => Some(vec![Outcome::Files]),
        Prompt::System(phase) => Some(phase.verdicts().iter().map(|it| (*it).into()).collect()),
        Prompt::Command(Command::Review) => Some(vec![Outcome::Pass, Outcome::NeedsChanges]),
        Prompt::Role(_) | Prompt::Command(Command::Fix | Command::Summary | Command::Change) => {
            Some(vec![Outcome::Files])
        }
        Prompt::Own => None,
    }
}
