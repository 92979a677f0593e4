//! `submit_subplan`: one plan that one coder carries out, which becomes `plan_N.md` and `tasks_N.md`.

use std::collections::BTreeSet;

use askama::Template;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Derived, Submission, items, rendered};
use crate::handoff::Tool;
use crate::handoff::desk::Desk;
use crate::handoff::fault::Faults;
use crate::handoff::shape::{Field, HIGHEST_PLAN, Kind, LINE, MARKDOWN, PATH, list, required};

/// A plan that one coder carries out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubPlan {
    /// Its number, N in `plan_N.md`.
    pub index: u64,
    /// What it is called.
    pub title: String,
    /// What is part of it, and what not.
    pub scope: String,
    /// The files that it alone may touch.
    pub owned_files: Vec<String>,
    /// The plans that must be done before.
    pub dependencies: Vec<u64>,
    /// Why nobody else touches what it owns.
    pub isolation: String,
    /// 1 for contracts, 2 for work side by side, 3 for what brings it together.
    pub phase: u64,
    /// What to build, and how.
    pub implementation: String,
    /// By what one sees that it is done.
    pub acceptance_criteria: Vec<String>,
    /// The steps.
    pub tasks: Vec<String>,
}

#[derive(Template)]
#[template(path = "blocks/handoff/subplan.md.j2", escape = "none")]
struct PlanFile<'a> {
    plan: &'a SubPlan,
}

#[derive(Template)]
#[template(path = "blocks/handoff/tasks.md.j2", escape = "none")]
struct TasksFile<'a> {
    plan: &'a SubPlan,
}

const NUMBER: Kind = Kind::Number { least: 1, most: HIGHEST_PLAN };

impl Submission for SubPlan {
    const ABOUT: &'static str = "Submits one sub-plan. Writes 04_planning/plan_N.md and tasks_N.md for N = index. \
                                 Texts are Markdown with headings of level 3 and below.";
    const FIELDS: &'static [Field] = &[
        required("index", NUMBER, "N of plan_N.md"),
        required("title", LINE, "the title; execution_plan.yaml names the plan by it"),
        required("scope", MARKDOWN, "what is part of the plan, and what not"),
        required(
            "owned_files",
            list(1, &PATH),
            "files, folders (ending with `/`) or globs (`*`, `**`, `?`) that only this plan may change",
        ),
        required(
            "dependencies",
            list(0, &NUMBER),
            "indexes of the plans that must be done before; [] if there are none",
        ),
        required("isolation", MARKDOWN, "why no other plan changes what this one owns"),
        required(
            "phase",
            Kind::Number { least: 1, most: 3 },
            "1: interfaces and contracts, 2: parallel implementation, 3: integration",
        ),
        required("implementation", MARKDOWN, "what to build, and how"),
        required("acceptance_criteria", list(1, &LINE), "how to see that it is done"),
        required("tasks", list(1, &LINE), "the steps, in order"),
    ];

    fn key(&self) -> Option<String> {
        Some(self.index.to_string())
    }

    fn check(value: &Value, _desk: &Desk<'_>, faults: &mut Faults) {
        let own = value["index"].as_u64();
        let mut seen = BTreeSet::new();
        for (at, number) in items(value, "dependencies").iter().enumerate() {
            let Some(number) = number.as_u64() else { continue };
            if Some(number) == own {
                faults.add(format!("dependencies[{at}]"), "the plan cannot depend on itself");
            }
            if !seen.insert(number) {
                faults.add(format!("dependencies[{at}]"), format!("{number} is repeated"));
            }
        }
        let mut seen = BTreeSet::new();
        for (at, path) in items(value, "owned_files").iter().enumerate() {
            let Some(path) = path.as_str() else { continue };
            if !seen.insert(path) {
                faults.add(format!("owned_files[{at}]"), format!("`{path}` is repeated"));
            }
        }
    }

    fn derived(&self, _desk: &Desk<'_>, _tool: Tool) -> Result<Vec<Derived>, String> {
        let file = |name: &str, text| Derived {
            path: format!("04_planning/{name}_{}.md", self.index),
            text,
        };
        Ok(vec![
            file("plan", rendered(&PlanFile { plan: self })?),
            file("tasks", rendered(&TasksFile { plan: self })?),
        ])
    }
}
