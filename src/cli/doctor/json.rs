//! The diagnosis for scripts. Its version changes when something in it changes its meaning or goes away.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::Diagnosis;
use super::agents::{AgentState, Health};
use super::command::CommandLine;
use super::here::{Git, Here, Repository};
use super::phases::PhaseState;
use super::roles::RoleState;
use crate::orchestrator::agents::install::{Package, Standing};
use crate::output::json_line::path_text;

const VERSION: u32 = 1;

pub(super) fn report(diagnosis: &Diagnosis) -> Value {
    json!({
        "version": VERSION,
        "agentd": env!("AGENTD_VERSION"),
        "ok": diagnosis.stuck().is_empty(),
        "agents": diagnosis.agents.iter().map(agent).collect::<Vec<_>>(),
        "phases": diagnosis.phases.iter().map(phase).collect::<Vec<_>>(),
        "roles": diagnosis.roles.iter().map(role).collect::<Vec<_>>(),
        "here": here(&diagnosis.here),
    })
}

fn agent(agent: &AgentState) -> Value {
    json!({
        "name": agent.name,
        "ok": agent.is_usable(),
        "state": match agent.health {
            Health::Ready => "ready",
            Health::Untold(_) => "version-unknown",
            Health::Missing => "missing",
            Health::NotExecutable(_) => "not-executable",
            Health::Hangs(_) => "hangs",
            Health::Fails(_) => "fails",
            Health::Misconfigured(_) => "misconfigured",
            Health::Untrusted => "untrusted",
        },
        "trouble": agent.trouble(),
        "advice": agent.advice(),
        "program": agent.program,
        "path": agent.path.as_deref().map(path_text),
        "version": agent.version.as_ref().map(|version| &version.text),
        "standing": agent.standing.map(|standing| match standing {
            Standing::Checked => "checked",
            Standing::Newer => "newer",
            Standing::Older => "older",
        }),
        "checked_version": agent.package.map(Package::checked_version),
        "package": agent.package.map(|package| package.name),
    })
}

fn phase(state: &PhaseState) -> Value {
    json!({
        "phase": state.phase.word(),
        "agent": state.agent,
        "origin": state.origin,
        "ok": state.obstacle.is_none(),
        "trouble": state.obstacle.as_ref().map(|obstacle| &obstacle.reason),
        "advice": state.obstacle.as_ref().and_then(|obstacle| obstacle.advice.as_ref()),
        "command": state.command.as_ref().map(command),
    })
}

fn role(state: &RoleState) -> Value {
    json!({
        "role": state.role.word(),
        "agent": state.agent,
        "origin": state.origin,
        "ok": state.trouble.is_none(),
        "trouble": state.trouble,
    })
}

fn command(command: &CommandLine) -> Value {
    json!({
        "argv": command.words,
        "line": command.line(),
        "folder": path_text(&command.folder),
        "sets": command.sets,
        "removes": command.removes,
        "files": paths(&command.files),
    })
}

fn paths(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path_text(path)).collect()
}

fn here(here: &Here) -> Value {
    let (git, trouble) = match &here.git {
        Git::There(version) => (version.as_ref().map(|version| &version.text), None),
        Git::Missing => (None, Some("git is not installed")),
        Git::Fails(reason) => (None, Some(reason.as_str())),
    };
    json!({
        "git": { "ok": trouble.is_none(), "version": git, "trouble": trouble },
        "repository": match here.repository {
            Repository::WithCommit => "with-commit",
            Repository::WithoutCommit => "without-commit",
            Repository::None => "none",
        },
        "config": paths(&here.config),
        "guard": { "ok": here.guard.is_none(), "trouble": here.guard },
    })
}
