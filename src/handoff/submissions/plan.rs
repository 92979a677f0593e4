//! `submit_plan`: the overview of the plans, which becomes `plan.md` and ends planning.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Derived, ExecutionPlan, Submission, execution_plan, items};
use crate::handoff::fault::Faults;
use crate::handoff::ground::Ground;
use crate::handoff::preference::PREFERENCES;
use crate::handoff::shape::{self, Field, Kind, required};
use crate::handoff::yaml;
use crate::models::plan::PlanIndex;
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
                                 and the execution plan must be handed in before.";
    const FIELDS: &'static [Field] = &[
        required(
            "overview",
            Kind::Document,
            "the plan for people: phases 1 to 3, who owns which files, deferred refactoring",
        ),
        PREFERENCES,
    ];

    fn check(_value: &Value, ground: &Ground<'_>, faults: &mut Faults) {
        check_schedule(ground, faults);
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

/// Demands a schedule, the files of each plan in it, and no plan that is not in it.
fn check_schedule(ground: &Ground<'_>, faults: &mut Faults) {
    let text = match ground.read(execution_plan::FILE) {
        Ok(Some(text)) => text,
        Ok(None) => {
            let message =
                format!("`{}` is not there: submit the execution plan first", execution_plan::FILE);
            return faults.add("", message);
        }
        Err(fault) => {
            return faults.add("", format!("`{}` cannot be read: {fault}", execution_plan::FILE));
        }
    };
    let mut wrong = Faults::default();
    let value = match yaml::read(&text) {
        Ok(document) => {
            shape::check(&document.value, ExecutionPlan::FIELDS, &mut wrong);
            wrong.locate(|field| document.place(field));
            document.value
        }
        Err(error) => {
            wrong = error;
            Value::Null
        }
    };
    for fault in &wrong {
        faults.add("", format!("{}:{fault}", execution_plan::FILE));
    }
    let mut scheduled = BTreeSet::new();
    for plan in items(&value, "groups").iter().flat_map(|group| items(group, "plans")) {
        let Some(plan) = plan["file"].as_str().and_then(PlanIndex::of_plan_file) else { continue };
        scheduled.insert(plan);
        for file in [plan.plan_file(), plan.tasks_file()] {
            if ground.lacks(&format!("04_planning/{file}")).is_some() {
                let message = format!(
                    "`04_planning/{file}` is scheduled and not there: submit sub-plan {} first",
                    plan.get()
                );
                faults.add("", message);
            }
        }
    }
    let written = ground.folder.list("04_planning", ".md").unwrap_or_default();
    for plan in written.iter().filter_map(|name| PlanIndex::of_plan_file(name)) {
        if wrong.is_empty() && !scheduled.contains(&plan) {
            let message = format!(
                "`04_planning/{plan}.md` is in no group of the execution plan: schedule it, or remove it \
                 with its tasks"
            );
            faults.add("", message);
        }
    }
}
