//! What an agent is asked, and how it can answer: a prompt knows the outcomes of its step.

use super::FlowCode;
use crate::compile::contract::{self, Contract};
use crate::compile::diagnostic::quoted;
use crate::compile::fields::{FieldReader, meant};
use crate::flow::Prompt;
use crate::template::{Command, Phase, Role, TeamPrompt};
use crate::text::node::Node;

/// Reads the prompt of a step.
pub(super) fn read(
    reader: &mut FieldReader<'_, FlowCode>,
    node: &Node,
    what: &str,
) -> Option<Prompt> {
    let text = reader.text(node, what)?;
    let found = match text.split_once(':') {
        Some(("system", phase)) => Phase::from_word(phase).map(Prompt::System),
        Some(("commands", command)) => Command::from_word(command).map(Prompt::Command),
        Some(_) => None,
        None if text == "own" => Some(Prompt::Own),
        None => Role::from_word(text).map(Prompt::Role),
    };
    let is_for_steps = found.is_some_and(is_for_steps);
    if !is_for_steps {
        let message = match found {
            Some(_) => format!("no step has the prompt `{text}`"),
            None => format!("there is no prompt {}", quoted(text)),
        };
        let all = all();
        let all: Vec<_> = all.iter().map(String::as_str).collect();
        reader.report(FlowCode::WrongValue, node.span, message, meant(text, &all));
    }
    found.filter(|_| is_for_steps)
}

/// Returns whether a step can have a prompt: its contract says how such a step ends. Coders are sent theirs in lanes, researchers beside
/// a step, and a reviewer has one for each thing that it does.
fn is_for_steps(prompt: Prompt) -> bool {
    contract(prompt).is_none_or(|contract| !contract.ends.is_empty())
}

/// Returns the prompt of a step that names none: one that is named like a role asks that role, if steps have its prompt; any other
/// has a template of its own.
pub(super) fn usual(step: &str) -> Prompt {
    let of_role = Role::from_word(step).map(Prompt::Role);
    of_role.filter(|prompt| is_for_steps(*prompt)).unwrap_or(Prompt::Own)
}

fn all() -> Vec<String> {
    let system = Phase::ALL.iter().copied().map(Prompt::System);
    let roles = Role::ALL.iter().copied().map(Prompt::Role);
    let commands = Command::ALL.iter().copied().map(Prompt::Command);
    let all = system.chain(roles).chain(commands).chain([Prompt::Own]);
    all.filter(|prompt| is_for_steps(*prompt)).map(|prompt| prompt.to_string()).collect()
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

/// Returns the contract of a prompt; a flow's own template follows the flow.
pub(super) fn contract(prompt: Prompt) -> Option<&'static Contract> {
    match prompt {
        Prompt::System(phase) => Some(contract::of_phase(phase)),
        Prompt::Role(role) => Some(contract::of_prompt(TeamPrompt::Role(role))),
        Prompt::Command(command) => Some(contract::of_prompt(TeamPrompt::Command(command))),
        Prompt::Own => None,
    }
}
