//! The files of a team's change that agentd itself writes or takes away before a step begins: what a person said, and
//! marks that an earlier round has left.

use std::path::{Path, PathBuf};

use super::done_marker::open_plan;
use crate::compile::contract::of_role_step;
use crate::engine::accept::Taken;
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::engine::instructions::request;
use crate::engine::outbox::Outbox;
use crate::engine::plan_order::PlanOrder;
use crate::engine::schedule::EXECUTION_PLAN;
use crate::files::{Failed, OrFailed as _};
use crate::flow::{Kind, Step};
use crate::handoff;
use crate::prompt::confined::{ConfinedFolder, io_error};
use crate::prompt::team::TeamSession;
use crate::template::IncludeFault;

/// What is wanted.
pub(super) const REQUIREMENTS: &str = "requirements.md";
/// What a person asks to change.
pub(super) const CHANGES: &str = "08_completion/changes.md";
/// The review.
pub(super) const REVIEW: &str = "07_review/review.md";

/// Names the file in which the review of a round is kept.
pub(super) fn kept_review(round: u32) -> String {
    format!("07_review/review_{round}.md")
}

/// Returns whether a file of a change is the kept review of some round.
pub(in crate::engine) fn is_kept_review(path: &Path) -> bool {
    let round =
        |name: &str| name.strip_prefix("07_review/review_")?.strip_suffix(".md")?.parse().ok();
    path.to_str().and_then(round).is_some_and(|round: u32| path == Path::new(&kept_review(round)))
}

/// Lists what would be taken for the work of this round, though an earlier one may have left it: markers, files that were
/// handed in, and those that the prompt of the step has written anew each time. They are removed before the step begins.
pub(super) fn left_over(step: &Step, papers: &ConfinedFolder) -> Result<Vec<String>, IncludeFault> {
    let Some(folder) = step.folder() else { return Ok(Vec::new()) };
    let is_marker = |path: &String| !path.contains(['*', '.']);
    let files = step.leaves.iter().map(|file| file.path.to_string());
    let mut names: Vec<_> = files.filter(is_marker).collect();
    names.extend(of_role_step(step).into_iter().flat_map(|contract| contract.anew.clone()));
    names.push(format!("{folder}/done"));
    for ending in [".yaml", ".yml"] {
        // The schedule itself is both what is handed in and what is kept.
        let handed_in = papers.list(folder, ending)?.into_iter().filter(|it| it != EXECUTION_PLAN);
        names.extend(handed_in.map(|name| format!("{folder}/{name}")));
    }
    names.retain(|name| papers.has_file(name).unwrap_or(true));
    Ok(names)
}

impl Driver<'_> {
    /// Prepares the change's documents for a role: what is wanted, what a person asked to change, and nothing of earlier rounds
    /// that would be taken for its work.
    pub(in crate::engine) fn lay_out(&mut self, step: &Step) -> Result<(), EngineError> {
        if step.is_document() {
            return Ok(());
        }
        let (history, mut taken) = (&self.change.history, Taken::default());
        let asked: Vec<_> = history.rejections.iter().map(|text| text.trim_end()).collect();
        let mut requirements = format!("{}\n", request(history).trim_end());
        let reads_changes = of_role_step(step).is_some_and(|it| it.file(CHANGES).is_some());
        if reads_changes {
            taken.files.insert(CHANGES, format!("{}\n", asked.join("\n\n")));
        } else {
            let rejected =
                |reason| format!("\nA person has rejected the work, for this reason:\n{reason}\n");
            requirements.extend(asked.iter().map(rejected));
        }
        taken.files.insert(REQUIREMENTS, requirements);
        if let Some(folder) = step.folder() {
            let left = left_over(step, &self.papers()?).map_err(self.unusable(folder))?;
            taken.removed.extend(left);
            let records = format!("{folder}/submissions/");
            let names = history.documents.accepted.keys();
            taken.removed.extend(names.filter(|name| name.starts_with(&records)).cloned());
        }
        if step.kind == Kind::Lanes {
            let documents = self.change.accepted()?;
            for plan in history.open_plans() {
                open_plan(&documents, plan.plan, &mut taken);
            }
        }
        Ok(self.change.accept(&taken)?)
    }

    /// Lets nothing more be handed in for a step that ended, by an agent that is still there say.
    pub(in crate::engine) fn close_hand_offs(&self, step: &Step) {
        let Some(folder) = step.folder().filter(|_| !step.is_document()) else { return };
        let plans = self.change.history.schedule.iter().flat_map(PlanOrder::units);
        let of_plans = plans.map(|unit| Outbox::of_plan(self.setup, &self.change.id, unit.plan));
        let of_plans = of_plans.filter(|_| step.kind == Kind::Lanes);
        for outbox in std::iter::once(self.outbox(step)).chain(of_plans) {
            // Whatever is handed in later is not taken anyway.
            if let Ok(outbox) = outbox.open() {
                drop(handoff::close(&outbox, folder));
            }
        }
    }

    /// Returns what the prompts of roles are made from, for an agent at work in a folder.
    pub(in crate::engine) fn session(&self, workspace: &Path, outbox: &Outbox) -> TeamSession {
        TeamSession {
            feature_dir: outbox.path().to_owned(),
            project_dir: workspace.to_owned(),
            project_root: self.setup.project.root.clone(),
            facts: self.facts(),
        }
    }

    /// Opens the change's folder, out of which nothing leads.
    pub(in crate::engine) fn papers(&self) -> Result<ConfinedFolder, EngineError> {
        papers_of(&self.change.folder)
    }

    pub(in crate::engine) fn unusable(
        &self,
        name: &str,
    ) -> impl FnOnce(IncludeFault) -> EngineError {
        unusable(self.change.folder.join(name))
    }
}

/// Opens the folder of a change, out of which nothing leads.
pub(in crate::engine) fn papers_of(change: &Path) -> Result<ConfinedFolder, EngineError> {
    Ok(ConfinedFolder::open(change).or_failed("open", change)?)
}

/// Returns the error for a file of a change that cannot be used.
pub(in crate::engine) fn unusable(path: PathBuf) -> impl FnOnce(IncludeFault) -> EngineError {
    move |fault| Failed::new("use", path, io_error(fault)).into()
}
