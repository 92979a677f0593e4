//! `submit_pm_done`: the product manager's analysis is written.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Derived, Submission};
use crate::handoff::fault::Faults;
use crate::handoff::ground::Ground;
use crate::handoff::preference::PREFERENCES;
use crate::handoff::shape::{Field, Kind, required};
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
    const ABOUT: &'static str =
        "Ends your work. 01_product_management/analysis.md must be written before.";
    const FIELDS: &'static [Field] = &[
        required("summary", Kind::Markdown, "what the analysis comes to, in a few sentences"),
        PREFERENCES,
    ];

    fn check(_value: &Value, ground: &Ground<'_>, faults: &mut Faults) {
        if let Some(lack) = ground.lacks(ANALYSIS) {
            faults.add("", lack);
        }
    }

    fn derived(&self, _ground: &Ground<'_>) -> Result<Vec<Derived>, String> {
        Ok(Vec::new())
    }

    fn preferences(&self) -> &[PreferenceEntry] {
        self.preferences.as_deref().unwrap_or_default()
    }
}
