//! The smallest templates that fulfil their contracts, made from the contracts alone.

use std::collections::BTreeMap;

use agentd::compile::contract::{self, Presence, SessionFile};
use agentd::template::{Phase, TeamPrompt};

/// Writes the smallest template that fulfils a phase's contract.
pub(crate) fn base_template(phase: Phase) -> String {
    let contract = contract::of_phase(phase);
    let [role, principles, placeholders, workflow] = contract.sections.as_slice() else {
        panic!("{:?}", contract.sections);
    };
    let variables: String =
        contract.required.iter().map(|variable| format!("{{{{{variable}}}}}\n")).collect();
    let variables = format!("<values>\n{variables}</values>\n");
    let directives: String =
        contract.speaks_of.iter().map(|spellings| format!("- Mind: {}.\n", spellings[0])).collect();
    let verdicts: Vec<_> =
        contract.verdicts().iter().map(|verdict| format!("<review>{verdict}</review>")).collect();
    let statuses = contract
        .task_statuses()
        .iter()
        .map(|status| format!("<task_status id=\"1.1\">{status}</task_status>"));
    let answers = verdicts.into_iter().chain(statuses).collect::<Vec<_>>().join(" or ");
    format!(
        "# Prompt of phase {phase}\n\n\
         ## {role}\nYou are one of several agents.\n\n\
         ## {principles}\nBe exact.\n\n\
         ## {placeholders}\n{variables}\n\
         ## {workflow}\n{directives}\n\
         Think in <thought>.\n<blocked>the question</blocked>\nAnswer: {answers}\n"
    )
}

/// Gives the prompts of the team and their fragments by their paths below `templates/`.
pub(crate) fn team() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for prompt in TeamPrompt::all() {
        files.insert(prompt.file(), team_prompt(prompt));
        for name in &contract::of_prompt(prompt).fragments {
            files.insert(format!("shared/{name}.md"), format!("Mind the {name}.\n"));
        }
    }
    files
}

/// Writes one prompt of the team; everything that its contract asks for has a line of its own.
pub(crate) fn team_prompt(prompt: TeamPrompt) -> String {
    let contract = contract::of_prompt(prompt);
    let mut lines = vec![format!("# Prompt {}", prompt.file()), String::new()];
    for title in &contract.sections {
        lines.extend([format!("## {title}"), "Be exact.".to_owned(), String::new()]);
    }
    for teaching in &contract.teaches {
        lines.extend(teaching.says.iter().map(|spellings| format!("- Mind: {}.", spellings[0])));
    }
    if prompt != TeamPrompt::Context {
        lines.push("- Ask: <blocked>the question</blocked>".to_owned());
    }
    lines.extend(contract.required.iter().map(|name| format!("[[placeholder:{name}]]")));
    lines.extend(contract.fragments.iter().map(|name| format!("[[shared:{name}]]")));
    lines.push("<files>".to_owned());
    lines.extend(contract.files.iter().map(include));
    lines.push("</files>".to_owned());
    lines.join("\n") + "\n"
}

/// Writes the include of a session file.
pub(crate) fn include(file: &SessionFile) -> String {
    match file.presence {
        Presence::Certain => format!("[[include:{}]]", file.path),
        Presence::Possible => format!("[[include-optional:{}]]", file.path),
    }
}
