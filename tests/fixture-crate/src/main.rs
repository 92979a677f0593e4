//! Renders one of this crate's own templates.

use agentd::{Agent, Phase, Values, Variable};

include!(concat!(env!("OUT_DIR"), "/catalog.rs"));

fn main() {
    let template = CATALOG.system(Agent::Codex, Phase::Implement);
    let values = Values::new().with(Variable::Tasks, "1.1 {{TASKS}}").with(Variable::ProjectContext, "a fixture");
    print!("{}\n{}", template.file, template.render(&values));
}
