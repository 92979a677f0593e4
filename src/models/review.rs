//! The verdict of a team's review, and the line in which `review.md` says it.

use crate::template::Verdict;
use crate::template::words::words;

words! {
    /// The verdict of a team's review, which knows no more than whether the work passes. Like [`Verdict`], from which it is
    /// made, it is in order from best to worst: of several, the greatest counts.
    ReviewVerdict {
        /// The work is good as it is.
        Pass = "pass",
        /// Something must be fixed.
        Fail = "fail",
    }
}

impl ReviewVerdict {
    /// Returns the word of the first line of `review.md`.
    pub const fn shouted(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
        }
    }

    /// Reads the verdict of `review.md`, which stands in its first line that is not blank: `VERDICT`, a colon, and `PASS`
    /// or `FAIL`, with blanks and emphasis as one likes. A line that begins so and says anything but PASS is a fail; one
    /// that begins otherwise is no verdict.
    ///
    /// ```
    /// use agentd::models::review::ReviewVerdict;
    ///
    /// assert_eq!(ReviewVerdict::of_review("VERDICT: PASS\n\nGood."), Some(ReviewVerdict::Pass));
    /// assert_eq!(ReviewVerdict::of_review("**VERDICT:PASS**"), Some(ReviewVerdict::Pass));
    /// assert_eq!(ReviewVerdict::of_review("VERDICT: PASS, but"), Some(ReviewVerdict::Fail));
    /// assert_eq!(ReviewVerdict::of_review("# Review\nVERDICT: PASS"), None);
    /// ```
    pub fn of_review(text: &str) -> Option<Self> {
        Self::split_review(text).map(|(verdict, _)| verdict)
    }

    /// Splits `review.md` into its verdict and what follows that line.
    pub fn split_review(text: &str) -> Option<(Self, &str)> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
        let plain: String = line.chars().filter(|c| !matches!(c, '*' | '_')).collect();
        let word = plain.trim_start().strip_prefix("VERDICT")?.trim_start().strip_prefix(':')?;
        Some((if word.trim() == "PASS" { Self::Pass } else { Self::Fail }, rest))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worse_verdict_never_becomes_a_better_one() {
        let verdicts: Vec<ReviewVerdict> = Verdict::ALL.iter().map(|word| (*word).into()).collect();
        assert!(verdicts.is_sorted(), "{verdicts:?}");
        assert_eq!(verdicts.iter().filter(|word| **word == ReviewVerdict::Pass).count(), 1);
    }

    #[test]
    fn blanks_and_emphasis_change_no_verdict_and_nothing_else_passes() {
        for line in [
            "VERDICT: PASS",
            "VERDICT:PASS",
            "VERDICT : PASS",
            "  VERDICT:\tPASS  ",
            "**VERDICT: PASS**",
            "**VERDICT:** PASS",
            "VERDICT: __PASS__",
            "\u{feff}\n\r\n*VERDICT: PASS*\r",
        ] {
            let review = format!("{line}\nGood.");
            let expected = Some((ReviewVerdict::Pass, "Good."));
            assert_eq!(ReviewVerdict::split_review(&review), expected, "{line:?}");
        }
        for line in [
            "VERDICT: FAIL",
            "VERDICT:FAIL",
            "VERDICT:",
            "VERDICT: pass",
            "VERDICT: PASS or FAIL",
            "VERDICT: PASSED",
            "VERDICT: PASS.",
            "VERDICT: P*ASS* no",
        ] {
            assert_eq!(ReviewVerdict::of_review(line), Some(ReviewVerdict::Fail), "{line:?}");
        }
        for line in [
            "",
            "PASS",
            "# VERDICT: PASS",
            "> VERDICT: PASS",
            "The VERDICT: PASS",
            "VERDICTS: PASS",
            "VERDICT PASS",
        ] {
            assert_eq!(ReviewVerdict::of_review(line), None, "{line:?}");
        }
    }
}
