//! `submit_plan`: the overview of the plans, which becomes `plan.md` and ends planning.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Derived, Submission};
use crate::handoff::Tool;
use crate::handoff::desk::Desk;
use crate::handoff::fault::Faults;
use crate::handoff::preference::PREFERENCES;
use crate::handoff::set_aside;
use crate::handoff::shape::{DOCUMENT, Field, HIGHEST_PLAN, Kind, list, optional, required};
use crate::models::plan::PlanIndex;
use crate::prompt::preferences::PreferenceEntry;

/// The overview of the plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The overview.
    pub overview: String,
    /// The sub-plans that were handed in and that nobody is to carry out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<Vec<u64>>,
    /// Preferences for later work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Vec<PreferenceEntry>>,
}

impl Submission for Plan {
    const ABOUT: &'static str = "Submits the overview and ends planning. Writes 04_planning/plan.md. Every sub-plan \
                                 and the execution plan must be submitted before, and every sub-plan must be in a \
                                 group or in set_aside.";
    const FIELDS: &'static [Field] = &[
        required(
            "overview",
            DOCUMENT,
            "the plan for people: phases 1 to 3, who owns which files, deferred refactoring",
        ),
        optional(
            set_aside::FIELD,
            list(0, &Kind::Number { least: 1, most: HIGHEST_PLAN }),
            "indexes of submitted sub-plans that nobody will carry out",
        ),
        PREFERENCES,
    ];

    fn check(value: &Value, desk: &Desk<'_>, faults: &mut Faults) {
        set_aside::check(value, desk, faults);
        let aside = set_aside::named(value).into_iter().flat_map(set_aside::files);
        let without: Vec<_> = aside.map(|(file, _)| file).collect();
        faults.extend((desk.schedule)(desk.change, desk.folder, &without));
    }

    fn set_aside(&self) -> Vec<PlanIndex> {
        let numbers = self.set_aside.iter().flatten();
        numbers.filter_map(|number| PlanIndex::new(u32::try_from(*number).ok()?)).collect()
    }

    fn derived(&self, _desk: &Desk<'_>, _tool: Tool) -> Result<Vec<Derived>, String> {
        let overview = self.overview.trim();
        let title = if overview.starts_with("# ") { "" } else { "# Plan\n\n" };
        let path = "04_planning/plan.md".to_owned();
        Ok(vec![Derived { path, text: format!("{title}{overview}\n") }])
    }
}
