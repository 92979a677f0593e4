//! A turn on an agent's own screen: which window is whose, and which files show that the work is handed over.

use super::papers::{REVIEW, SUMMARY, folder};
use super::step::TeamStep;
use super::turn::{Table, Turn};
use crate::handoff::Tool;
use crate::models::plan::PlanIndex;
use crate::orchestrator::live::{Attempt, LiveTurn, Signs};
use crate::prompt::confined::ConfinedFolder;
use crate::template::Role;

impl Table<'_> {
    /// Makes a turn of it that is taken on the agent's own screen.
    pub(super) fn live_turn(
        &self,
        turn: Turn<'_>,
        messages: Vec<String>,
        attempt: Attempt,
    ) -> LiveTurn {
        LiveTurn {
            session: self.orchestrator.live_session(&self.session.feature_dir),
            pane: pane(turn),
            messages,
            signs: self.signs(turn),
            attempt,
        }
    }

    /// Lists what shows that the work is handed over: the record of the tool, or the file that stands for it.
    fn signs(&self, turn: Turn<'_>) -> Signs {
        let step = match turn {
            Turn::Plan(plan) => return marker(TeamStep::Coders, &format!("done_{plan}")),
            Turn::Research(inquiry) => {
                let folder = inquiry.file("");
                let folder = folder.trim_end_matches('/').to_owned();
                return Signs { folder, any: vec![inquiry.file("done")], all: Vec::new() };
            }
            Turn::Step(step) => step,
        };
        match step {
            TeamStep::ProductManager => submitted(step, Tool::SubmitPmDone, &["pm_done.yaml"]),
            TeamStep::Architect => {
                submitted(step, Tool::SubmitArchitecture, &["architecture.yaml"])
            }
            TeamStep::Planner | TeamStep::Change => {
                submitted(step, Tool::SubmitPlan, &["plan.yaml"])
            }
            TeamStep::Designer => marker(step, "done"),
            TeamStep::Coders => Signs { any: Vec::new(), all: self.markers(), ..marker(step, "") },
            TeamStep::Review => {
                let mut signs = submitted(step, Tool::SubmitReview, &["review.yaml"]);
                signs.any.push(REVIEW.to_owned());
                signs
            }
            TeamStep::Fix => marker(step, "done_fix"),
            TeamStep::Summary => {
                Signs { any: vec![SUMMARY.to_owned()], ..submitted(step, Tool::SubmitDone, &[]) }
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
            Some(super::marker::marker(PlanIndex::new(number)?))
        };
        names.iter().filter_map(plan).collect()
    }
}

/// Names the window of whoever takes a turn: a role has one, and so has the coder of each plan.
fn pane(turn: Turn<'_>) -> String {
    match turn {
        Turn::Step(step) => step.role().word().to_owned(),
        Turn::Plan(plan) => format!("{}-{plan}", Role::Coder.word()),
        Turn::Research(inquiry) => format!("research-{}", inquiry.name()),
    }
}

fn marker(step: TeamStep, name: &str) -> Signs {
    let folder = folder(step);
    let any = vec![format!("{folder}/{name}")];
    Signs { folder: folder.to_owned(), any, all: Vec::new() }
}

fn submitted(step: TeamStep, tool: Tool, files: &[&str]) -> Signs {
    let folder = folder(step);
    let record = format!("{folder}/submissions/{tool}.json");
    let files = files.iter().map(|file| format!("{folder}/{file}"));
    let any = std::iter::once(record).chain(files).collect();
    Signs { folder: folder.to_owned(), any, all: Vec::new() }
}
