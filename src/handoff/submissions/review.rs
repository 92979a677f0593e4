//! `submit_review`: a verdict with its reasons, which becomes `review.md`.

use askama::Template;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::done::{CHECK, Check};
use super::{Derived, Submission, items, rendered};
use crate::handoff::Tool;
use crate::handoff::desk::Desk;
use crate::handoff::fault::Faults;
use crate::handoff::preference::PREFERENCES;
use crate::handoff::shape::{Field, Kind, LINE, MARKDOWN, list, optional, required};
use crate::handoff::text::inline_code;
use crate::models::plan::ReviewSeverity;
use crate::models::review::ReviewVerdict;
use crate::prompt::preferences::PreferenceEntry;

/// A review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The verdict.
    pub verdict: ReviewVerdict,
    /// Its reasons.
    pub summary: String,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What was run.
    pub checks: Vec<Check>,
    /// Preferences for later work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Vec<PreferenceEntry>>,
}

/// Something that a review found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// How much it matters.
    pub severity: ReviewSeverity,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// What is wrong.
    pub issue: String,
    /// What to do.
    pub recommendation: String,
}

const FINDING: &[Field] = &[
    required("severity", Kind::Word(ReviewSeverity::WORDS), "high: must be fixed before a pass"),
    optional("location", LINE, "file and line: src/login.rs:42"),
    required("issue", MARKDOWN, "what is wrong"),
    required("recommendation", MARKDOWN, "what to do about it"),
];

#[derive(Template)]
#[template(path = "blocks/handoff/review.md.j2", escape = "none")]
struct File<'a> {
    review: &'a Review,
}

impl Review {
    /// Returns the text of `review.md` for a review that was submitted, if it is one.
    pub fn text_of(submission: &Value) -> Option<String> {
        Self::deserialize(submission).ok()?.text().ok()
    }

    fn text(&self) -> Result<String, String> {
        rendered(&File { review: self })
    }
}

impl Submission for Review {
    const ABOUT: &'static str = "Submits the review. Writes 07_review/review.md and ends the review. A fail needs \
                                 findings; a pass has none of severity high.";
    const FIELDS: &'static [Field] = &[
        required("verdict", Kind::Word(ReviewVerdict::WORDS), "whether the work is good enough"),
        required("summary", MARKDOWN, "the reasons, in a few sentences"),
        required(
            "findings",
            list(0, &Kind::Map(FINDING)),
            "the findings, worst first; [] if there are none",
        ),
        required(
            "checks",
            list(0, &Kind::Map(CHECK)),
            "the commands that you ran; [] if you ran none",
        ),
        PREFERENCES,
    ];

    fn check(value: &Value, _desk: &Desk<'_>, faults: &mut Faults) {
        let findings = items(value, "findings");
        match value["verdict"].as_str() {
            Some("fail") if value["findings"].is_array() && findings.is_empty() => {
                faults.add("findings", "is empty, and the verdict is `fail`: say what to fix");
            }
            Some("pass") => {
                for (at, finding) in findings.iter().enumerate() {
                    if finding["severity"] == "high" {
                        let field = format!("findings[{at}].severity");
                        faults.add(
                            field,
                            "is `high`, but the verdict is `pass`: one of them is wrong",
                        );
                    }
                }
            }
            _ => {}
        }
    }

    fn derived(&self, _desk: &Desk<'_>, _tool: Tool) -> Result<Vec<Derived>, String> {
        Ok(vec![Derived { path: "07_review/review.md".to_owned(), text: self.text()? }])
    }
}
