//! Flows: what the compiler makes of them, what it refuses, and that the states it proves are those of the machines.

mod cli;
mod columns;
pub(crate) mod fourth;
mod leaves;
mod mutants;
mod oracle;
mod own;
mod states;

use agentd::compile::Sources;
use agentd::compile::flow::{FlowCompilation, Origin, compile_flows};
use agentd::flow::Flow;

/// The text of a flow that is compiled in.
fn text(name: &str) -> String {
    crate::support::read(&format!("templates/flows/{name}.toml"))
}

/// Compiles one flow with the templates that are compiled in.
fn compiled(name: &str, text: &str) -> FlowCompilation {
    let mut sources = Sources::new("templates");
    sources.add(&format!("flows/{name}.toml"), text.as_bytes().to_vec());
    compile_flows(sources, Origin::BuiltIn)
}

/// Returns a flow that is compiled in.
fn built_in(name: &str) -> &'static Flow {
    agentd::catalog::CATALOG.flow(name).unwrap_or_else(|| panic!("there is no flow `{name}`"))
}
