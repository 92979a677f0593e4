//! The verdict of a team's review: what the reviewer says, held against what the checks and the schedule say. Whatever
//! the reviewer says, work passes only where the checks are green and the documents that were asked for are written.

use super::files::{REVIEW, kept_review};
use crate::engine::documents::Documents;
use crate::engine::error::EngineError;
use crate::engine::expected::FileFault;
use crate::engine::schedule::{PlanningFiles, ScheduleFaults, documents};
use crate::engine::step_attempt::StepAttempt;
use crate::flow::{CHECK_REPORT, Need, Outcome};
use crate::handoff::{Claims, Review, ReviewVerdict, Tool, submission};
use crate::orchestrator::markers::Answer;
use crate::prompt::confined::ConfinedFolder;
use crate::template::{Phase, Verdict};

/// A review whose verdict is settled.
pub(super) struct SettledReview {
    pub(super) outcome: Outcome,
    /// Whether the documents are there that the schedule asks for.
    pub(super) documented: bool,
    /// The review, and the file that keeps the one of this round.
    pub(super) files: Documents,
}

impl StepAttempt<'_, '_> {
    /// Settles the verdict, and makes `review.md` of it and the file that keeps the review of this round.
    pub(super) fn review(
        &self,
        papers: &ConfinedFolder,
        answer: &str,
    ) -> Result<Result<SettledReview, FileFault>, EngineError> {
        let driver = &*self.driver;
        // Records of earlier rounds are gone when a round begins, so that this one is of now, whatever it says.
        let submitted = submission(papers, "07_review", Tool::SubmitReview, None);
        let submitted = submitted.map_err(driver.unusable("07_review/submissions"))?;
        let written = papers.read(REVIEW).map_err(driver.unusable(REVIEW))?;
        // What nobody submitted and nobody changed is the review of an earlier round.
        let is_of_now = |text: &String| {
            submitted.is_some() || self.ground.before.bytes(REVIEW) != Some(text.as_bytes())
        };
        let written = written.filter(is_of_now);
        let word = submitted.as_ref().and_then(|review| review["verdict"].as_str());
        let answer = Answer::read(answer);
        let claims = Claims {
            submitted: word
                .map(|word| ReviewVerdict::from_word(word).unwrap_or(ReviewVerdict::Fail)),
            first_line: written.as_deref().and_then(ReviewVerdict::of_review),
            marker: answer.verdict(Some(Phase::Review)).into(),
        };
        let verdict = match claims.resolve() {
            Ok(verdict) => verdict,
            Err(none) => {
                return Ok(Err(FileFault::new(REVIEW, None, &none.to_string(), none.help())));
            }
        };
        let message = answer.without_thoughts();
        let is_overruled = word == Some("pass")
            && answer.verdict(Some(Phase::Review)).is_ok_and(|verdict| verdict != Verdict::Pass);
        let submitted = submitted.as_ref().and_then(Review::text_of);
        let mut body = body(submitted, written).unwrap_or_else(|| message.clone().into_owned());
        if is_overruled {
            // Whoever fixes it must know why a review that was submitted as a pass is none.
            body = format!("{}\n\n## The reviewer's final message\n\n{message}", body.trim_end());
        }
        // What the plan asks for stands in the change's documents, whatever the reviewer made of its copy.
        let undocumented = self.undocumented(&driver.papers()?)?;
        let against = self.against(&undocumented);
        let is_pass = verdict == ReviewVerdict::Pass && against.is_empty();
        let text = driver.without_secrets(&review(is_pass, &body, &against));
        let mut files = Documents::default();
        files.insert(REVIEW, text.as_str());
        files.insert(kept_review(self.work.started.round), text);
        let outcome = match verdict {
            ReviewVerdict::Pass => Outcome::Pass,
            ReviewVerdict::Fail => Outcome::NeedsChanges,
        };
        Ok(Ok(SettledReview { outcome, documented: undocumented.is_empty(), files }))
    }

    /// Lists what keeps the work from passing, whatever the reviewer says.
    fn against(&self, undocumented: &[String]) -> Vec<String> {
        let checks = self.driver.change.history.state.checks;
        let is_red = !checks.is_some_and(|run| run.is_green);
        let red = is_red
            .then(|| format!("the project's checks are red: `{CHECK_REPORT}` says which and why"));
        let needs = &self.work.step.pass_needs;
        let red = red.filter(|_| needs.contains(&Need::Green));
        let undocumented = undocumented.iter().filter(|_| needs.contains(&Need::DocFiles)).cloned();
        red.into_iter().chain(undocumented).collect()
    }

