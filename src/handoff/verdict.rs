//! The verdict of a review, from wherever it was given. In doubt it is no pass.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::template::Verdict;

/// The verdict of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewVerdict {
    /// The work is good as it is.
    Pass,
    /// Something must be mended.
    Fail,
}

impl ReviewVerdict {
    /// Every spelling in a submission.
    pub(super) const WORDS: &'static [&'static str] = &["pass", "fail"];

    /// Gives the word of the first line of `review.md`.
    pub const fn shouted(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
        }
    }

    /// Reads the first line of `review.md`. One that begins with `VERDICT:` and says anything but PASS is a fail; one
    /// that does not is no verdict.
    ///
    /// ```
    /// use agentd::handoff::ReviewVerdict;
    ///
    /// assert_eq!(ReviewVerdict::of_review("VERDICT: PASS\n\nGood."), Some(ReviewVerdict::Pass));
    /// assert_eq!(ReviewVerdict::of_review("VERDICT: PASS, but"), Some(ReviewVerdict::Fail));
    /// assert_eq!(ReviewVerdict::of_review("# Review\nVERDICT: PASS"), None);
    /// ```
    pub fn of_review(text: &str) -> Option<Self> {
        let line = text.trim_start_matches('\u{feff}').lines().next()?;
        let word = line.strip_prefix("VERDICT:")?.trim();
        Some(if word == "PASS" { Self::Pass } else { Self::Fail })
    }
}

impl From<Verdict> for ReviewVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::NeedsRevision
            | Verdict::NeedsChanges
            | Verdict::MajorIssues
            | Verdict::Rejected => Self::Fail,
        }
    }
}

/// What each place says of a review, where it says anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// What was handed in with `submit_review` or as `review.yaml`.
    pub submitted: Option<ReviewVerdict>,
    /// The first line of `review.md`.
    pub first_line: Option<ReviewVerdict>,
    /// The `<review>` marker of the final answer.
    pub marker: Option<Verdict>,
}

/// A review that says nowhere what it came to.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "the review has no verdict: none was submitted, `07_review/review.md` does not begin with one, and the answer \
     holds no marker"
)]
pub struct NoVerdict;

impl Claims {
    /// Settles the verdict: all that say something must say PASS for it to be one.
    pub fn resolve(self) -> Result<ReviewVerdict, NoVerdict> {
        let claims = [self.submitted, self.first_line, self.marker.map(ReviewVerdict::from)];
        let mut said = claims.into_iter().flatten().peekable();
        said.peek().ok_or(NoVerdict)?;
        let is_pass = said.all(|verdict| verdict == ReviewVerdict::Pass);
        Ok(if is_pass { ReviewVerdict::Pass } else { ReviewVerdict::Fail })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_passes_only_where_nothing_contradicts() {
        let (pass, fail) = (Some(ReviewVerdict::Pass), Some(ReviewVerdict::Fail));
        let good = Some(Verdict::Pass);
        let table = [
            (None, None, None, Err(NoVerdict)),
            (pass, None, None, Ok(ReviewVerdict::Pass)),
            (fail, None, None, Ok(ReviewVerdict::Fail)),
            (None, pass, None, Ok(ReviewVerdict::Pass)),
            (None, fail, None, Ok(ReviewVerdict::Fail)),
            (None, None, good, Ok(ReviewVerdict::Pass)),
            (None, None, Some(Verdict::NeedsChanges), Ok(ReviewVerdict::Fail)),
            (None, None, Some(Verdict::NeedsRevision), Ok(ReviewVerdict::Fail)),
            (None, None, Some(Verdict::Rejected), Ok(ReviewVerdict::Fail)),
            (pass, pass, good, Ok(ReviewVerdict::Pass)),
            (pass, fail, None, Ok(ReviewVerdict::Fail)),
            (fail, pass, good, Ok(ReviewVerdict::Fail)),
            (pass, pass, Some(Verdict::Rejected), Ok(ReviewVerdict::Fail)),
            (None, fail, good, Ok(ReviewVerdict::Fail)),
            (pass, None, good, Ok(ReviewVerdict::Pass)),
        ];
        for (submitted, first_line, marker, expected) in table {
            let claims = Claims { submitted, first_line, marker };
            assert_eq!(claims.resolve(), expected, "{claims:?}");
        }
    }
}
