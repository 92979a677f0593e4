//! What agentd itself holds against a PASS: what the step says that one needs, and what is not there.

use super::error::EngineError;
use super::schedule::{PlanningFiles, ScheduleFaults, documents};
use super::step_attempt::StepAttempt;
use crate::flow::{CHECK_REPORT, Need};

/// The heading above it in a review.
pub(super) const FOUND: &str = "## What agentd found\n";

/// What keeps the work from passing, whatever a judge says.
#[derive(Debug, Default)]
pub(super) struct Objections {
    /// Each in a sentence.
    pub(super) found: Vec<String>,
    /// Whether the documents are there that the schedule asks for, where a PASS needs them.
    pub(super) is_documented: bool,
}

impl Objections {
    /// Writes them for the end of a review; nothing where there are none.
    pub(super) fn section(&self) -> String {
        if self.found.is_empty() {
            return String::new();
        }
        let items = self.found.iter().map(|found| format!("- {found}\n"));
        format!("\n{FOUND}\n{}", items.collect::<String>())
    }
}

impl StepAttempt<'_, '_> {
    /// Finds what keeps the work from passing.
    pub(super) fn objections(&self) -> Result<Objections, EngineError> {
        let (needs, mut objections) = (&self.work.step.pass_needs, Objections::default());
        let is_green = self.driver.change.history.state.checks.is_some_and(|run| run.is_green);
        if needs.contains(&Need::Green) && !is_green {
            let red = format!("the project's checks are red: `{CHECK_REPORT}` says which and why");
            objections.found.push(red);
        }
        if needs.contains(&Need::DocFiles) {
            let undocumented = self.undocumented()?;
            objections.is_documented = undocumented.is_empty();
            objections.found.extend(undocumented);
        }
        Ok(objections)
    }

    /// Names every document that the plan asks for and that is missing. What the plan asks for stands in the change's documents,
    /// whatever the judge made of its copy. Where the plan cannot be read, nothing passes; a flow without a schedule asks for none.
    fn undocumented(&self) -> Result<Vec<String>, EngineError> {
        let (driver, ground) = (&self.driver, &self.ground);
        if driver.change.history.schedule.is_none() {
            return Ok(Vec::new());
        }
        let base = &driver.change.history.base;
        let change = format!("agentd/changes/{}", driver.change.id);
        let files = PlanningFiles::read_execution_plan(change, &driver.papers()?)?;
        let documents = match documents(&files) {
            Ok(Some(documents)) => documents,
            Ok(None) => return Ok(Vec::new()),
            Err(faults) => return Ok(vec![unknown(&faults)]),
        };
        // A change without a first commit has changed nothing.
        let changed = match base {
            Some(base) => driver.setup.repository.paths(base, &ground.start)?,
            None => Vec::new(),
        };
        let changed: Vec<_> = changed.iter().filter_map(|file| file.to_str()).collect();
        let missing = documents.missing_from(&changed).into_iter();
        Ok(missing
            .map(|file| format!("the plan asks for a document, and `{file}` is not changed"))
            .collect())
    }
}

/// Returns the message for an execution plan that cannot be read.
fn unknown(faults: &ScheduleFaults) -> String {
    let faults = faults.lines().join("; ");
    format!("nobody can tell which documents the plan asks for: {faults}")
}
