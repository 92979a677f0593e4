//! The files of a team's change that agentd itself writes or takes away before a step begins: what a person said, and
//! marks that an earlier round has left.

use std::path::{Path, PathBuf};

use super::handed::open;
use super::marker::open_plan;
use super::step::TeamStep;
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::engine::history::History;
use crate::prompt::confined::{ConfinedFolder, io_error};
use crate::template::IncludeFault;

/// What is wanted.
pub(super) const REQUIREMENTS: &str = "requirements.md";
/// What a person asks to change.
pub(super) const CHANGES: &str = "08_completion/changes.md";
/// What the change came to.
pub(super) const SUMMARY: &str = "08_completion/summary.md";
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

/// Gives the folder that a step writes in.
pub(super) const fn folder(step: TeamStep) -> &'static str {
    match step {
        TeamStep::ProductManager => "01_product_management",
        TeamStep::Architect => "02_architecting",
        TeamStep::Planner | TeamStep::Change => "04_planning",
        TeamStep::Designer => "05_design",
        TeamStep::Coders | TeamStep::Fix => "06_implementation",
        TeamStep::Review => "07_review",
        TeamStep::Summary => "08_completion",
    }
}

/// Lists what would be taken for the work of this round, though an earlier one has left it: it is taken away.
pub(super) const fn taken_away(step: TeamStep) -> &'static [&'static str] {
    match step {
        TeamStep::ProductManager => &["01_product_management/pm_done.yaml"],
        TeamStep::Architect => &["02_architecting/architecture.yaml"],
        TeamStep::Designer => &["05_design/done"],
        TeamStep::Review => &["07_review/review.yaml"],
        TeamStep::Fix => &["06_implementation/done_fix"],
        TeamStep::Summary => &[SUMMARY],
        TeamStep::Planner | TeamStep::Change | TeamStep::Coders => &[],
    }
}

/// Puts together what is wanted: the request, and what a person has added to it.
fn requirements(history: &History) -> String {
    let mut text = history.request.clone().unwrap_or_default().trim_end().to_owned();
    for more in &history.guidance {
        text.push_str("\n\n");
        text.push_str(more.trim_end());
    }
    text.push('\n');
    text
}

impl Driver<'_> {
    /// Lays out the papers of a step, before anything of it is begun.
    pub(super) fn lay_out(&self, step: TeamStep) -> Result<(), EngineError> {
        self.paper(REQUIREMENTS, &requirements(&self.change.history))?;
        if step == TeamStep::Change {
            let asked = self.change.history.team.iter().flat_map(|team| &team.asked);
            let asked: Vec<_> = asked.map(|text| text.trim_end()).collect();
            self.paper(CHANGES, &format!("{}\n", asked.join("\n\n")))?;
        }
        let papers = self.papers()?;
        papers
            .make(folder(step))
            .map_err(EngineError::io("make", self.change.folder.join(folder(step))))?;
        let mut names: Vec<_> = taken_away(step).iter().map(|name| (*name).to_owned()).collect();
        if matches!(step, TeamStep::Planner | TeamStep::Change) {
            let mut plans = Vec::new();
            for ending in [".yaml", ".yml"] {
                let listed = papers.list(folder(step), ending);
                plans.extend(listed.map_err(self.unusable(folder(step)))?);
            }
            // The schedule itself is both what is handed over and what is kept.
            let plans = plans.into_iter().filter(|name| name != "execution_plan.yaml");
            names.extend(plans.map(|name| format!("{}/{name}", folder(step))));
        }
        for name in names {
            papers.remove(&name).map_err(self.unusable(&name))?;
        }
        if step == TeamStep::Coders {
            let mut open = self.team()?.state.open_units();
            open.try_for_each(|unit| open_plan(&self.change.folder, unit.plan))?;
        }
        open(&papers, folder(step)).map_err(self.unusable(&format!("{}/submissions", folder(step))))
    }

    /// Writes a file of the change, and makes the folder that it is in.
    pub(in crate::engine) fn paper(&self, name: &str, text: &str) -> Result<(), EngineError> {
        let papers = self.papers()?;
        if let Some((folder, _)) = name.rsplit_once('/') {
            papers
                .make(folder)
                .map_err(EngineError::io("make", self.change.folder.join(folder)))?;
        }
        papers.replace(name, text.as_bytes()).map_err(self.unusable(name))
    }

    /// Opens the change's folder, out of which nothing leads.
    pub(super) fn papers(&self) -> Result<ConfinedFolder, EngineError> {
        papers_of(&self.change.folder)
    }

    pub(super) fn unusable(&self, name: &str) -> impl FnOnce(IncludeFault) -> EngineError {
        unusable(self.change.folder.join(name))
    }
}

/// Opens the folder of a change, out of which nothing leads.
pub(super) fn papers_of(change: &Path) -> Result<ConfinedFolder, EngineError> {
    ConfinedFolder::open(change).map_err(EngineError::io("open", change))
}

/// Tells that a file of a change cannot be used.
pub(super) fn unusable(path: PathBuf) -> impl FnOnce(IncludeFault) -> EngineError {
    move |fault| EngineError::Io { what: "use", path, source: io_error(fault) }
}
