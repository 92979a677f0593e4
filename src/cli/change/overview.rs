//! `agentd` without a command: where you are, the open changes, and the next command.

use super::list::{Row, table};
use crate::cli::{Outcome, ProjectContext, print_text};
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;

const WHAT: &str = "\
agentd runs coding agents (Claude Code, Gemini CLI, Codex CLI) through a spec-driven workflow:
plan -> challenge -> implement -> review -> archive. Its prompts are compiled into this binary.
";

const MORE: &str =
    "  agentd demo              the whole workflow in a scratch repository, without any model
  agentd doctor            which agents are usable here
  agentd --help            every command
";

/// Prints what agentd is, where you are and what to do next. It never fails: a person who types only the name needs
/// help.
pub(crate) fn print() -> Outcome {
    let text = match ProjectContext::find() {
        Ok(context) => project(&context),
        Err(failure) => {
            let help = failure.help_text().unwrap_or("go to a git repository");
            format!("here       {}\nnext       {help}\n", failure.message)
        }
    };
    print_text(&format!("{WHAT}\n{text}\nMore:\n{MORE}"))
}

fn project(context: &ProjectContext) -> String {
    let ProjectContext { project, repository } = context;
    let branch = repository.branch().ok().flatten();
    let branch = branch.map(|branch| format!(" on branch {branch}")).unwrap_or_default();
    let mut text = format!("project    {}{branch}\n", project.root.display());
    if let Err(error) = repository.head() {
        let help = error.help().unwrap_or_else(|| error.to_string());
        return format!("{text}next       {help}\n");
    }
    let is_unmerged = |id: &ChangeId| !repository.is_merged(&Setup::branch(id)).unwrap_or(true);
    let done = project.archived().unwrap_or_default();
    let done = done.into_iter().filter(|(id, _)| is_unmerged(id));
    let changes = project.open().unwrap_or_default().into_iter().chain(done);
    let rows: Vec<_> = changes.map(|(id, location)| Row::read(context, id, location)).collect();
    for (index, line) in table(&rows).lines().enumerate() {
        let label = if index == 0 { "changes" } else { "" };
        text.push_str(&format!("{label:<10} {line}\n"));
    }
    let next = match rows.first() {
        Some(row) => &row.next,
        None if project.folder().exists() => "agentd run add-login \"Add a login page\"",
        None => "agentd init, then agentd run add-login \"Add a login page\"",
    };
    format!("{text}next       {next}\n")
}
