//! The draft of project.md: what a project's files reveal, for a person to complete.

use super::survey::{Part, Survey};

/// Drafts the file that every agent receives as the project's context.
pub(super) fn project(survey: &Survey) -> String {
    let mut text = format!("# {}\n\n", survey.name);
    text.push_str(
        "<!-- Drafted by `agentd init` from the files it found. Edit it: every agent reads this first. -->\n\n",
    );
    text.push_str(match &survey.description {
        Some(description) => description,
        None => "(What is this project, and who uses it?)",
    });
    text.push_str("\n\n## How it is built and tested\n\n");
    let lines: Vec<_> = survey.parts.iter().flat_map(built).collect();
    if lines.is_empty() {
        text.push_str("(How is it built and tested?)\n");
    }
    for line in &lines {
        text.push_str(&format!("- {line}\n"));
    }
    text.push_str("\n## Where things are\n\n");
    for name in &survey.layout {
        text.push_str(&format!("- `{name}`\n"));
    }
    if survey.layout.is_empty() {
        text.push_str("(Nothing here yet.)\n");
    }
    text.push_str("\n## What to follow\n\n(Conventions, boundaries, what must never be done.)\n");
    text
}

fn built(part: &Part) -> Vec<String> {
    let of = match part.language {
        "" => format!("`{}`", part.path()),
        language => format!("{language} (`{}`)", part.path()),
    };
    let line = |verb: &str, command: String| format!("{of}: {verb} with `{command}`");
    let setup = part.setup_commands().map(|command| line("set up", command));
    let build = part.build_command().map(|command| line("build", command));
    let test = part.test_command().map(|command| line("test", command));
    let lines: Vec<_> = setup.chain(build).chain(test).collect();
    if lines.is_empty() { vec![of] } else { lines }
}
