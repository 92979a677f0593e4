//! The smallest templates that fulfil their contracts, made from the contracts alone.

use std::collections::BTreeMap;

use agentd::compile::contract::{self, Presence, SessionFile};
use agentd::template::TeamPrompt;

/// Gives the prompts of the team and their fragments by their paths below `templates/`.
pub(crate) fn team() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for prompt in TeamPrompt::all() {
        files.insert(prompt.file(), team_prompt(prompt));
        for name in contract::team(prompt).fragments {
            files.insert(format!("shared/{name}.md"), format!("Mind the {name}.\n"));
        }
    }
    files
}

/// Writes one prompt of the team; everything that its contract asks for has a line of its own.
pub(crate) fn team_prompt(prompt: TeamPrompt) -> String {
    let contract = contract::team(prompt);
    let mut lines = vec![format!("# Prompt {}", prompt.file()), String::new()];
    for title in contract::sections(prompt) {
        lines.extend([format!("## {title}"), "Be exact.".to_owned(), String::new()]);
    }
    for teaching in contract::teachings(prompt) {
        lines.extend(teaching.says.iter().map(|spellings| format!("- Mind: {}.", spellings[0])));
    }
    lines.extend(contract.required.iter().map(|name| format!("[[placeholder:{name}]]")));
    lines.extend(contract.fragments.iter().map(|name| format!("[[shared:{name}]]")));
    lines.extend(contract.files.iter().map(|file| include(*file)));
    lines.join("\n") + "\n"
}

/// Writes the include of a session file.
pub(crate) fn include(file: SessionFile) -> String {
    match file.presence {
        Presence::Certain => format!("[[include:{}]]", file.path),
        Presence::Possible => format!("[[include-optional:{}]]", file.path),
    }
}
