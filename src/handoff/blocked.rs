//! What a role hands in when it cannot go on without a person: `status: blocked` and a `reason`, in place of its work.

use serde_json::{Value, json};

use super::Tool;
use super::fault::Faults;
use super::record;
use super::record::Submitted;
use super::shape::{self, DOCUMENT, Field, Kind, LONGEST_LINE, is_topic, required};
use super::text;
use crate::models::marker::{LONGEST_REASON, NO_REASON};
use crate::models::plan::PlanIndex;
use crate::prompt::confined::ConfinedFolder;
use crate::template::IncludeFault;

/// The word that the field `status` holds.
const BLOCKED: &str = "blocked";

/// The two fields that are read; all others are passed over.
const FIELDS: &[Field] = &[
    required("status", Kind::Word(&[BLOCKED]), "only if a person must decide or provide something"),
    required("reason", DOCUMENT, "with `status`: what you need to know, and what depends on it"),
];

/// Returns whether something that is handed in with a tool says that the role is blocked, in whatever case.
pub(super) fn is_blocked(tool: Tool, value: &Value) -> bool {
    let says = |status: &str| status.trim().eq_ignore_ascii_case(BLOCKED);
    is_allowed(tool) && value["status"].as_str().is_some_and(says)
}

/// Returns whether a tool ends a role's work or a part of it, so that the role may say instead why it cannot.
const fn is_allowed(tool: Tool) -> bool {
    !matches!(tool, Tool::ResearchDispatchCode | Tool::ResearchDispatchWeb)
}

/// Checks what is handed in, and returns it as it is recorded.
pub(super) fn checked(value: &Value) -> Result<Value, Faults> {
    let mut read = json!({ "status": BLOCKED });
    if let Some(reason) = value.get("reason") {
        read["reason"] = reason.clone();
    }
    let mut faults = Faults::default();
    shape::check(&read, FIELDS, &mut faults);
    if let Some(reason) = read["reason"].as_str().filter(|reason| reason.len() > LONGEST_LINE) {
        faults.add("reason", text::too_long(reason, LONGEST_LINE));
    }
    if faults.is_empty() { Ok(read) } else { Err(faults) }
}

/// Returns which of several it is: the plan or the topic, where one is named.
pub(super) fn key(tool: Tool, value: &Value, own: Option<PlanIndex>) -> Option<String> {
    let plan = |field: &str| {
        let number = u32::try_from(value[field].as_u64()?).ok()?;
        Some(PlanIndex::new(number)?.get().to_string())
    };
    match tool {
        Tool::SubmitDone => own.map(|own| own.get().to_string()).or_else(|| plan("plan")),
        Tool::SubmitSubplan => plan("index"),
        Tool::SubmitResearchDone => {
            value["topic"].as_str().filter(|topic| is_topic(topic)).map(str::to_owned)
        }
        Tool::SubmitArchitecture
        | Tool::SubmitPmDone
        | Tool::SubmitExecutionPlan
        | Tool::SubmitPlan
        | Tool::SubmitReview
        | Tool::ResearchDispatchCode
        | Tool::ResearchDispatchWeb => None,
    }
}

/// Adds the two fields to the schema of a tool. Which other fields must be there stays as it is: a schema with a choice
/// at its top is one that some models' servers refuse.
pub(super) fn added_to(schema: &mut Value, tool: Tool) {
    if !is_allowed(tool) {
        return;
    }
    let own = shape::json_schema(FIELDS);
    for field in FIELDS {
        schema["properties"][field.name] = own["properties"][field.name].clone();
    }
    schema["properties"]["reason"]["maxLength"] = LONGEST_LINE.into();
}

/// Returns what the role needs from a person if anything that it has handed in during a phase, given by its folder below the
/// change's, says that it is blocked. Several reasons become one, on one line of at most [`LONGEST_REASON`] characters.
///
/// Only what was handed in since the phase was opened counts.
pub fn blocked(folder: &ConfinedFolder, phase: &str) -> Result<Option<String>, IncludeFault> {
    reasons(folder, phase, |_| true)
}

/// Returns the same of what was handed in for one plan or topic alone.
pub fn blocked_in(
    folder: &ConfinedFolder,
    phase: &str,
    key: &str,
) -> Result<Option<String>, IncludeFault> {
    reasons(folder, phase, |submitted| submitted.key.as_deref() == Some(key))
}

fn reasons(
    folder: &ConfinedFolder,
    phase: &str,
    is_wanted: impl Fn(&Submitted) -> bool,
) -> Result<Option<String>, IncludeFault> {
    let mut reasons: Option<Vec<String>> = None;
    for (submitted, submission) in record::recorded(folder, phase)? {
        if is_blocked(submitted.tool, &submission) && is_wanted(&submitted) {
            let reasons = reasons.get_or_insert_default();
            let reason = reason(&submission);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
    }
    Ok(reasons.map(|reasons| on_one_line(&reasons.join(" "))))
}

/// Returns the reason of something that was checked.
pub(super) fn reason(submission: &Value) -> String {
    on_one_line(submission["reason"].as_str().unwrap_or(NO_REASON))
}

fn on_one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => line[..end].trim_end().to_owned(),
        None => line,
    }
}
