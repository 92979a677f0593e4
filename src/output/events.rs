//! The events of a change as JSON lines for programs, each with the version of the format.

use serde_json::{Value, json};

use super::json::path_text;
use crate::engine::event::Event;
use crate::engine::lanes::LaneEvent;
use crate::engine::research::ResearchEvent;
use crate::orchestrator::watch as call;

/// The version of the lines.
pub(crate) const VERSION: u32 = 2;

/// Writes an event as one JSON object.
pub(crate) fn json(event: &Event<'_>) -> Value {
    let mut value = match event {
        Event::StepStarted { step, round, agent, model, resumed } => json!({
            "event": "step-started", "step": step.name, "round": round, "agent": agent,
            "model": model, "resumed": resumed,
        }),
        Event::Call(event) => call_json(event),
        Event::SetAside { patch } => json!({ "event": "set-aside", "patch": path_text(patch) }),
        Event::BranchSetBack { branch, commit, kept } => {
            json!({ "event": "branch-set-back", "branch": branch, "commit": commit, "kept": kept })
        }
        Event::DocumentsRestored { files } => {
            json!({ "event": "documents-restored", "files": files })
        }
        Event::DocumentsEdited { files } => json!({ "event": "documents-edited", "files": files }),
        Event::PlansSetAside { plans } => json!({ "event": "plans-set-aside", "plans": plans }),
        Event::FilesAskedAgain { faults } => {
            let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
            json!({ "event": "files-asked-again", "faults": faults })
        }
        Event::NothingChanged { step } => {
            json!({ "event": "nothing-changed", "step": step.name })
        }
        Event::StepFinished { step, outcome, counts_as, usage, next } => json!({
            "event": "step-finished", "step": step.name, "outcome": outcome.word(),
            "counts_as": counts_as.word(),
            "next": next, "usage": usage,
        }),
        Event::Blocked { step, reason } => {
            json!({ "event": "blocked", "step": step.name, "reason": reason })
        }
        Event::GroupStarted { group, mode, plans } => json!({
            "event": "group-started", "group": group, "mode": mode.word(),
            "plans": plans,
        }),
        Event::Lane(event) => lane_json(event),
        Event::InLane { plan, event } => {
            let mut value = json(event);
            value["plan"] = (*plan).into();
            value
        }
        Event::Research(event) => research_json(event),
        Event::InResearch { topic, event } => {
            let mut value = json(event);
            value["topic"] = (*topic).into();
            value
        }
        Event::BaselineStarted { commit, count } => {
            json!({ "event": "baseline-started", "commit": commit, "count": count })
        }
        Event::BaselineFinished { result } => {
            json!({ "event": "baseline-finished", "checks": result.to_string() })
        }
        Event::BaselineChosen { choice } => {
            json!({ "event": "baseline-chosen", "choice": choice })
        }
        Event::ChecksStarted { step, count } => {
            json!({ "event": "checks-started", "step": step.name, "count": count })
        }
        Event::CheckStarted { command } => json!({ "event": "check-started", "command": command }),
        Event::CheckFinished(checked) => {
            json!({
                "event": "check-finished", "command": checked.command, "kind": checked.purpose.word(),
                "passed": checked.failure.is_none(), "failure": checked.failure,
                "milliseconds": checked.milliseconds,
            })
        }
        Event::ChecksFinished { step, result, ignored } => json!({
            "event": "checks-finished", "step": step.name, "checks": result.to_string(),
            "except": result.exceptions(), "ignored": ignored,
        }),
        Event::Archived { folder } => json!({ "event": "archived", "folder": path_text(folder) }),
    };
    value["version"] = VERSION.into();
    value
}

fn lane_json(event: &LaneEvent) -> Value {
    let (what, commit, files, message) = match event {
        LaneEvent::Started { base, .. } => ("started", Some(base), None, None),
        LaneEvent::SetAside { branch, .. } => ("set-aside", None, None, Some(branch)),
        LaneEvent::Finished { commit, .. } => ("finished", Some(commit), None, None),
        LaneEvent::Failed { message, .. } => ("failed", None, None, Some(message)),
        LaneEvent::Quarantined { commit, files, .. } => {
            ("quarantined", Some(commit), Some(files), None)
        }
        LaneEvent::WroteOutside { files, .. } => ("wrote-outside", None, Some(files), None),
        LaneEvent::Merged { into, .. } => ("merged", Some(into), None, None),
        LaneEvent::Conflict { files, .. } => ("conflict", None, Some(files), None),
    };
    json!({
        "event": "plan", "plan": event.plan(), "what": what, "commit": commit, "files": files,
        "message": message,
    })
}

