//! What a step must have made before it counts: its files are there, plans can be scheduled, a review has a verdict.
//! What is not in order is a list of faults, for the agent to mend.

use super::driver::Stint;
use super::entry::StepResult;
use super::errand::Made;
use super::facts::{approval, audience};
use super::handed::{Wrong, hand_in};
use super::papers::SUMMARY;
use super::plans::planned;
use super::step::TeamStep;
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::engine::event::Event;
use crate::engine::expected::FileFault;
use crate::engine::ground::Ground;
use crate::engine::schedule::PLANNING;
use crate::handoff::{self, Tool, submission};
use crate::orchestrator::Answered;
use crate::prompt::confined::ConfinedFolder;

impl Driver<'_> {
    /// Takes in what a step's agent has handed over, and says what the step came to, or what is not in order.
    pub(super) fn made(
        &self,
        stint: &Stint,
        ground: &Ground,
        answered: &Answered,
    ) -> Result<Result<Made, Vec<FileFault>>, EngineError> {
        let (step, papers) = (stint.step, self.papers()?);
        let place = (self.setup.project.root.as_path(), &self.change.id);
        let approval = approval(audience(self.setup.team.delivery));
        let Wrong { mut faults, tells_of_schedule } =
            hand_in(place, step, &papers, approval, self.change.history.changed_ms)?;
        for (name, what) in demanded(step) {
            faults.extend(self.absent(&papers, name, what)?);
            faults.extend(self.left_as_it_was(step, name, (&ground.before, &papers))?);
        }
        let made = match step {
            TeamStep::Planner | TeamStep::Change => match self.lineup(ground, &papers)? {
                Ok(lineup) => {
                    if faults.is_empty() {
                        faults.extend(self.unchanged(step, &lineup)?);
                    }
                    (StepResult::Planned, Some(lineup))
                }
                Err(wrong) => {
                    // No fault is told twice.
                    faults.extend(if tells_of_schedule { Vec::new() } else { wrong });
                    (StepResult::Planned, None)
                }
            },
            TeamStep::Review if faults.is_empty() => {
                match self.verdict(stint, ground, (&papers, &answered.text))? {
                    Ok(result) => (result, None),
                    Err(fault) => {
                        faults.push(fault);
                        (StepResult::Failed, None)
                    }
                }
            }
            TeamStep::Review
            | TeamStep::ProductManager
            | TeamStep::Architect
            | TeamStep::Designer
            | TeamStep::Coders
            | TeamStep::Fix
            | TeamStep::Summary => (StepResult::Made, None),
        };
        Ok(if faults.is_empty() { Ok(made) } else { Err(faults) })
    }

    /// Tells the person which sub-plans the planner has set aside: that was said to agentd, and to nobody else.
    pub(super) fn tell_set_aside(&self) -> Result<(), EngineError> {
        let submitted = submission(&self.papers()?, PLANNING, Tool::SubmitPlan, None);
        let submitted = submitted.map_err(self.unusable("04_planning/submissions"))?;
        let plans = submitted.as_ref().map(handoff::set_aside).unwrap_or_default();
        if !plans.is_empty() {
            self.watch.event(&Event::PlansSetAside { plans: &plans });
        }
        Ok(())
    }

    /// Tells of a file that must be there and is not, or is empty.
    fn absent(
        &self,
        papers: &ConfinedFolder,
        name: &str,
        help: &str,
    ) -> Result<Option<FileFault>, EngineError> {
        let text = papers.read(name).map_err(self.unusable(name))?;
        let is_marker = !name.contains('.');
        let message = match text {
            None => "the file is missing",
            Some(text) if text.trim().is_empty() && !is_marker => "the file is empty",
            Some(_) => return Ok(None),
        };
        Ok(Some(FileFault::new(name, None, message, help)))
    }

    /// Tells of a new plan in which nothing is to be done: what a person asks for would be lost.
    fn unchanged(
        &self,
        step: TeamStep,
        lineup: &super::lineup::Lineup,
    ) -> Result<Option<FileFault>, EngineError> {
        let is_idle = step == TeamStep::Change && lineup.due(&self.team()?.state.done).is_none();
        Ok(is_idle.then(|| {
            FileFault::new(
                "04_planning/execution_plan.yaml",
                None,
                "every plan in it is done already, so that nothing would change",
                "add a plan for what is asked, or change the plan that it belongs to",
            )
        }))
    }

    fn lineup(
        &self,
        ground: &Ground,
        papers: &ConfinedFolder,
    ) -> Result<Result<super::lineup::Lineup, Vec<FileFault>>, EngineError> {
        let change = format!("agentd/changes/{}", self.change.id);
        planned(&change, papers, (&ground.before, &self.team()?.state))
    }
}

/// Lists the files that a step must have made, each with what to do where it is not there.
const fn demanded(step: TeamStep) -> &'static [(&'static str, &'static str)] {
    match step {
        TeamStep::ProductManager => {
            &[("01_product_management/analysis.md", "write the analysis into it")]
        }
        TeamStep::Architect => &[(
            "02_architecting/architecture.md",
            "submit the architecture, or write 02_architecting/architecture.yaml",
        )],
        TeamStep::Planner | TeamStep::Change => {
            &[("04_planning/plan.md", "submit the plan, or write 04_planning/plan.yaml")]
        }
        TeamStep::Designer => &[("05_design/design.md", "write the design into it")],
        TeamStep::Fix => {
            &[("06_implementation/done_fix", "create it when everything is mended and checked")]
        }
        TeamStep::Summary => &[(SUMMARY, "write the summary into it")],
        TeamStep::Coders | TeamStep::Review => &[],
    }
}
