//! A turn on an agent's own screen: which window is whose, and which files show that the work is handed over.

use super::turn::{RoleCall, Turn};
use crate::compile::contract::of_role_step;
use crate::flow::{Kind, Step};
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
        let any = of_role_step(step).map(|contract| contract.handed_in.clone());
        Signs { any: any.unwrap_or_default(), ..marker(step, "") }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::CATALOG;
    use crate::handoff::{Desk, Tool, fallback_files};

    /// What the contracts say shows that work is handed in is what the tools, and the files that stand for them, leave.
    #[test]
    fn every_record_that_shows_a_hand_in_is_of_a_tool_of_its_role() {
        let (root, change) = (tempfile::tempdir().unwrap(), "add-login".parse().unwrap());
        let folder = ConfinedFolder::open(root.path()).unwrap();
        let (flow, mut records) = (CATALOG.flow("team").unwrap(), 0);
        let steps = flow.steps.iter().filter(|step| step.kind == Kind::Agent);
        for (step, contract) in steps.filter_map(|step| Some((step, of_role_step(step)?))) {
            let role = step.role().unwrap();
            let desk = Desk {
                folder: &folder,
                role,
                plan: None,
                schedule: crate::engine::schedule::unschedulable,
                change: &change,
            };
            assert!(!contract.handed_in.is_empty(), "{}", step.name);
            for path in &contract.handed_in {
                assert!(path.starts_with(step.folder().unwrap()), "{path} of {}", step.name);
                let Some((phase, record)) = path.split_once("/submissions/") else { continue };
                let tool = record.strip_suffix(".json").and_then(Tool::from_word).unwrap();
                assert!(Tool::of(role).contains(&tool) && tool.phase(role) == phase, "{path}");
                let file = fallback_files(&desk).into_iter().find(|file| file.tool == tool);
                assert!(contract.handed_in.contains(&file.unwrap().path), "{path}");
                records += 1;
            }
        }
        assert_eq!(records, 5);
    }
}