    /// Names every document that the plan asks for and that is missing. Where the plan cannot be read, nothing passes.
    fn undocumented(&self, papers: &ConfinedFolder) -> Result<Vec<String>, EngineError> {
        let (change, ground) = (&self.driver.change, &self.ground);
        let base = &change.history.base;
        let change = format!("agentd/changes/{}", change.id);
        let files = PlanningFiles::read_execution_plan(change, papers)?;
        let documents = match documents(&files) {
            Ok(Some(documents)) => documents,
            Ok(None) => return Ok(Vec::new()),
            Err(faults) => return Ok(vec![unknown(&faults)]),
        };
        // A change without a first commit has changed nothing.
        let changed = match base {
            Some(base) => self.driver.setup.repository.paths(base, &ground.start)?,
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

/// The heading above what agentd itself holds against the work.
const FOUND: &str = "## What agentd found\n";

/// The heading above what a reviewer wrote into `review.md` itself, beside what it submitted.
const BESIDE: &str = "## What the reviewer wrote beside this";

/// Puts together what a reviewer has handed over: neither what it submitted nor what it wrote is lost.
fn body(submitted: Option<String>, written: Option<String>) -> Option<String> {
    match (submitted, written) {
        (Some(submitted), Some(written)) => {
            let (first, second) = (reasons(&submitted), reasons(&written));
            let holds_both = second.starts_with(first);
            Some(if holds_both { written } else { format!("{first}\n\n{BESIDE}\n\n{second}\n") })
        }
        (submitted, written) => submitted.or(written),
    }
}

/// Returns a review without its verdict, and without what agentd found when it read the same review before or in an
/// earlier round.
fn reasons(review: &str) -> &str {
    let body = ReviewVerdict::split_review(review).map_or(review, |(_, rest)| rest);
    body.split_once(&format!("\n{FOUND}")).map_or(body, |(body, _)| body).trim()
}

/// Writes a review whose first line is the verdict that counts.
fn review(is_pass: bool, body: &str, against: &[String]) -> String {
    let verdict = if is_pass { ReviewVerdict::Pass } else { ReviewVerdict::Fail };
    let mut text = format!("VERDICT: {}\n\n{}\n", verdict.shouted(), reasons(body));
    if !against.is_empty() {
        text.push_str(&format!("\n{FOUND}\n"));
        text.extend(against.iter().map(|found| format!("- {found}\n")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_what_was_submitted_nor_what_was_written_is_lost() {
        let some = |text: &str| Some(text.to_owned());
        let (submitted, found) = ("VERDICT: FAIL\n\n- a", format!("\n\n{FOUND}\n- red\n"));
        assert_eq!(body(None, None), None);
        assert_eq!(body(some(submitted), None), some(submitted));
        assert_eq!(body(None, some("VERDICT: FAIL\n- b")), some("VERDICT: FAIL\n- b"));
        let read_again = format!("{submitted}{found}");
        assert_eq!(body(some(submitted), some(&read_again)), some(&read_again));
        let both = body(some(submitted), some("VERDICT: FAIL\n\nSee above."));
        let both = both.unwrap_or_default();
        assert_eq!(both, format!("- a\n\n{BESIDE}\n\nSee above.\n"));
        let settled = review(false, &both, &[]);
        assert_eq!(body(some(submitted), some(&settled)), some(&settled), "it is read again");
    }

    #[test]
    fn the_first_line_is_the_verdict_that_counts() {
        let red = review(false, "VERDICT: PASS\n\nGood.", &["the checks are red".to_owned()]);
        assert_eq!(red, "VERDICT: FAIL\n\nGood.\n\n## What agentd found\n\n- the checks are red\n");
        assert_eq!(
            review(false, &red, &["the checks are red".to_owned()]),
            red,
            "it is read again"
        );
        assert_eq!(review(true, &red, &[]), "VERDICT: PASS\n\nGood.\n");
        assert_eq!(review(true, "Good.", &[]), "VERDICT: PASS\n\nGood.\n");
    }
}
