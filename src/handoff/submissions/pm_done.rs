//! `submit_pm_done`: the product manager's analysis is written.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Derived, Submission};
use crate::handoff::Tool;
use crate::handoff::desk::Desk;
use crate::handoff::fault::Faults;
use crate::handoff::preference::PREFERENCES;
use crate::handoff::shape::{Field, MARKDOWN, required};
use crate::prompt::preferences::PreferenceEntry;

/// The file that must be there.
const ANALYSIS: &str = "01_product_management/analysis.md";

/// The end of the product manager's work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductManagerDone {
    /// What came of it.
    pub summary: String,
    /// Preferences for later work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Vec<PreferenceEntry>>,
}

impl Submission for ProductManagerDone {
    const ABOUT: &'static str = "Ends your work. Write 01_product_management/analysis.md first.";
    const FIELDS: &'static [Field] = &[
        required("summary", MARKDOWN, "the result of the analysis, in a few sentences"),
        PREFERENCES,
    ];

    fn check(_value: &Value, desk: &Desk<'_>, faults: &mut Faults) {
        if let Some(lack) = desk.lacks(ANALYSIS) {
            faults.add("", lack);
        }
    }

    fn derived(&self, _desk: &Desk<'_>, _tool: Tool) -> Result<Vec<Derived>, String> {
        Ok(Vec::new())
    }
}
