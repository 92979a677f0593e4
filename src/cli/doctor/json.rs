//! The diagnosis for scripts. Its version changes when a field changes its meaning or is removed.

use serde_json::{Value, json};

use super::Diagnosis;
use super::assignments::Assignment;
use super::here::{Git, Here};
use crate::config::Reason;
use crate::output::json::paths;

const VERSION: u32 = 1;

pub(super) fn report(diagnosis: &Diagnosis) -> Value {
    json!({
        "version": VERSION,
        "agentd": env!("AGENTD_VERSION"),
        "ok": diagnosis.stuck().is_empty(),
        "agents": diagnosis.agents,
        "flow": diagnosis.flow,
        "steps": diagnosis.steps.iter().map(|it| assignment("step", it)).collect::<Vec<_>>(),
        "phases": diagnosis.phases.iter().map(phase).collect::<Vec<_>>(),
        "roles": diagnosis.roles.iter().map(|it| assignment("role", it)).collect::<Vec<_>>(),
        "here": here(&diagnosis.here),
    })
}

fn phase(phase: &Assignment) -> Value {
    let mut value = assignment("phase", phase);
    value["advice"] = json!(phase.advice);
    value["command"] = json!(phase.command);
    value
}

fn assignment(kind: &str, assignment: &Assignment) -> Value {
    let Assignment { task, agent, reason, trouble, .. } = assignment;
    let origin = match reason {
        Reason::Said(origin) => origin.to_string(),
        Reason::Typed => "--agent".to_owned(),
        Reason::InPlaceOf(_) | Reason::OtherVendorThan(_) => "default".to_owned(),
    };
    let ok = trouble.is_none();
    json!({
        kind: task, "agent": agent, "origin": origin, "reason": reason.to_string(), "ok": ok,
        "trouble": trouble,
    })
}

fn here(here: &Here) -> Value {
    let Git { version, trouble } = &here.git;
    json!({
        "git": { "ok": trouble.is_none(), "version": version, "trouble": trouble },
        "repository": here.repository,
        "config": paths(&here.config),
        "guard": { "ok": here.guard.is_none(), "trouble": here.guard },
        "sandbox": { "ok": here.sandbox.is_full, "about": here.sandbox.text },
    })
}
