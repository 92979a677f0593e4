//! The Rust of the team's prompts: for each its text and its node table, and a look-up over the complete set. A folder
//! without them has none of it.

use std::borrow::Cow;

use super::super::contract::{self, EXTENSION_POINT};
use super::super::source::hash_of;
use super::super::{Compilation, TeamUnit};
use super::write_to;
use crate::template::{Dialect, Node, Part, Placeholder, TeamPrompt, parse};

/// Writes the templates and, where the set is complete, `TEAM`.
pub(super) fn team(out: &mut String, compilation: &Compilation, library: &str) {
    let unit_of =
        |prompt: TeamPrompt| compilation.team.iter().find(move |unit| unit.prompt == prompt);
    let units: Vec<_> = TeamPrompt::all().filter_map(unit_of).collect();
    if units.len() < TeamPrompt::COUNT {
        return;
    }
    for unit in &units {
        template(out, unit, library);
    }
    write_to(
        out,
        format_args!(
            "/// The prompts of the team.\n\
             pub static TEAM: {library}::catalog::Team = {library}::catalog::Team {{\n    \
                 templates: [{templates}],\n\
             }};\n",
            templates = super::references("TEAM", units.len()),
        ),
    );
}

fn template(out: &mut String, unit: &TeamUnit, library: &str) {
    let text = &unit.linked.text;
    let steps = steps(text);
    let module = format!("{library}::template");
    let prompt = match unit.prompt {
        TeamPrompt::Role(role) => format!("Role({module}::Role::{role:?})"),
        TeamPrompt::Command(command) => format!("Command({module}::Command::{command:?})"),
        TeamPrompt::Context => "Context".to_owned(),
    };
    let placeholders: String = placeholders(&steps)
        .into_iter()
        .map(|placeholder| format!("{module}::Placeholder::{placeholder:?}, "))
        .collect();
    let extension_names = extension_names(unit.prompt);
    let table: String =
        steps.iter().map(|step| format!("        {},\n", written(step, &module))).collect();
    write_to(
        out,
        format_args!(
            "static TEAM_{number}: {library}::catalog::TeamTemplate = {library}::catalog::TeamTemplate {{\n    \
                 prompt: {module}::TeamPrompt::{prompt},\n    \
                 file: {file:?},\n    \
                 hash: {hash:?},\n    \
                 placeholders: &[{placeholders}],\n    \
                 extension_names: &{extension_names:?},\n    \
                 text: {text:?},\n    \
                 nodes: &[\n{table}    ],\n\
             }};\n\n",
            number = unit.prompt.index(),
            file = unit.prompt.file(),
            hash = hash_of(text),
        ),
    );
}

/// A node whose text may be put together of neighbouring ones.
enum Step<'t> {
    Text(String),
    Hole(&'t str),
    Include { path: Cow<'t, [Part<'t>]>, required: bool },
}

/// Parses a linked text; neighbouring texts become one.
fn steps(text: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for (node, _) in parse(text, &Dialect::ROLE).nodes {
        match (node, steps.last_mut()) {
            (Node::Text(more), Some(Step::Text(text))) => text.push_str(more),
            (Node::Text(text), _) => steps.push(Step::Text(text.to_owned())),
            (Node::Hole(name), _) => steps.push(Step::Hole(name)),
            (Node::Include { path, required }, _) => steps.push(Step::Include { path, required }),
            // Linking has put every fragment in place.
            (Node::Fragment(_), _) => {}
        }
    }
    steps
}

fn written(step: &Step<'_>, module: &str) -> String {
    let part = |part: &Part<'_>| match part {
        Part::Text(text) => format!("{module}::Part::Text({text:?}), "),
        Part::Hole(name) => format!("{module}::Part::Hole({name:?}), "),
    };
    match step {
        Step::Text(text) => format!("{module}::Node::Text({text:?})"),
        Step::Hole(name) => format!("{module}::Node::Hole({name:?})"),
        Step::Include { path, required } => {
            let parts: String = path.iter().map(part).collect();
            format!(
                "{module}::Node::Include {{ path: ::std::borrow::Cow::Borrowed(&[{parts}]), required: {required} }}"
            )
        }
    }
}

/// Lists the values that a template uses, in its paths too, in the order of their first use.
fn placeholders(steps: &[Step<'_>]) -> Vec<Placeholder> {
    let mut used = Vec::new();
    let mut note = |name: &str| {
        let placeholder = Placeholder::from_word(name);
        if let Some(placeholder) = placeholder.filter(|placeholder| !used.contains(placeholder)) {
            used.push(placeholder);
        }
    };
    for step in steps {
        match step {
            Step::Text(_) => {}
            Step::Hole(name) => note(name),
            Step::Include { path, .. } => path.iter().for_each(|part| match part {
                Part::Text(_) => {}
                Part::Hole(name) => note(name),
            }),
        }
    }
    used
}

/// Lists the values that a project's own text may use in a prompt: those that the prompt itself may ask for. Nobody
/// extends the context.
fn extension_names(prompt: TeamPrompt) -> Vec<&'static str> {
    let contract = contract::team(prompt);
    if !contract.allows(Placeholder::ProjectInstructions) {
        return Vec::new();
    }
    let values = contract.required.iter().chain(contract.optional);
    values.map(|value| value.word()).filter(|name| *name != EXTENSION_POINT).collect()
}
