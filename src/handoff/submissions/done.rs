//! `submit_done`: work that has a completion marker is finished.

use askama::Template;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Derived, Submission, rendered};
use crate::handoff::Tool;
use crate::handoff::desk::Desk;
use crate::handoff::fault::Faults;
use crate::handoff::shape::{Field, HIGHEST_PLAN, Kind, LINE, MARKDOWN, list, optional, required};
use crate::handoff::text::inline_code;
use crate::prompt::tasks;
use crate::template::Role;

/// The end of a piece of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// The plan that a coder has carried out; none after a fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<u64>,
    /// What was done.
    pub summary: String,
    /// What was run.
    pub checks: Vec<Check>,
}

/// A command that was run, and what it gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The command.
    pub command: String,
    /// What it gave.
    pub result: String,
}

pub(super) const CHECK: &[Field] = &[
    required("command", LINE, "the command: cargo test"),
    required("result", LINE, "its result: 42 passed"),
];

#[derive(Template)]
#[template(path = "blocks/handoff/done.md.j2", escape = "none")]
struct Marker<'a> {
    done: &'a Done,
}

impl Submission for Done {
    const ABOUT: &'static str = "Reports that your work is finished; call it as your very last action. A coder gives the \
                                 number of the plan, and leaves it out after a fix.";
    const FIELDS: &'static [Field] = &[
        optional(
            "plan",
            Kind::Number { least: 1, most: HIGHEST_PLAN },
            "N of the plan_N.md that you carried out; only for coders",
        ),
        required("summary", MARKDOWN, "what was done, in a few sentences"),
        required(
            "checks",
            list(0, &Kind::Map(CHECK)),
            "the commands that you ran at the end; [] if you ran none",
        ),
    ];

    fn key(&self) -> Option<String> {
        self.plan.map(|plan| plan.to_string())
    }

    fn check(value: &Value, desk: &Desk<'_>, faults: &mut Faults) {
        let plan = value.get("plan").filter(|plan| !plan.is_null());
        let needed = match (desk.role, plan.map(Value::as_u64)) {
            (Role::Coder, Some(Some(number))) => Some(format!("04_planning/plan_{number}.md")),
            (Role::Designer, _) => Some("05_design/design.md".to_owned()),
            (Role::Reviewer, _) => Some("08_completion/summary.md".to_owned()),
            (_, _) => None,
        };
        if desk.role != Role::Coder && plan.is_some() {
            faults.add("plan", "only a coder names a plan: leave it out");
        }
        if let Some(own) = desk.plan.map(|own| u64::from(own.get()))
            && let Some(fault) = not_own(own, plan)
        {
            return faults.add("plan", fault);
        }
        if let (Role::Coder, Some(number)) = (desk.role, plan.and_then(Value::as_u64)) {
            check_tasks(number, desk, faults);
        }
        let Some(lack) = needed.and_then(|path| desk.lacks(&path)) else { return };
        match desk.role {
            Role::Coder => faults.add("plan", format!("there is no such plan: {lack}")),
            _ => faults.add("", lack),
        }
    }

    fn derived(&self, desk: &Desk<'_>, _tool: Tool) -> Result<Vec<Derived>, String> {
        let path = match (desk.role, self.plan) {
            // The summary itself is what a reviewer leaves.
            (Role::Reviewer, _) => return Ok(Vec::new()),
            (Role::Designer, _) => "05_design/done".to_owned(),
            (_, Some(number)) => format!("06_implementation/done_{number}"),
            (_, None) => "06_implementation/done_fix".to_owned(),
        };
        Ok(vec![Derived { path, text: rendered(&Marker { done: self })? }])
    }
}

/// Adds a fault where tasks of a plan that is said to be done are open.
fn check_tasks(plan: u64, desk: &Desk<'_>, faults: &mut Faults) {
    let path = format!("04_planning/tasks_{plan}.md");
    let text = desk.folder.read(&path).ok().flatten().unwrap_or_default();
    let open = tasks::open_titles(&text);
    if !open.is_empty() {
        let count = tasks::counted(&open, &format!("open in `{path}`"));
        faults
            .add("plan", format!("{count}: do each of them and tick it, `- [x]`, then call again"));
    }
}

/// Returns what is wrong where a coder with a plan of its own names another, or none.
fn not_own(own: u64, named: Option<&Value>) -> Option<String> {
    match named {
        None => Some(format!("is missing: you carry out plan {own}")),
        Some(named) if named.as_u64().is_some_and(|named| named != own) => {
            Some(format!("you carry out plan {own}, and no other"))
        }
        Some(_) => None,
    }
}
