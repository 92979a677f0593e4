//! The verdict of a team's review: what the reviewer says, held against what the checks and the schedule say. Whatever
//! the reviewer says, work passes only where the checks are green and the documents that were asked for are written.

use super::files::{REVIEW, kept_review};
use crate::engine::documents::Documents;
use crate::engine::error::EngineError;
use crate::engine::expected::FileFault;
use crate::engine::objections::{FOUND, Objections};
use crate::engine::step_attempt::StepAttempt;
use crate::flow::Outcome;
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
        let objections = self.objections()?;
        let is_pass = verdict == ReviewVerdict::Pass && objections.found.is_empty();
        let text = driver.without_secrets(&review(is_pass, &body, &objections));
        let mut files = Documents::default();
        files.insert(REVIEW, text.as_str());
        files.insert(kept_review(self.work.started.round), text);
        let outcome = match verdict {
            ReviewVerdict::Pass => Outcome::Pass,
            ReviewVerdict::Fail => Outcome::NeedsChanges,
        };
        Ok(Ok(SettledReview { outcome, documented: objections.is_documented, files }))
    }
}

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
fn review(is_pass: bool, body: &str, objections: &Objections) -> String {
    let verdict = if is_pass { ReviewVerdict::Pass } else { ReviewVerdict::Fail };
    format!("VERDICT: {}\n\n{}\n{}", verdict.shouted(), reasons(body), objections.section())
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
        let settled = review(false, &both, &Objections::default());
        assert_eq!(body(some(submitted), some(&settled)), some(&settled), "it is read again");
    }

    #[test]
    fn the_first_line_is_the_verdict_that_counts() {
        let found = vec!["the checks are red".to_owned()];
        let (objections, none) =
            (Objections { found, ..Objections::default() }, Objections::default());
        let red = review(false, "VERDICT: PASS\n\nGood.", &objections);
        assert_eq!(red, "VERDICT: FAIL\n\nGood.\n\n## What agentd found\n\n- the checks are red\n");
        assert_eq!(review(false, &red, &objections), red, "it is read again");
        assert_eq!(review(true, &red, &none), "VERDICT: PASS\n\nGood.\n");
        assert_eq!(review(true, "Good.", &none), "VERDICT: PASS\n\nGood.\n");
    }
}