fn research_json(event: &ResearchEvent) -> Value {
    let (what, message) = match event {
        ResearchEvent::Started { .. } => ("started", None),
        ResearchEvent::Finished { .. } => ("finished", None),
        ResearchEvent::Failed { message, .. } => ("failed", Some(message)),
    };
    json!({ "event": "research", "topic": event.topic(), "what": what, "message": message })
}

fn call_json(event: &call::Event<'_>) -> Value {
    match event {
        call::Event::Started { agent, model, run, prompt_bytes } => json!({
            "event": "call-started", "agent": agent, "model": model, "run": path_text(run),
            "prompt_bytes": prompt_bytes,
        }),
        call::Event::LeftOut { left } => {
            json!({ "event": "left-out", "name": left.name, "bytes": left.bytes })
        }
        call::Event::LeftOver { run } => json!({ "event": "answer-found", "run": path_text(run) }),
        call::Event::Progress(progress) => json!({
            "event": "progress", "activity": progress.activity,
            "output_tokens": progress.output_tokens,
        }),
        call::Event::Repeated { error, after } => json!({
            "event": "call-failed", "error": error.to_string(), "again_after_ms": after.as_millis(),
        }),
        call::Event::StandsStill { window, attach } => json!({
            "event": "stands-still", "window": window, "attach": attach,
        }),
        call::Event::AskedAgain { unclear } => {
            json!({ "event": "verdict-asked-again", "unclear": unclear.to_string() })
        }
        call::Event::Denied { tools } => json!({ "event": "denied", "tools": tools }),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::catalog::CATALOG;
    use crate::engine::check_report::{CheckResult, Checked, Purpose};
    use crate::engine::git::Commit;
    use crate::flow::Outcome;
    use crate::models::marker::MarkerError;
    use crate::models::plan::{Mode, PlanIndex};
    use crate::models::settings::RedBaseline;
    use crate::models::usage::UsageMetrics;
    use crate::orchestrator::agents::{AgentError, Progress};
    use crate::orchestrator::prompts::inputs::LeftOut;
    use crate::template::Phase;

    /// Numbers the events; the compiler reports an event without a number.
    const fn number(event: &Event<'_>) -> usize {
        match event {
            Event::StepStarted { .. } => 0,
            Event::Call(call::Event::Started { .. }) => 1,
            Event::Call(call::Event::LeftOver { .. }) => 2,
            Event::Call(call::Event::LeftOut { .. }) => 3,
            Event::Call(call::Event::Progress(_)) => 4,
            Event::Call(call::Event::Repeated { .. }) => 5,
            Event::Call(call::Event::AskedAgain { .. }) => 6,
            Event::Call(call::Event::StandsStill { .. }) => 7,
            Event::Call(call::Event::Denied { .. }) => 8,
            Event::SetAside { .. } => 9,
            Event::BranchSetBack { .. } => 10,
            Event::DocumentsRestored { .. } => 11,
            Event::DocumentsEdited { .. } => 12,
            Event::PlansSetAside { .. } => 13,
            Event::FilesAskedAgain { .. } => 14,
            Event::NothingChanged { .. } => 15,
            Event::Blocked { .. } => 16,
            Event::GroupStarted { .. } => 17,
            Event::Lane(_) => 18,
            Event::InLane { .. } => 19,
            Event::Research(_) => 20,
            Event::InResearch { .. } => 21,
            Event::StepFinished { .. } => 22,
            Event::BaselineStarted { .. } => 23,
            Event::BaselineFinished { .. } => 24,
            Event::BaselineChosen { .. } => 25,
            Event::ChecksStarted { .. } => 26,
            Event::CheckStarted { .. } => 27,
            Event::CheckFinished(_) => 28,
            Event::ChecksFinished { .. } => 29,
            Event::Archived { .. } => 30,
        }
    }

    /// Writes an event as a row of the document's table, without its condition.
    fn row(value: &Value) -> String {
        let fields = value.as_object().unwrap().keys();
        let fields = fields.filter(|key| !["event", "version"].contains(&key.as_str()));
        let fields: Vec<_> = fields.map(|key| format!("`{key}`")).collect();
        let name = value["event"].as_str().unwrap();
        format!("| `{name}` | {} |", fields.join(", ")).replace("|  |", "| |")
    }

    #[test]
    fn every_event_and_its_fields_are_in_the_document() {
        // A path may not be valid in JSON.
        let path = Path::new(OsStr::from_bytes(b"x\xff"));
        let (step, round, agent) = (CATALOG.step(Phase::Plan), 1, "offline");
        let progress = Progress { activity: String::new(), output_tokens: None };
        let left = LeftOut { name: String::new(), bytes: 1 };
        let error = AgentError::NotFound { program: String::new() };
        let checked = Checked {
            command: String::new(),
            purpose: Purpose::Test,
            failure: None,
            milliseconds: 1,
            stdout: String::new(),
            stderr: String::new(),
        };
        let usage = UsageMetrics::default();
        let calls = [
            call::Event::Started { agent, model: None, run: path, prompt_bytes: 1 },
            call::Event::LeftOver { run: path },
            call::Event::LeftOut { left: &left },
            call::Event::Progress(&progress),
            call::Event::Repeated { error: &error, after: Duration::ZERO },
            call::Event::AskedAgain {
                unclear: &MarkerError::MissingReviewMarker { ignored: Vec::new() },
            },
            call::Event::StandsStill { window: "architect", attach: "tmux" },
            call::Event::Denied { tools: &[] },
        ];
        let commit = Commit::try_from("0".repeat(40)).unwrap();
        let lane = LaneEvent::Failed { plan: PlanIndex::new(1).unwrap(), message: String::new() };
        let research = ResearchEvent::Finished { topic: String::new() };
        let in_lane = Event::Call(&calls[0]);
        let mut events =
            vec![Event::StepStarted { step, round, agent, model: None, resumed: false }];
        events.extend(calls.iter().map(Event::Call));
        events.extend([
            Event::SetAside { patch: path },
            Event::BranchSetBack { branch: "agentd/x", commit: &commit, kept: "agentd/x.kept-1" },
            Event::DocumentsRestored { files: &[] },
            Event::DocumentsEdited { files: &[] },
            Event::PlansSetAside { plans: &[] },
            Event::FilesAskedAgain { faults: &[] },
            Event::NothingChanged { step },
            Event::Blocked { step, reason: "" },
            Event::GroupStarted { group: "core", mode: Mode::Serial, plans: &[] },
            Event::Lane(&lane),
            Event::InLane { plan: 1, event: &in_lane },
            Event::Research(&research),
            Event::InResearch { topic: "code-auth", event: &in_lane },
            Event::StepFinished {
                step,
                outcome: Outcome::Pass,
                counts_as: Outcome::Pass,
                usage: &usage,
                next: "challenge",
            },
            Event::BaselineStarted { commit: &commit, count: 1 },
            Event::BaselineFinished { result: &CheckResult::Red },
            Event::BaselineChosen { choice: RedBaseline::Fix },
            Event::ChecksStarted { step, count: 1 },
            Event::CheckStarted { command: "" },
            Event::CheckFinished(&checked),
            Event::ChecksFinished { step, result: &CheckResult::Green, ignored: &[] },
            Event::Archived { folder: path },
        ]);
        assert_eq!(events.iter().map(number).collect::<Vec<_>>(), (0..=30).collect::<Vec<_>>());
        let document = include_str!("../../docs/workflow.md");
        let (_, table) = document.split_once("| event | fields | when |").unwrap();
        let table = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let listed: Vec<_> = table.collect();
        let written: Vec<_> = events.iter().map(|event| row(&json(event))).collect();
        for (line, row) in listed.iter().zip(&written) {
            assert!(line.starts_with(row), "{line}\nis in the document, {row} is written");
        }
        // The last event, `stopped`, is written at the end of a run.
        assert_eq!(listed.len(), written.len() + 1);
    }
}
