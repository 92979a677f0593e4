//! What a person is told before the first call and after the last: who does what, what it came to and what to do next.

use super::super::failure::{Failure, Outcome};
use super::remains::Remains;
use super::taken::Taken;
use crate::engine::change::Change;
use crate::engine::driver::Stop;
use crate::engine::machine::Stage;
use crate::engine::setup::Setup;
use crate::engine::spent;
use crate::engine::team::{RESEARCH, TeamStep};
use crate::models::agent::{AgentSettings, Protocol};
use crate::models::usage::UsageMetrics;
use crate::orchestrator::prompts::materials::PROJECT_FILES;
use crate::output::amount;
use crate::output::screen::Screen;
use crate::output::story::Tone;
use crate::template::Phase;

/// Says who does what, and what is not included.
pub(super) fn before(setup: &Setup, change: &Change, screen: &Screen) -> Outcome {
    if everybody(setup).next().is_none() {
        // Nobody is asked anything, so that there is nothing to know beforehand.
        return Ok(());
    }
    screen.line("agents", &agents(setup), Tone::Plain);
    if everybody(setup).any(|(_, agent)| agent.protocol == Protocol::Offline) {
        let text = "no model is behind the offline agent: it plays its part by rote";
        screen.line("offline", text, Tone::Notice);
    }
    if !PROJECT_FILES.iter().any(|file| setup.project.root.join(file).exists()) {
        let text = "no file says what it is: `agentd init` drafts agentd/project.md";
        screen.line("project", text, Tone::Notice);
    }
    if change.history.base.is_none() {
        let edits = setup.repository.uncommitted_outside(&["agentd/"])?;
        if !edits.is_empty() {
            let text =
                format!("{} files with edits that are not committed are not included", edits.len());
            screen.line("checkout", &text, Tone::Notice);
        }
    }
    Ok(())
}

/// Names the agents, each with its model and the phases that it does.
fn agents(setup: &Setup) -> String {
    let mut parts: Vec<(String, Vec<&str>)> = Vec::new();
    for (task, agent) in everybody(setup) {
        let model = match (&agent.model, &agent.protocol) {
            (Some(model), _) => format!(" ({model})"),
            (None, Protocol::Offline) => String::new(),
            (None, _) => " (its default model)".to_owned(),
        };
        let name = format!("{}{model}", agent.name);
        match parts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, tasks)) => tasks.push(task),
            None => parts.push((name, vec![task])),
        }
    }
    let parts = parts.iter().map(|(name, phases)| format!("{name}: {}", phases.join(", ")));
    parts.collect::<Vec<_>>().join("; ")
}

/// Lists every agent with what it does.
fn everybody(setup: &Setup) -> impl Iterator<Item = (&'static str, &AgentSettings)> {
    let phases = setup.agents.iter().map(|(phase, agent)| (phase.word(), agent));
    phases.chain(setup.roles.iter().map(|(role, agent)| (role.word(), agent)))
}

/// Shows what each phase or step used, and all of them together.
fn table(change: &Change, screen: &Screen) -> Outcome {
    let runs = spent::runs(&change.folder)
        .map_err(|error| Failure::io("cannot read the runs of", &change.folder, &error))?;
    let metas: Vec<_> = runs.into_iter().filter_map(|run| run.meta).collect();
    if metas.is_empty() {
        return Ok(());
    }
    let row = |calls: &str, rounds: &str, time: &str, tokens: &str, cost: &str| {
        format!("{calls:>5}  {rounds:>6}  {time:>12}  {tokens:>12}  {cost:>12}")
    };
    let (kind, tasks): (_, Vec<(&str, u32)>) = if let Some(team) = &change.history.team {
        let steps = TeamStep::ALL.map(|step| (step.word(), team.rounds(step)));
        // Each topic is looked into once.
        let topics = u32::try_from(team.research.len()).unwrap_or(u32::MAX);
        ("step", steps.into_iter().chain([(RESEARCH, topics)]).collect())
    } else {
        let rounds = |phase: &Phase| change.history.rounds.get(phase).copied().unwrap_or(0);
        ("phase", Phase::ALL.iter().map(|phase| (phase.word(), rounds(phase))).collect())
    };
    screen.line(kind, &row("calls", "rounds", "time", "tokens", "cost"), Tone::Plain);
    let mut all = UsageMetrics::default();
    for (task, rounds) in tasks {
        let of_phase: Vec<_> = metas.iter().filter(|meta| meta.phase == task).collect();
        if of_phase.is_empty() {
            continue;
        }
        let mut sum = UsageMetrics::default();
        for usage in of_phase.iter().filter_map(|meta| meta.usage.as_ref()) {
            sum += usage;
            all += usage;
        }
        let [time, tokens, cost] = amounts(&sum);
        let calls = of_phase.len().to_string();
        let rounds = rounds.to_string();
        screen.line(task, &row(&calls, &rounds, &time, &tokens, &cost), Tone::Plain);
    }
    let [time, tokens, cost] = amounts(&all);
    screen.line("all", &row(&metas.len().to_string(), "", &time, &tokens, &cost), Tone::Plain);
    Ok(())
}

