//! The verdict of a review, settled from all places that say something. In doubt it is no pass.

use thiserror::Error;

use crate::models::marker::MarkerError;
use crate::models::review::ReviewVerdict;
use crate::template::Verdict;

/// What each place says of a review, where it says anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// What was handed in with `submit_review` or as `review.yaml`.
    pub submitted: Option<ReviewVerdict>,
    /// The first line of `review.md`.
    pub first_line: Option<ReviewVerdict>,
    /// The `<review>` marker of the final answer.
    pub marker: MarkerClaim,
}

/// What the marker of an answer says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MarkerClaim {
    /// There is none.
    #[default]
    Absent,
    /// A verdict.
    Says(ReviewVerdict),
    /// There are markers, and no verdict can be read from them, for this reason.
    Unclear(String),
}

/// An answer says nothing if it holds no verdict, and nothing that may be one other than PASS. Whatever else cannot be
/// read is unclear: it may be a fail.
impl From<Result<Verdict, MarkerError>> for MarkerClaim {
    fn from(read: Result<Verdict, MarkerError>) -> Self {
        match read {
            Ok(verdict) => Self::Says(verdict.into()),
            Err(MarkerError::MissingReviewMarker { ignored })
                if !ignored.iter().any(|ignored| ignored.contradicts) =>
            {
                Self::Absent
            }
            Err(other) => Self::Unclear(other.to_string()),
        }
    }
}

/// Why a review has no verdict.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NoVerdict {
    /// There is no verdict at all.
    #[error(
        "the review has no verdict: none was submitted, `07_review/review.md` does not start with one, and the answer \
         contains no marker"
    )]
    Missing,
    /// The marker of the answer may say something else than the other places.
    #[error("the marker of the answer is unclear: {0}")]
    Unclear(String),
}

impl NoVerdict {
    /// Returns what to do about it.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Missing => "submit the review, or write 07_review/review.yaml",
            Self::Unclear(_) => {
                "submit the review, and end the answer with one marker that matches it, or with none"
            }
        }
    }
}

impl Claims {
    /// Settles the verdict. Of several the worst counts, and beside an unclear marker PASS is none.
    pub fn resolve(self) -> Result<ReviewVerdict, NoVerdict> {
        let (marker, unclear) = match self.marker {
            MarkerClaim::Absent => (None, None),
            MarkerClaim::Says(verdict) => (Some(verdict), None),
            MarkerClaim::Unclear(reason) => (None, Some(reason)),
        };
        let worst = [self.submitted, self.first_line, marker].into_iter().flatten().max();
        match (worst, unclear) {
            (Some(ReviewVerdict::Fail), _) => Ok(ReviewVerdict::Fail),
            (_, Some(reason)) => Err(NoVerdict::Unclear(reason)),
            (Some(ReviewVerdict::Pass), None) => Ok(ReviewVerdict::Pass),
            (None, None) => Err(NoVerdict::Missing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orchestrator::parse_review_marker;
    use crate::template::Phase;

    #[test]
    fn a_review_passes_only_where_nothing_contradicts() {
        use MarkerClaim::{Absent, Says};
        let (pass, fail) = (Some(ReviewVerdict::Pass), Some(ReviewVerdict::Fail));
        let (good, bad) = (Says(ReviewVerdict::Pass), Says(ReviewVerdict::Fail));
        let odd = || MarkerClaim::Unclear("odd".to_owned());
        let unclear = || Err(NoVerdict::Unclear("odd".to_owned()));
        let table = [
            (None, None, Absent, Err(NoVerdict::Missing)),
            (pass, None, Absent, Ok(ReviewVerdict::Pass)),
            (fail, None, Absent, Ok(ReviewVerdict::Fail)),
            (None, pass, Absent, Ok(ReviewVerdict::Pass)),
            (None, fail, Absent, Ok(ReviewVerdict::Fail)),
            (None, None, good.clone(), Ok(ReviewVerdict::Pass)),
            (None, None, bad.clone(), Ok(ReviewVerdict::Fail)),
            (pass, pass, good.clone(), Ok(ReviewVerdict::Pass)),
            (pass, fail, Absent, Ok(ReviewVerdict::Fail)),
            (fail, pass, good.clone(), Ok(ReviewVerdict::Fail)),
            (pass, pass, bad, Ok(ReviewVerdict::Fail)),
            (None, fail, good.clone(), Ok(ReviewVerdict::Fail)),
            (pass, None, good, Ok(ReviewVerdict::Pass)),
            (None, None, odd(), unclear()),
            (pass, None, odd(), unclear()),
            (pass, pass, odd(), unclear()),
            (None, pass, odd(), unclear()),
            (fail, None, odd(), Ok(ReviewVerdict::Fail)),
            (pass, fail, odd(), Ok(ReviewVerdict::Fail)),
        ];
        for (submitted, first_line, marker, expected) in table {
            let claims = Claims { submitted, first_line, marker };
            assert_eq!(claims.clone().resolve(), expected, "{claims:?}");
        }
    }

    #[test]
    fn only_a_missing_marker_says_nothing() {
        let claim = |read: Result<Verdict, MarkerError>| MarkerClaim::from(read);
        for silent in ["All done.", "`<review>PASS</review>`", "I say <review>PASS</review> here."]
        {
            assert_eq!(claim(parse_review_marker(silent)), MarkerClaim::Absent, "{silent}");
        }
        for unclear in [
            "`<review>REJECTED</review>`",
            "<Review>REJECTED</Review>",
            "<review>NEEDS_CHANGES",
            "&lt;review&gt;REJECTED&lt;/review&gt;",
            "**Verdict:** REJECTED",
        ] {
            let claim = claim(parse_review_marker(unclear));
            assert!(matches!(claim, MarkerClaim::Unclear(_)), "{unclear}: {claim:?}");
        }
        assert_eq!(claim(Ok(Verdict::Pass)), MarkerClaim::Says(ReviewVerdict::Pass));
        for verdict in [Verdict::NeedsChanges, Verdict::NeedsRevision, Verdict::Rejected] {
            assert_eq!(claim(Ok(verdict)), MarkerClaim::Says(ReviewVerdict::Fail), "{verdict}");
        }
        let unknown = MarkerError::UnknownVerdict { token: "MAYBE".to_owned(), line: 1 };
        let phase = Phase::Review;
        let step = phase.word().to_owned();
        let foreign = MarkerError::NotOfThisStep { verdict: Verdict::Rejected, step, line: 1 };
        for error in [unknown, foreign] {
            assert!(matches!(claim(Err(error)), MarkerClaim::Unclear(_)));
        }
    }
}
