//! YAML files of agents that cannot call tools. Each is taken as if its fields had been handed in with the tool.

use super::Tool;
use super::desk::{Desk, HandoffError, Receipt};
use super::shape::is_topic;
use super::yaml;
use crate::models::plan::PlanIndex;

/// A YAML file that may stand for a call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FallbackFile {
    /// The tool.
    pub tool: Tool,
    /// The file, below the change's folder.
    pub path: String,
}

/// A file that was found, and what became of it.
#[derive(Debug)]
pub struct Taken {
    /// The file, below the change's folder.
    pub path: String,
    /// What became of it.
    pub outcome: Result<Receipt, HandoffError>,
}

/// Takes every YAML file that the role has written, in the order in which tools would be called.
pub fn read_fallback(desk: &Desk<'_>, now_ms: u64) -> Vec<Taken> {
    fallback_files(desk).into_iter().filter_map(|file| file.take(desk, now_ms)).collect()
}

/// Lists the YAML files that the role may have written, in the order in which tools would be called.
pub fn fallback_files(desk: &Desk<'_>) -> Vec<FallbackFile> {
    let files = |tool: &Tool| {
        let tool = *tool;
        paths(desk, tool).into_iter().map(move |path| FallbackFile { tool, path })
    };
    Tool::of(desk.role).iter().flat_map(files).collect()
}

impl FallbackFile {
    /// Takes the file, if it is there.
    pub fn take(self, desk: &Desk<'_>, now_ms: u64) -> Option<Taken> {
        let outcome = take(desk, self.tool, &self.path, now_ms)?;
        Some(Taken { path: self.path, outcome })
    }
}

/// Lists the files that may stand for calls of a tool.
fn paths(desk: &Desk<'_>, tool: Tool) -> Vec<String> {
    match tool {
        Tool::SubmitArchitecture => vec!["02_architecting/architecture.yaml".to_owned()],
        Tool::SubmitPmDone => vec!["01_product_management/pm_done.yaml".to_owned()],
        Tool::SubmitSubplan => numbered(desk),
        Tool::SubmitPlan => vec!["04_planning/plan.yaml".to_owned()],
        Tool::SubmitReview => vec!["07_review/review.yaml".to_owned()],
        Tool::ResearchDispatchCode => requests(desk, "code-"),
        Tool::ResearchDispatchWeb => requests(desk, "web-"),
        // Their fallback is the file itself: the schedule, or the marker.
        Tool::SubmitExecutionPlan | Tool::SubmitDone | Tool::SubmitResearchDone => Vec::new(),
    }
}

/// Lists `plan_N.yaml`, by number, and then the files that are called otherwise and look as if they were meant for sub-plans.
fn numbered(desk: &Desk<'_>) -> Vec<String> {
    let list = |ending: &str| desk.folder.list("04_planning", ending).unwrap_or_default();
    let names = list(".yaml").into_iter().chain(list(".yml"));
    let names = names.filter(|name| name.starts_with("plan_"));
    let mut paths: Vec<_> = names.map(|name| format!("04_planning/{name}")).collect();
    paths.sort_by_key(|path| (index_of(path).is_none(), index_of(path)));
    paths
}

/// Returns the number of a sub-plan's file.
fn index_of(path: &str) -> Option<PlanIndex> {
    PlanIndex::of_word(path.strip_prefix("04_planning/")?.strip_suffix(".yaml")?)
}

/// Refuses a file that looks like a sub-plan and is not called like one. Who cannot remove it empties it, or writes the
/// sub-plan into the file that it belongs into.
fn misnamed(desk: &Desk<'_>, path: &str, text: &str) -> Option<HandoffError> {
    if text.trim().is_empty() {
        return None;
    }
    let index = yaml::read(text).ok().and_then(|document| document.value["index"].as_u64());
    let own = index.map(|index| format!("04_planning/plan_{index}.yaml"));
    let is_there = |own: &String| matches!(desk.folder.read_bytes(own), Ok(Some(_)));
    if own.as_ref().is_some_and(is_there) {
        return None;
    }
    let own = own.unwrap_or_else(|| "04_planning/plan_N.yaml".to_owned());
    let mut faults = super::Faults::default();
    let message = format!(
        "`{path}` is not a file of a sub-plan: write the sub-plan to `{own}`, or leave this file empty"
    );
    faults.add("", message);
    Some(HandoffError::Faults(faults))
}

fn requests(desk: &Desk<'_>, prefix: &str) -> Vec<String> {
    let folders = desk.folder.list("03_research", "").unwrap_or_default();
    let is_request = |name: &&String| name.strip_prefix(prefix).is_some_and(is_topic);
    let path = |name| format!("03_research/{name}/request.yaml");
    folders.iter().filter(is_request).map(path).collect()
}

/// Takes a file, if it is there.
fn take(
    desk: &Desk<'_>,
    tool: Tool,
    path: &str,
    now_ms: u64,
) -> Option<Result<Receipt, HandoffError>> {
    let text = match desk.folder.read(path) {
        Ok(Some(text)) => text,
        Ok(None) => return None,
        Err(fault) => return Some(Err(HandoffError::File { path: path.to_owned(), fault })),
    };
    if tool == Tool::SubmitSubplan && index_of(path).is_none() {
        return misnamed(desk, path, &text).map(Err);
    }
    let document = match yaml::read(&text) {
        Ok(document) => document,
        Err(faults) => return Some(Err(HandoffError::Faults(faults))),
    };
    let outcome = named_as_its_file(tool, path, &document.value)
        .and_then(|()| desk.submit(tool, &document.value, now_ms))
        .and_then(|receipt| without_question(desk, path, receipt));
    Some(outcome.map_err(|error| match error {
        HandoffError::Faults(mut faults) => {
            faults.locate(|field| document.place(field));
            HandoffError::Faults(faults)
        }
        other => other,
    }))
}

/// Removes a file that asks a person once it is recorded: the next round must not read the same question again.
fn without_question(
    desk: &Desk<'_>,
    path: &str,
    receipt: Receipt,
) -> Result<Receipt, HandoffError> {
    if receipt.blocked.is_some() {
        let failed = |fault| HandoffError::File { path: path.to_owned(), fault };
        desk.folder.remove(path).map_err(failed)?;
    }
    Ok(receipt)
}

/// Demands that a file in which a plan or a topic is described is named for it.
fn named_as_its_file(
    tool: Tool,
    path: &str,
    value: &serde_json::Value,
) -> Result<(), HandoffError> {
    let (field, own) = match tool {
        Tool::SubmitSubplan => {
            ("index", value["index"].as_u64().map(|index| format!("04_planning/plan_{index}.yaml")))
        }
        Tool::ResearchDispatchCode | Tool::ResearchDispatchWeb => {
            let kind = if tool == Tool::ResearchDispatchWeb { "web" } else { "code" };
            let topic = value["topic"].as_str();
            ("topic", topic.map(|topic| format!("03_research/{kind}-{topic}/request.yaml")))
        }
        Tool::SubmitArchitecture
        | Tool::SubmitPmDone
        | Tool::SubmitExecutionPlan
        | Tool::SubmitPlan
        | Tool::SubmitReview
        | Tool::SubmitDone
        | Tool::SubmitResearchDone => return Ok(()),
    };
    match own {
        Some(own) if own != path => {
            let mut faults = super::Faults::default();
            faults.add(field, format!("does not match the file's name, `{path}`"));
            Err(HandoffError::Faults(faults))
        }
        Some(_) | None => Ok(()),
    }
}