/// Shows how long something took, and its tokens and cost as far as there are any.
fn amounts(usage: &UsageMetrics) -> [String; 3] {
    let time = amount::duration(usage.duration);
    if usage.total() == 0 {
        return [time, "-".to_owned(), "-".to_owned()];
    }
    let cost = usage.cost_usd.map_or_else(|| "unknown".to_owned(), |cost| amount::cost(Some(cost)));
    [time, amount::count(usage.total()), cost]
}

/// Says what it came to, what it cost and what to do next.
pub(super) fn after(setup: &Setup, change: &Change, stop: Stop, screen: &Screen) -> Outcome {
    came_to(setup, change, screen)?;
    let id = &change.id;
    let next = match stop {
        Stop::Ended(Stage::Archived) => return take_it(setup, change, screen),
        Stop::Ended(Stage::Rejected) => {
            let left = Remains::of(&setup.repository, &setup.worktrees, id)?;
            for command in left.commands() {
                screen.line("to remove", &command, Tone::Plain);
            }
            return Ok(());
        }
        Stop::Waiting(phase) => {
            let text = format!("for you: what phase {phase} came to is to be approved");
            screen.line("waiting", &text, Tone::Notice);
            format!("agentd approve {id}, or agentd reject {id} \"why\"")
        }
        Stop::Reached(_) => match change.history.state.stage {
            Stage::Gate(_) => format!("agentd approve {id}"),
            Stage::Due(_)
            | Stage::Verify(_)
            | Stage::Apply
            | Stage::Archived
            | Stage::Rejected
            | Stage::Cancelled => format!("agentd run {id}"),
        },
        Stop::Ended(_) | Stop::Exhausted(_) => return Ok(()),
    };
    screen.line("next", &next, Tone::Plain);
    Ok(())
}

/// Says how the code of an archived change is looked at and taken, as long as that can be done.
pub(super) fn take_it(setup: &Setup, change: &Change, screen: &Screen) -> Outcome {
    let id = &change.id;
    let line = |label, text: &str| screen.line(label, text, Tone::Plain);
    if let Some(nothing) = Taken::of(&setup.repository, id, &change.history)?.nothing() {
        line("next", nothing);
        return Ok(());
    }
    line("look", &format!("agentd diff {id}"));
    line("take it", &format!("agentd merge {id}"));
    line("or not", &format!("git branch -D {}", Setup::branch(id)));
    Ok(())
}

/// Says what a change has used, and what it has done to the code.
pub(super) fn came_to(setup: &Setup, change: &Change, screen: &Screen) -> Outcome {
    table(change, screen)?;
    let branch = Setup::branch(&change.id);
    if let (Some(base), Some(tip)) =
        (&change.history.base, setup.repository.branch_commit(&branch)?)
    {
        let stat = setup.repository.stat(base, &tip)?;
        let text =
            format!("{branch}: {} files, +{} -{}", stat.files, stat.insertions, stat.deletions);
        screen.line("branch", &text, Tone::Plain);
    }
    Ok(())
}
