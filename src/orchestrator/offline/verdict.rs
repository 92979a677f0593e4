//! Gives the verdict alone of an answer whose marker is missing.

use super::Played;
use super::part::{Part, said};
use crate::template::{Phase, Verdict};

pub(super) fn play(part: &Part, phase: Phase) -> Played {
    let verdict = verdict(part.artifact("answer.md").unwrap_or_default(), phase);
    Played { answer: said(&format!("<review>{verdict}</review>")), files: Vec::new() }
}

/// Gives the worst verdict that an answer names; one that names none comes to no PASS.
fn verdict(answer: &str, phase: Phase) -> Verdict {
    let words = answer.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let named = words.filter_map(Verdict::from_word).filter(|word| phase.verdicts().contains(word));
    let mildest =
        phase.verdicts().iter().copied().filter(|verdict| *verdict != Verdict::Pass).min();
    named.max().or(mildest).unwrap_or(Verdict::Rejected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_verdict_that_is_named_counts_and_none_is_no_pass() {
        for (answer, expected) in [
            ("It comes to PASS.", Verdict::Pass),
            ("`<review>NEEDS_REVISION</review>`, not PASS", Verdict::NeedsRevision),
            ("PASSED the tests", Verdict::NeedsRevision),
            ("REJECTED, NEEDS_REVISION", Verdict::Rejected),
            ("MAJOR_ISSUES", Verdict::NeedsRevision),
            ("", Verdict::NeedsRevision),
        ] {
            assert_eq!(verdict(answer, Phase::Challenge), expected, "{answer}");
        }
    }
}
