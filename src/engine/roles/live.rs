//! A turn on an agent's own screen: which window is whose, and which files show that the work is handed over.

use super::turn::{RoleCall, Turn};
use crate::flow::{Kind, Step};
use crate::handoff::Tool;
use crate::models::plan::PlanIndex;
use crate::orchestrator::live::Signs;
use crate::prompt::confined::ConfinedFolder;
use crate::template::Role;

impl RoleCall {
    /// Lists what shows that the work is handed in: the record of the tool, the file that stands for it, or the marker.
    pub(super) fn signs(&self) -> Signs {
        let step = match &self.turn {
            Turn::Plan(step, plan) => {
                let mut signs = marker(step, &format!("done_{plan}"));
                // A coder that is blocked hands that in, and leaves no marker.
                signs.any.push(format!("{}/submissions/submit_done-{plan}.json", signs.folder));
                return signs;
            }
            Turn::Research(inquiry) => {
                let folder = inquiry.file("");
                let folder = folder.trim_end_matches('/').to_owned();
                return Signs { folder, any: vec![inquiry.file("done")], all: Vec::new() };
            }
            Turn::Step(step) if step.kind == Kind::Lanes => {
                return Signs { any: Vec::new(), all: self.markers(), ..marker(step, "") };
            }
            Turn::Step(step) => step,
        };
        match (self.turn.role(), step.judges, step.makes_schedule()) {
            (Role::ProductManager, ..) => submitted(step, Tool::SubmitPmDone, &["pm_done.yaml"]),
            (Role::Architect, ..) => {
                submitted(step, Tool::SubmitArchitecture, &["architecture.yaml"])
            }
            (_, _, true) => submitted(step, Tool::SubmitPlan, &["plan.yaml"]),
            (Role::Designer, ..) => marker(step, "done"),
            (_, Some(_), _) => submitted(step, Tool::SubmitReview, &["review.yaml", "review.md"]),
            _ => {
                let any = step.leaves.iter().map(|file| file.path.to_string()).collect();
                Signs { any, ..marker(step, "") }
            }
        }
    }

    /// Lists the markers of every plan.
    fn markers(&self) -> Vec<String> {
        let papers = ConfinedFolder::open(&self.session.feature_dir);
        let names = papers.ok().and_then(|papers| papers.list("04_planning", ".md").ok());
        let names = names.unwrap_or_default();
        let plan = |name: &String| {
            let number = name.strip_prefix("plan_")?.strip_suffix(".md")?.parse().ok()?;
            Some(super::done_marker::marker(PlanIndex::new(number)?))
        };
        names.iter().filter_map(plan).collect()
    }
}

/// Names the window of whoever is asked: a role has one, and so has the coder of each plan.
pub(super) fn pane(turn: &Turn) -> String {
    match turn {
        Turn::Step(_) => turn.role().word().to_owned(),
        Turn::Plan(_, plan) => format!("{}-{plan}", Role::Coder.word()),
        Turn::Research(inquiry) => format!("research-{}", inquiry.name()),
    }
}

fn marker(step: &Step, name: &str) -> Signs {
    let folder = step.folder().unwrap_or_default();
    let any = vec![format!("{folder}/{name}")];
    Signs { folder: folder.to_owned(), any, all: Vec::new() }
}

fn submitted(step: &Step, tool: Tool, files: &[&str]) -> Signs {
    let folder = step.folder().unwrap_or_default();
    let record = format!("{folder}/submissions/{tool}.json");
    let files = files.iter().map(|file| format!("{folder}/{file}"));
    let any = std::iter::once(record).chain(files).collect();
    Signs { folder: folder.to_owned(), any, all: Vec::new() }
}
