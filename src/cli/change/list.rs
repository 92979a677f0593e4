//! `agentd list`: the changes of a project.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Outcome};
use super::super::{print_json, say};
use super::status::{history, holder, next_or_wait};
use super::workshop::Room;
use crate::engine::history::History;
use crate::models::change::ChangeId;
use crate::output::json_line::path_text;

/// List the changes of this project: where each one is, and what is next.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd list             what is being worked on
  agentd list --all       what is archived too
  agentd list --json      for scripts")]
pub(in super::super) struct List {
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// List those that are archived too.
    #[arg(long)]
    pub(super) all: bool,
}

impl List {
    pub(in super::super) fn run(&self) -> Outcome {
        let room = Room::find()?;
        let unreadable =
            |error: std::io::Error| Failure::io("cannot read", &room.project.folder(), &error);
        let mut changes = room.project.open().map_err(unreadable)?;
        let mut archived = room.project.archived().map_err(unreadable)?;
        let all = archived.len();
        if !self.all {
            // One that agentd did not get to take down as archived is still to be gone on with, and one that cannot be
            // read is to be looked at.
            archived.retain(|(_, folder)| history(folder).map_or(true, |it| !it.is_over()));
        }
        let hidden = all - archived.len();
        changes.extend(archived);
        let rows: Vec<_> =
            changes.into_iter().map(|(id, folder)| Row::of(&room, id, folder)).collect();
        if self.json {
            let rows: Vec<_> = rows.iter().map(Row::json).collect();
            return print_json(&json!({ "version": 1, "changes": rows }));
        }
        if rows.is_empty() && hidden > 0 {
            return say(&format!(
                "no change is open; `agentd list --all` shows {hidden} in the archive\n"
            ));
        }
        if rows.is_empty() {
            return say(
                "there is no change yet: `agentd run add-login \"Add a login page\"` begins one\n",
            );
        }
        say(&table(&rows))
    }
}

/// A change in the list.
pub(super) struct Row {
    id: ChangeId,
    folder: PathBuf,
    stage: String,
    at: String,
    pub(super) next: String,
}

impl Row {
    /// Looks at a change. One that cannot be read does not hide the others.
    pub(super) fn of(room: &Room, id: ChangeId, folder: PathBuf) -> Self {
        let seen = history(&folder).and_then(|history| {
            let holder = holder(&folder, &history)?;
            Ok((history, holder))
        });
        let (stage, at, next) = match seen {
            Ok((history, holder)) => {
                let holder = holder.as_deref();
                let next = next_or_wait(room, &id, &history, holder);
                (history.token(), brief(&history, holder), next)
            }
            Err(failure) => {
                let at = format!("unreadable: {}", failure.message);
                ("unreadable".to_owned(), at, format!("agentd status {id}"))
            }
        };
        Self { id, folder, stage, at, next }
    }

    fn json(&self) -> serde_json::Value {
        let Self { id, folder, stage, at, next } = self;
        json!({ "id": id, "folder": path_text(folder), "stage": stage, "at": at, "next": next })
    }
}

/// Shows changes in columns.
pub(super) fn table(rows: &[Row]) -> String {
    let ids = rows.iter().map(|row| row.id.as_str().len()).max().unwrap_or(0);
    let stages = rows.iter().map(|row| row.at.chars().count().min(40)).max().unwrap_or(0);
    let line = |row: &Row| format!("{:<ids$}  {:<stages$}  {}\n", row.id, row.at, row.next);
    rows.iter().map(line).collect()
}

/// Says in a word or two where a change is, and whether somebody is at work on it.
pub(super) fn brief(history: &History, holder: Option<&str>) -> String {
    if history.is_over() {
        return history.token();
    }
    let more = match (holder, &history.failure) {
        (Some(_), _) => ", under way",
        (None, Some(_)) => ", which failed",
        (None, None) => "",
    };
    format!("{}{more}", history.at())
}
