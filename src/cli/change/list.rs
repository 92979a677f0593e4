//! `agentd list`: the changes of a project.

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::next::next;
use crate::cli::{Format, Outcome, PathContext as _, ProjectContext, ReadChange, read_history};
use crate::engine::change::checkout_words;
use crate::engine::history::History;
use crate::engine::project::Location;
use crate::models::change::ChangeId;
use crate::output::json::path_text;

/// List the changes of this project: where each one is, and the next command.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd list             open changes
  agentd list --all       archived changes too
  agentd list --json      for scripts")]
pub(crate) struct List {
    #[command(flatten)]
    pub(super) format: Format,
    /// List archived changes too.
    #[arg(long)]
    pub(super) all: bool,
}

impl List {
    pub(crate) fn run(&self) -> Outcome {
        let context = ProjectContext::find()?;
        let folder = context.project.folder();
        let mut changes = context.project.open().or_fail("cannot read", &folder)?;
        let mut archived = context.project.archived().or_fail("cannot read", &folder)?;
        let all = archived.len();
        if !self.all {
            // A change whose archive was interrupted is still open, and one that cannot be read needs attention.
            archived
                .retain(|(_, it)| !read_history(&it.state).is_ok_and(|history| history.is_over()));
        }
        let hidden = all - archived.len();
        changes.extend(archived);
        let rows: Vec<_> =
            changes.into_iter().map(|(id, location)| Row::read(&context, id, location)).collect();
        let text = match (rows.is_empty(), hidden) {
            (false, _) => table(&rows),
            (true, 0) => {
                "there is no change yet: `agentd run add-login \"Add a login page\"` starts one\n"
                    .to_owned()
            }
            (true, _) => {
                format!(
                    "no change is open; `agentd list --all` also shows {hidden} in the archive\n"
                )
            }
        };
        self.format.print(json!({ "changes": rows }), &text)
    }
}

/// One change in the list.
#[derive(Serialize)]
pub(super) struct Row {
    id: ChangeId,
    folder: String,
    stage: String,
    at: String,
    checks: Option<String>,
    pub(super) next: String,
}

impl Row {
    /// Reads a change. One that cannot be read does not hide the others.
    pub(super) fn read(context: &ProjectContext, id: ChangeId, location: Location) -> Self {
        let folder = path_text(&location.folder);
        let seen = ReadChange::at(location).and_then(|change| Ok((change.holder()?, change)));
        match seen {
            Ok((holder, change)) => {
                let (history, holder) = (&change.history, holder.as_deref());
                let next = next_or_wait(context, &id, history, holder);
                let checks = history.last_checks.as_ref().map(ToString::to_string);
                Self {
                    stage: history.token(),
                    at: brief(history, holder),
                    checks,
                    next,
                    id,
                    folder,
                }
            }
            Err(failure) => {
                let at = format!("unreadable: {}", failure.message);
                let next = format!("agentd status {id}");
                Self { stage: "unreadable".to_owned(), at, checks: None, next, id, folder }
            }
        }
    }
}

/// Returns the next command for a change, unless another process works on it.
pub(super) fn next_or_wait(
    context: &ProjectContext,
    id: &ChangeId,
    history: &History,
    holder: Option<&str>,
) -> String {
    if !context.project.may_hold(history.checkout.as_deref()) {
        return format!("nothing here: it belongs to {}", checkout_words(&history.checkout));
    }
    match holder {
        Some(holder) => format!("nothing: {holder} is working on it"),
        None => next(id, history, &context.repository, |limit| context.rounds(limit)),
    }
}

/// Shows changes in columns.
pub(super) fn table(rows: &[Row]) -> String {
    let ids = rows.iter().map(|row| row.id.as_str().len()).max().unwrap_or(0);
    let stages = rows.iter().map(|row| row.at.chars().count().min(40)).max().unwrap_or(0);
    let line = |row: &Row| format!("{:<ids$}  {:<stages$}  {}\n", row.id, row.at, row.next);
    rows.iter().map(line).collect()
}

/// Returns where a change is, in a word or two, and whether it is running.
pub(super) fn brief(history: &History, holder: Option<&str>) -> String {
    let is_checked = history.state.checks.is_some();
    let result = history.last_checks.as_ref().filter(|_| is_checked);
    let result = result.filter(|result| !result.exceptions().is_empty());
    let mut but = result.map(|result| format!("; {result}")).unwrap_or_default();
    if history.override_reason().is_some() {
        but.push_str("; overridden");
    }
    if history.is_over() {
        return format!("{}{but}", history.token());
    }
    let more = match (holder, &history.failure) {
        (Some(_), _) => ", running",
        (None, Some(_)) => ", failed",
        (None, None) => "",
    };
    format!("{}{more}{but}", history.at())
}
