//! `submit_plan`: the overview of the plans, which becomes `plan.md` and ends planning.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Derived, Submission};
use crate::handoff::fault::Faults;
use crate::handoff::ground::Ground;
use crate::handoff::preference::PREFERENCES;
use crate::handoff::set_aside::{self, SetAside};
use crate::handoff::shape::{Field, Kind, required};
use crate::prompt::preferences::PreferenceEntry;

/// The overview of the plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The overview.
    pub overview: String,
    /// Preferences for later work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Vec<PreferenceEntry>>,
}

impl Submission for Plan {
    const ABOUT: &'static str = "Hands in the overview and ends planning. Writes 04_planning/plan.md. Every sub-plan \
                                 and the execution plan must be handed in before; sub-plans that are not scheduled \
                                 are set aside.";
    const FIELDS: &'static [Field] = &[
        required(
            "overview",
            Kind::Document,
            "the plan for people: phases 1 to 3, who owns which files, deferred refactoring",
        ),
        PREFERENCES,
    ];

    fn check(_value: &Value, ground: &Ground<'_>, faults: &mut Faults) {
        let set_aside = set_aside::unscheduled(ground);
        let without: Vec<_> = set_aside.into_iter().flat_map(|plan| plan.files).collect();
        faults.extend((ground.schedule)(ground.change, ground.folder, &without));
    }

    fn set_aside(ground: &Ground<'_>) -> Vec<SetAside> {
        set_aside::unscheduled(ground)
    }

    fn derived(&self, _ground: &Ground<'_>) -> Result<Vec<Derived>, String> {
        let overview = self.overview.trim();
        let title = if overview.starts_with("# ") { "" } else { "# Plan\n\n" };
        let path = "04_planning/plan.md".to_owned();
        Ok(vec![Derived { path, text: format!("{title}{overview}\n") }])
    }

    fn preferences(&self) -> &[PreferenceEntry] {
        self.preferences.as_deref().unwrap_or_default()
    }
}
