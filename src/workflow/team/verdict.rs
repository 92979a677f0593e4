//! The verdict of a team's review: what the reviewer says, held against what the checks and the schedule say. Whatever
//! the reviewer says, work passes only where the checks are green and the documents that were asked for are written.

use super::entry::StepResult;
use super::papers::REVIEW;
use crate::handoff::{Claims, ReviewVerdict, Tool, submission};
use crate::orchestrator::markers::Answer;
use crate::prompt::confined::ConfinedFolder;
use crate::template::Phase;
use crate::workflow::driver::Driver;
use crate::workflow::error::WorkflowError;
use crate::workflow::expected::FileFault;
use crate::workflow::ground::Ground;
use crate::workflow::machine::Evidence;
use crate::workflow::schedule::{PlanningFiles, ScheduleFaults, documents};

impl Driver<'_> {
    /// Settles the verdict, and sees to it that `review.md` says the same.
    pub(super) fn verdict(
        &self,
        ground: &Ground,
        papers: &ConfinedFolder,
        answer: &str,
    ) -> Result<Result<StepResult, FileFault>, WorkflowError> {
        let written = papers.read(REVIEW).map_err(self.unusable(REVIEW))?;
        // A review of an earlier round says nothing of this one.
        let written = written.filter(|text| ground.before.bytes(REVIEW) != Some(text.as_bytes()));
        let submitted = submission(papers, "07_review", Tool::SubmitReview, None);
        let submitted = submitted.map_err(self.unusable("07_review/submissions"))?;
        let word = submitted.as_ref().and_then(|review| review["verdict"].as_str());
        let answer = Answer::read(answer);
        let claims = Claims {
            submitted: word.map(|word| match word {
                "pass" => ReviewVerdict::Pass,
                _ => ReviewVerdict::Fail,
            }),
            first_line: written.as_deref().and_then(ReviewVerdict::of_review),
            marker: answer.verdict(Some(Phase::Review)).ok(),
        };
        let verdict = match claims.resolve() {
            Ok(verdict) => verdict,
            Err(none) => {
                let help = "submit the review, or write 07_review/review.yaml";
                return Ok(Err(FileFault::new(REVIEW, None, &none.to_string(), help)));
            }
        };
        let body = written.unwrap_or_else(|| answer.without_thoughts().into_owned());
        let against = self.against(ground, papers)?;
        let is_pass = verdict == ReviewVerdict::Pass && against.is_empty();
        let text = review(is_pass, &body, &against);
        self.paper(REVIEW, &self.without_secrets(&text))?;
        Ok(Ok(if is_pass { StepResult::Passed } else { StepResult::Failed }))
    }

    /// Lists what keeps the work from passing, whatever the reviewer says.
    fn against(
        &self,
        ground: &Ground,
        papers: &ConfinedFolder,
    ) -> Result<Vec<String>, WorkflowError> {
        let mut against = Vec::new();
        if self.team()?.state.evidence != Some(Evidence::Green) {
            let evidence = super::EVIDENCE;
            against.push(format!("the project's checks are red: `{evidence}` says which and why"));
        }
        against.extend(self.undocumented(ground, papers)?);
        Ok(against)
    }

    /// Says whether documents that the plan asks for are missing. Where nobody knows what it asks for, nothing passes.
    fn undocumented(
        &self,
        ground: &Ground,
        papers: &ConfinedFolder,
    ) -> Result<Option<String>, WorkflowError> {
        let change = format!("agentd/changes/{}", self.change.id);
        let files = PlanningFiles::read_execution_plan(change, papers)?;
        let documents = match documents(&files) {
            Ok(Some(documents)) => documents,
            Ok(None) => return Ok(None),
            Err(faults) => return Ok(Some(unknown(&faults))),
        };
        // A change without a first commit has changed nothing.
        let changed = match &self.change.history.base {
            Some(base) => ground.worktree.changes_since(base)?,
            None => Vec::new(),
        };
        let changed = changed.iter().filter_map(|file| file.path.to_str());
        Ok(documents.missing_from(changed).map(|missing| missing.to_string()))
    }
}

/// Says that the execution plan cannot be read.
fn unknown(faults: &ScheduleFaults) -> String {
    let faults = faults.lines().join("; ");
    format!("nobody can tell which documents the plan asks for: {faults}")
}

/// Writes a review whose first line is the verdict that counts.
fn review(is_pass: bool, body: &str, against: &[String]) -> String {
    let verdict = if is_pass { ReviewVerdict::Pass } else { ReviewVerdict::Fail };
    let body = match ReviewVerdict::of_review(body) {
        Some(_) => body.split_once('\n').map_or("", |(_, rest)| rest),
        None => body,
    };
    let mut text = format!("VERDICT: {}\n\n{}\n", verdict.shouted(), body.trim());
    if !against.is_empty() {
        text.push_str("\n## What agentd found\n\n");
        text.extend(against.iter().map(|found| format!("- {found}\n")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_is_the_verdict_that_counts() {
        let red = review(false, "VERDICT: PASS\n\nGood.", &["the checks are red".to_owned()]);
        assert_eq!(red, "VERDICT: FAIL\n\nGood.\n\n## What agentd found\n\n- the checks are red\n");
        assert_eq!(review(true, "Good.", &[]), "VERDICT: PASS\n\nGood.\n");
    }
}
