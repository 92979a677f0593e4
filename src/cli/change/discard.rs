//! `agentd discard`: removes a change that is not merged.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::live::end_given_up;
use crate::cli::confirm;
use crate::cli::{Failure, Format, Outcome, ProjectContext, no_such_change, read_history, report};
use crate::engine::change::{Change, ChangeError};
use crate::engine::discard::{Discard, Discarded, merged_into};
use crate::engine::project::Whereabouts;
use crate::models::change::ChangeId;
use crate::output::json::paths;

/// Remove everything of a change that is not merged: its branch, its workspaces, its documents and its journal.
///
/// For an archived change, the specs and the entry in agentd/CHANGELOG.md are reverted too, unless somebody has edited
/// them since.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd discard add-login         asks first
  agentd discard add-login --yes   for scripts")]
pub(crate) struct DiscardChange {
    /// The change's id.
    change: ChangeId,
    /// Do not ask.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    format: Format,
}

impl DiscardChange {
    pub(crate) fn run(&self) -> Outcome {
        let context = ProjectContext::find()?;
        let (id, project, repository) = (&self.change, &context.project, &context.repository);
        let found = context.whereabouts(id)?;
        let is_begun = project.is_being_discarded(id);
        if found == Whereabouts::Nowhere && !is_begun {
            return Err(no_such_change(id));
        }
        if !self.yes && !confirm::is_possible() {
            return Err(Failure::usage(
                format!("cannot ask whether to discard `{id}`: there is no terminal"),
                format!("`agentd discard {id} --yes` does it without asking"),
            ));
        }
        let workspaces = &context.workspaces()?;
        let lock = &Change::lock(id, project)?;
        let discard = Discard { id, project, repository, workspaces, lock };
        discard.refuse_in_use()?;
        if !discard.is_begun() {
            self.reject_merged(&context)?;
            if !self.yes && !confirmed(id, &discard.plan()?)? {
                return report("Nothing changed.\n");
            }
            end_given_up(id, &project.location(id).state)?;
        }
        self.report(&discard.run()?)
    }

    /// Refuses a change whose code is in a branch of the user, and one of another checkout.
    fn reject_merged(&self, context: &ProjectContext) -> Outcome {
        let id = &self.change;
        let history = read_history(&context.project.location(id).state)?;
        if !context.project.may_hold(history.checkout.as_deref()) {
            let checkout = history.checkout;
            return Err(ChangeError::OtherCheckout { id: id.clone(), checkout }.into());
        }
        merged_into(&context.repository, id, &history)?.map_or(Ok(()), |branch| {
            Err(Failure::precondition(
                format!("change `{id}` is merged into `{branch}`"),
                "`git revert` reverts merged code; `agentd prune` removes what is left of the change",
            ))
        })
    }

    fn report(&self, done: &Discarded) -> Outcome {
        let id = &self.change;
        let Discarded { branches, workspaces, documents, files } = done;
        let object = json!({
            "id": id, "branches": branches, "workspaces": paths(workspaces),
            "documents": paths(documents), "restored": files.restored, "left": files.left,
        });
        let mut text = format!("change `{id}` is discarded\n{}", lines(done));
        for file in &files.restored {
            text.push_str(&format!("restored   agentd/{file}\n"));
        }
        for file in &files.left {
            text.push_str(&format!(
                "left       agentd/{file}: it was edited since the archive; check it yourself\n"
            ));
        }
        self.format.report(object, &text)
    }
}

/// Asks for confirmation to remove all of this.
fn confirmed(id: &ChangeId, plan: &Discarded) -> Outcome<bool> {
    report(&lines(plan))?;
    confirm::confirm(&format!("Discard change `{id}` with all of this? This cannot be undone."))
}

fn lines(of: &Discarded) -> String {
    let line = |label: &str, thing: &str| format!("{label:<10} {thing}\n");
    let folder = |label| move |path: &PathBuf| line(label, &path.display().to_string());
    let branches = of.branches.iter().map(|branch| line("branch", branch));
    let workspaces = of.workspaces.iter().map(folder("workspace"));
    branches.chain(workspaces).chain(of.documents.iter().map(folder("documents"))).collect()
}
