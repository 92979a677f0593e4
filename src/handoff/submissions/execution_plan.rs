//! `submit_execution_plan`: the schedule of the plans, which becomes `execution_plan.yaml`.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{Derived, Submission, items};
use crate::handoff::Tool;
use crate::handoff::desk::Desk;
use crate::handoff::fault::Faults;
use crate::handoff::shape::{Field, Kind, LINE, PATH, PLAN_FILE, list, optional, required};
use crate::handoff::yaml;
use crate::models::plan::{Mode, ReviewSeverity};

/// The schedule's file.
pub(in super::super) const EXECUTION_PLAN: &str = "04_planning/execution_plan.yaml";

/// The schedule of the plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExecutionPlan {
    /// The version of this form.
    pub version: u64,
    /// The groups, one after the other.
    pub groups: Vec<Group>,
    /// Whether a designer comes first.
    #[serde(default, deserialize_with = "or_default")]
    pub needs_design: bool,
    /// Whether documents change.
    #[serde(default, deserialize_with = "or_default")]
    pub needs_docs: bool,
    /// Which documents.
    #[serde(default, deserialize_with = "or_default")]
    pub doc_files: Vec<String>,
    /// How the work is reviewed.
    #[serde(default, deserialize_with = "or_default")]
    pub review_strategy: ReviewStrategy,
}

/// Plans that are carried out together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Its name.
    pub group_id: String,
    /// How its plans are carried out.
    pub mode: Mode,
    /// Its plans.
    pub plans: Vec<PlanReference>,
}

/// A plan by its file and its title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanReference {
    /// `plan_N.md`.
    pub file: String,
    /// The plan's title.
    pub name: String,
}

/// How the work is reviewed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewStrategy {
    /// How much is at stake.
    #[serde(default, deserialize_with = "or_default")]
    pub severity: ReviewSeverity,
    /// What to look at first.
    #[serde(default, deserialize_with = "or_default")]
    pub focus: Vec<String>,
}

/// Takes what is not said for the default.
fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// The fields of a plan in a group.
pub(crate) const PLAN_FIELDS: &[Field] = &[
    required("file", PLAN_FILE, "plan_N.md"),
    required("name", LINE, "the title of the sub-plan"),
];

/// The fields of a group.
pub(crate) const GROUP_FIELDS: &[Field] = &[
    required("group_id", LINE, "a unique name"),
    required(
        "mode",
        Kind::Word(Mode::WORDS),
        "serial, or parallel if no two plans own the same file",
    ),
    required("plans", list(1, &Kind::Map(PLAN_FIELDS)), "its plans, in order"),
];

/// The fields of a review strategy.
pub(crate) const STRATEGY_FIELDS: &[Field] = &[
    optional(
        "severity",
        Kind::Word(ReviewSeverity::WORDS),
        "how much is at risk; `medium` by default",
    ),
    optional("focus", list(0, &LINE), "what to look at first"),
];

/// The fields of an execution plan, however it is handed in.
pub(crate) const EXECUTION_PLAN_FIELDS: &[Field] = &[
    required("version", Kind::Number { least: 1, most: 1 }, "the version of this format"),
    required(
        "groups",
        list(1, &Kind::Map(GROUP_FIELDS)),
        "groups of plans; a group starts when the previous one is done",
    ),
    optional(
        "needs_design",
        Kind::Flag,
        "whether a designer works before the coders; `false` by default",
    ),
    optional("needs_docs", Kind::Flag, "whether documents change; `false` by default"),
    optional("doc_files", list(0, &PATH), "the documents that change, if any"),
    optional("review_strategy", Kind::Map(STRATEGY_FIELDS), "how the work is reviewed"),
];

impl Submission for ExecutionPlan {
    const ABOUT: &'static str = "Submits the schedule: groups of sub-plans in the order in which they are carried \
                                 out. Writes 04_planning/execution_plan.yaml.";
    const FIELDS: &'static [Field] = EXECUTION_PLAN_FIELDS;

    fn check(value: &Value, _desk: &Desk<'_>, faults: &mut Faults) {
        let mut ids = BTreeSet::new();
        let mut files = BTreeSet::new();
        for (at, group) in items(value, "groups").iter().enumerate() {
            if let Some(id) = group["group_id"].as_str()
                && !ids.insert(id.trim())
            {
                faults.add(format!("groups[{at}].group_id"), "another group has this name");
            }
            for (number, plan) in items(group, "plans").iter().enumerate() {
                if let Some(file) = plan["file"].as_str()
                    && !files.insert(file)
                {
                    let field = format!("groups[{at}].plans[{number}].file");
                    faults.add(field, format!("`{file}` is scheduled twice"));
                }
            }
        }
        match (value["needs_docs"] == true, items(value, "doc_files").is_empty()) {
            (true, true) => {
                faults.add("doc_files", "is empty, and `needs_docs` is true: name the documents");
            }
            (false, false) => {
                faults.add("doc_files", "names documents, and `needs_docs` is not true");
            }
            (true, false) | (false, true) => {}
        }
    }

    fn derived(&self, _desk: &Desk<'_>, _tool: Tool) -> Result<Vec<Derived>, String> {
        Ok(vec![Derived { path: EXECUTION_PLAN.to_owned(), text: yaml::written(self)? }])
    }
}
