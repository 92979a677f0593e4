//! `agentd preferences`: what people want of each role, approved and proposed. One file per command.

mod add;
mod approve;
mod list;
mod pending;
mod reject;
mod remove;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::commands::commands;
use crate::cli::{Format, Outcome, ProjectContext};
use crate::models::change::ChangeId;
use crate::prompt::preferences::{Applied, Preference, Proposal, ProposalId, Selection};

commands! {
    /// Show, approve, add and remove preferences for the team's roles.
    ///
    /// A preference is one line that every later prompt of its role contains. Approved ones are under the heading
    /// "Approved Preferences" in agentd/prompts/agents/ROLE.md, which you can edit. Proposals of agents wait in
    /// agentd/preferences.pending.json until you approve or reject them.
    Preferences {
        List(list::List),
        Pending(pending::Pending),
        Approve(approve::Approve),
        Reject(reject::Reject),
        Add(add::Add),
        Remove(remove::Remove),
    }
}

/// Returns the root of the project, where the preferences are.
fn project() -> Outcome<PathBuf> {
    Ok(ProjectContext::find()?.project.root)
}

/// Some proposals, or all.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Chosen {
    /// The ids of proposals, as `agentd preferences pending` shows them.
    #[arg(value_name = "ID")]
    ids: Vec<ProposalId>,
    /// All that is pending.
    #[arg(long)]
    all: bool,
}

impl Chosen {
    fn selection(&self) -> Selection {
        if self.all { Selection::All } else { Selection::These(self.ids.clone()) }
    }
}

const NOTHING_PENDING: &str = "no preference is pending\n";

/// A preference for programs; `file` is set if it was written.
#[derive(Serialize)]
struct PreferenceView<'p> {
    role: &'static str,
    bullet: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'p str>,
}

impl<'p> PreferenceView<'p> {
    fn new(preference: &'p Preference, file: Option<&'p str>) -> Self {
        Self { role: preference.role.word(), bullet: preference.bullet.as_str(), file }
    }
}

/// A proposal for programs.
#[derive(Serialize)]
struct ProposalView<'p> {
    id: &'p str,
    #[serde(flatten)]
    preference: PreferenceView<'p>,
    change: &'p ChangeId,
    run: Option<&'p str>,
    at: u64,
}

impl<'p> ProposalView<'p> {
    fn new(proposal: &'p Proposal) -> Self {
        let Proposal { id, preference, from, at } = proposal;
        let preference = PreferenceView::new(preference, None);
        Self {
            id: id.as_str(),
            preference,
            change: &from.change,
            run: from.run.as_deref(),
            at: *at,
        }
    }
}

/// Reports the result for preferences that were to be stored.
fn report_applied(Applied { written, known }: &Applied, format: Format) -> Outcome {
    let new = written.iter().map(|it| PreferenceView::new(&it.preference, Some(&it.file)));
    let old = known.iter().map(|preference| PreferenceView::new(preference, None));
    let (new, old) = (new.collect::<Vec<_>>(), old.collect::<Vec<_>>());
    let line = |PreferenceView { role, bullet, file }: &PreferenceView<'_>| match file {
        Some(file) => format!("{role}: {bullet}\n  written to {file}\n"),
        None => format!("{role}: {bullet}\n  already there\n"),
    };
    let text: String = new.iter().chain(&old).map(line).collect();
    format.report(json!({ "written": new, "known": old }), &text)
}
