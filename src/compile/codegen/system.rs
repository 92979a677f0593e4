//! The Rust of a system template.

use super::super::SystemUnit;
use super::super::source::hash_of;
use super::program::Program;
use super::write_to;
use crate::template::{Dialect, Variable};

pub(super) fn template(
    out: &mut String,
    number: usize,
    unit: &SystemUnit,
    file: &str,
    library: &str,
) {
    let text = &unit.linked.text;
    let program = Program::new(text, &Dialect::SYSTEM, Variable::WORDS);
    let variables = program.used().into_iter().map(|slot| Variable::ALL[slot]);
    let variables: String = variables
        .map(|variable| format!("{library}::template::Variable::{variable:?}, "))
        .collect();
    write_to(
        out,
        format_args!(
            "static TEMPLATE_{number}: {library}::catalog::SystemTemplate = \
             {library}::catalog::SystemTemplate {{\n    \
                 agent: {library}::template::Agent::{agent:?},\n    \
                 phase: {library}::template::Phase::{phase:?},\n    \
                 file: {file:?},\n    \
                 hash: {hash:?},\n    \
                 variables: &[{variables}],\n    \
                 text: {text:?},\n    \
                 nodes: &[\n{table}    ],\n    \
                 write: render_{number},\n\
             }};\n\n",
            agent = unit.agent,
            phase = unit.phase,
            hash = hash_of(text),
            table = program.node_table(library),
        ),
    );
    program.function(out, &format!("render_{number}"), Variable::ALL.len(), library);
}
