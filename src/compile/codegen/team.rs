//! The Rust of the team's prompts: for each its text and its node table, and a look-up over the complete set. A folder
//! without them has none of it.

use super::super::contract::{self, EXTENSION_POINT};
use super::super::source::hash_of;
use super::super::{Compilation, TeamUnit};
use super::program::Program;
use super::write_to;
use crate::template::{Dialect, Placeholder, TeamPrompt};

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
    let program = Program::new(text, &Dialect::ROLE, Placeholder::WORDS);
    let module = format!("{library}::template");
    let prompt = match unit.prompt {
        TeamPrompt::Role(role) => format!("Role({module}::Role::{role:?})"),
        TeamPrompt::Command(command) => format!("Command({module}::Command::{command:?})"),
        TeamPrompt::Context => "Context".to_owned(),
    };
    let placeholders = program.used().into_iter().map(|slot| Placeholder::ALL[slot]);
    let placeholders: String = placeholders
        .map(|placeholder| format!("{module}::Placeholder::{placeholder:?}, "))
        .collect();
    let extension_names = extension_names(unit.prompt);
    let table = program.node_table(library);
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

/// Lists the values that a project's own text may use in a prompt: those that the prompt itself may ask for. Nobody
/// extends the context.
fn extension_names(prompt: TeamPrompt) -> Vec<&'static str> {
    let contract = contract::of_prompt(prompt);
    if !contract.allows(EXTENSION_POINT) {
        return Vec::new();
    }
    let values = contract.required.iter().chain(&contract.optional).copied();
    values.filter(|name| *name != EXTENSION_POINT).collect()
}
