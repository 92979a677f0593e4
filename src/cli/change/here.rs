//! `agentd` alone: where you are, what is going on there, and the next command.

use super::super::failure::Outcome;
use super::super::say;
use super::list::{Row, table};
use super::workshop::Room;
use crate::engine::git::GitError;
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;

const WHAT: &str = "\
agentd runs coding agents (Claude Code, Gemini CLI, Codex CLI) through a spec-driven workflow:
plan -> challenge -> implement -> review -> archive. Its prompts are compiled into this binary.
";

const MORE: &str =
    "  agentd demo              the whole workflow in a scratch repository, without any model
  agentd doctor            which agents can be used here
  agentd --help            every command
";

/// Says what this is, where you are and what to do next. It never fails: who types the name alone wants to be told.
pub(in super::super) fn welcome() -> Outcome {
    let text = match Room::find() {
        Ok(room) => project(&room),
        Err(failure) => {
            let help = failure.help_text().unwrap_or("go to a git repository");
            format!("here       {}\nnext       {help}\n", failure.message)
        }
    };
    say(&format!("{WHAT}\n{text}\nMore:\n{MORE}"))
}

fn project(room: &Room) -> String {
    let branch = match room.repository.branch() {
        Ok(Some(branch)) => format!(" on branch {branch}"),
        Ok(None) | Err(_) => String::new(),
    };
    let mut text = format!("project    {}{branch}\n", room.project.root.display());
    if let Err(error) = room.repository.head() {
        text.push_str(&format!("next       {}\n", help(&error)));
        return text;
    }
    let open = room.project.open().unwrap_or_default();
    let done = room.project.archived().unwrap_or_default();
    let is_unmerged =
        |id: &ChangeId| !room.repository.is_merged(&Setup::branch(id)).unwrap_or(true);
    let rows: Vec<_> = open
        .into_iter()
        .chain(done.into_iter().filter(|(id, _)| is_unmerged(id)))
        .map(|(id, folder)| Row::of(room, id, folder))
        .collect();
    let table = table(&rows);
    for (index, line) in table.lines().enumerate() {
        let label = if index == 0 { "changes" } else { "" };
        text.push_str(&format!("{label:<10} {line}\n"));
    }
    let next = match rows.first() {
        Some(row) => row.next.clone(),
        None if room.project.folder().exists() => {
            "agentd run add-login \"Add a login page\"".to_owned()
        }
        None => "agentd init, then agentd run add-login \"Add a login page\"".to_owned(),
    };
    text.push_str(&format!("next       {next}\n"));
    text
}

fn help(error: &GitError) -> String {
    error.help().unwrap_or_else(|| error.to_string())
}
