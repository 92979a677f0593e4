//! A change in which work is handed in, and submissions that are right.

use std::fs;
use std::path::{Path, PathBuf};

use agentd::engine::schedule::unschedulable;
use agentd::handoff::{
    Approval, Desk, HandoffError, PreferenceMemory, Receipt, Taken, Tool, preferences,
};
use agentd::models::change::ChangeId;
use agentd::prompt::confined::ConfinedFolder;
use agentd::template::Role;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The change's folder, below the project's.
const CHANGE: &str = "agentd/changes/add-login";

/// A project with a change.
pub(crate) struct Scene {
    outer: TempDir,
    folder: ConfinedFolder,
    change: ChangeId,
    approval: Approval,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join(CHANGE);
        fs::create_dir_all(&root).expect("the change");
        let folder = ConfinedFolder::open(&root).expect("it opens");
        let change = "add-login".parse().expect("an id");
        Self { outer, folder, change, approval: Approval::Given }
    }

    /// Has nobody sit beside the agent.
    pub(crate) fn unattended(self) -> Self {
        Self { approval: Approval::Pending, ..self }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.outer.path().join(CHANGE).join(path)
    }

    /// Gives the project's root.
    pub(crate) fn project(&self) -> &Path {
        self.outer.path()
    }

    pub(crate) fn folder(&self) -> &ConfinedFolder {
        &self.folder
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn desk(&self, role: Role) -> Desk<'_> {
        let Self { folder, change, .. } = self;
        Desk { folder, role, plan: None, schedule: unschedulable, change }
    }

    /// Takes the preferences that were handed in during a phase, as agentd does when its agent has ended.
    pub(crate) fn take_preferences(&self, phase: &str) -> Option<String> {
        let Self { change, approval, .. } = self;
        let memory = PreferenceMemory { project: self.outer.path(), change, approval: *approval };
        let entries = preferences(&self.folder, phase).expect("they are read");
        (!entries.is_empty()).then(|| memory.take(&entries, 1000).expect("they are taken"))
    }

    /// Begins a phase again, in an outbox that holds nothing of what was handed in.
    pub(crate) fn begin_again(&self, phase: &str) {
        fs::remove_dir_all(self.path(phase).join("submissions")).expect("removed");
    }

    pub(crate) fn try_submit(
        &self,
        role: Role,
        tool: Tool,
        value: &Value,
    ) -> Result<Receipt, HandoffError> {
        self.desk(role).submit(tool, value, 1000)
    }

    /// Hands in what must be right.
    pub(crate) fn submit(&self, role: Role, tool: Tool, value: &Value) -> Receipt {
        self.try_submit(role, tool, value).unwrap_or_else(|error| panic!("{tool}:\n{error}"))
    }

    /// Hands in what must be wrong, and gives each fault on a line.
    pub(crate) fn faults(&self, role: Role, tool: Tool, value: &Value) -> Vec<String> {
        match self.try_submit(role, tool, value) {
            Err(HandoffError::Faults(faults)) => faults.iter().map(ToString::to_string).collect(),
            other => panic!("{other:?}"),
        }
    }

    /// Hands in sub-plans with these numbers, and their schedule.
    pub(crate) fn planned(self, numbers: &[u64]) -> Self {
        for number in numbers {
            self.submit(Role::Planner, Tool::SubmitSubplan, &subplan(*number));
        }
        self.submit(Role::Planner, Tool::SubmitExecutionPlan, &execution_plan(numbers));
        self
    }

    /// Ticks every task of a plan.
    pub(crate) fn ticked(&self, number: u64) {
        let path = format!("04_planning/tasks_{number}.md");
        self.write(&path, &self.read(&path).replace("[ ]", "[x]"));
    }

    pub(crate) fn fallback(&self, role: Role) -> Vec<Taken> {
        agentd::handoff::read_fallback(&self.desk(role), 2000)
    }
}

/// Gives a submission that is right for a tool, once what it needs is there.
pub(crate) fn example(tool: Tool) -> Value {
    match tool {
        Tool::SubmitArchitecture => architecture(),
        Tool::SubmitPmDone => json!({ "summary": "Login by mail." }),
        Tool::SubmitSubplan => subplan(1),
        // Without documents, so that each of its fields may be left out by itself.
        Tool::SubmitExecutionPlan => {
            with(with(execution_plan(&[1]), "needs_docs", false), "doc_files", json!([]))
        }
        Tool::SubmitPlan => json!({ "overview": "One plan." }),
        Tool::SubmitReview => review("pass"),
        Tool::SubmitDone => json!({ "plan": 1, "summary": "Built.", "checks": [check()] }),
        Tool::SubmitResearchDone => json!({ "topic": "auth" }),
        Tool::ResearchDispatchCode | Tool::ResearchDispatchWeb => json!({
            "topic": "auth", "questions": ["Where are sessions kept?"], "context": "Login is new.",
        }),
    }
}

pub(crate) fn check() -> Value {
    json!({ "command": "cargo test", "result": "42 passed" })
}

pub(crate) fn architecture() -> Value {
    json!({
        "solution_overview": "A token for each session.",
        "components": [
            { "name": "sessions", "responsibility": "keeps tokens", "interfaces": "`issue(user)`" },
            { "name": "login page", "responsibility": "asks for the password" },
        ],
        "interfaces_and_contracts": "`issue` never blocks.",
        "data_models": "### Token\n\n32 random bytes.",
        "cross_cutting_concerns": "Tokens are never logged.",
        "technology_choices": "The standard library.",
        "risks_and_mitigations": "Theft: tokens expire.",
    })
}

pub(crate) fn subplan(index: u64) -> Value {
    json!({
        "index": index,
        "title": format!("Part {index}"),
        "scope": "The session store.",
        "owned_files": [format!("src/part_{index}/**"), format!("docs/part_{index}.md")],
        "dependencies": if index > 1 { vec![index - 1] } else { Vec::new() },
        "isolation": "Nobody else writes there.",
        "phase": 2,
        "implementation": "Write the store.\n\n```rust\n## in code\n```",
        "acceptance_criteria": ["a token is found again"],
        "tasks": ["Test the store", "Write the store"],
    })
}

pub(crate) fn execution_plan(numbers: &[u64]) -> Value {
    let plans: Vec<_> = numbers
        .iter()
        .map(|number| json!({ "file": format!("plan_{number}.md"), "name": format!("Part {number}") }))
        .collect();
    json!({
        "version": 1,
        "groups": [{ "group_id": "all", "mode": "serial", "plans": plans }],
        "needs_design": false,
        "needs_docs": true,
        "doc_files": ["docs/part_1.md"],
        "review_strategy": { "severity": "medium", "focus": ["sessions: theft"] },
    })
}

pub(crate) fn review(verdict: &str) -> Value {
    let severity = if verdict == "pass" { "low" } else { "high" };
    json!({
        "verdict": verdict,
        "summary": "All plans are met.",
        "findings": [{
            "severity": severity, "location": "src/login.rs:42", "issue": "A name.", "recommendation": "Rename it.",
        }],
        "checks": [check()],
    })
}

/// Puts a value in place of a field.
pub(crate) fn with(mut value: Value, field: &str, to: impl Into<Value>) -> Value {
    value[field] = to.into();
    value
}
