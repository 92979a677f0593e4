//! No file is opened while a prompt is rendered: everything is done with no file descriptor left to open.
//! The only test of its binary, since the limit holds for the whole process.

use std::collections::HashMap;

use agentd::catalog::CATALOG;
use agentd::models::prompt::UnifiedPrompt;
use agentd::orchestrator::prompts::{inject_variables, load_system_template};
use agentd::{Agent, Phase, Values, Variable};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

#[test]
fn no_file_is_opened_while_a_prompt_is_rendered() {
    let before = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(0), maximum: before.maximum })
        .expect("the limit is set");
    let opened = std::fs::File::open("/dev/null").is_ok();

    let values = Variable::ALL
        .iter()
        .fold(Values::new(), |values, variable| values.with(*variable, "value"));
    let context: HashMap<_, _> =
        Variable::WORDS.iter().map(|word| ((*word).to_owned(), "value".to_owned())).collect();
    let mut prompts = 0;
    let mut differing = 0;
    for agent in Agent::ALL {
        for phase in Phase::ALL {
            let rendered = CATALOG.system(*agent, *phase).render(&values);
            let text = load_system_template(agent.word(), phase.word()).unwrap_or_default();
            differing += usize::from(rendered != inject_variables(text, &context));
            let prompt = UnifiedPrompt::new("Add login")
                .with_system_prompt(rendered)
                .with_file("a", "b < c");
            let xml = prompt.to_xml();
            differing += usize::from(UnifiedPrompt::from_xml(&xml).ok() != Some(prompt));
            prompts += 1;
        }
    }

    setrlimit(Resource::Nofile, before).expect("the limit is set back");
    assert!(!opened, "a file could still be opened, so this test shows nothing");
    assert_eq!((prompts, differing), (20, 0));
}
