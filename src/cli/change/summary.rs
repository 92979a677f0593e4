//! What a person sees before the first call and after the last: who does what, what was done, and what to do next.

use std::collections::BTreeMap;

use log::warn;

use super::merge_status::MergeStatus;
use super::next::next;
use super::vendors::{Shared, shared};
use crate::cli::Outcome;
use crate::cli::configuration::{Confinement, confinement};
use crate::engine::change::Change;
use crate::engine::check_report::CheckResult;
use crate::engine::driver::Stop;
use crate::engine::research;
use crate::engine::setup::Setup;
use crate::flow::{Flow, Position, Step, StepId, Subject, Target, Waiting};
use crate::models::agent::{AgentSettings, Permissions, Protocol};
use crate::models::meta::RunMeta;
use crate::models::usage::UsageMetrics;
use crate::orchestrator::prices;
use crate::orchestrator::prompts::materials::PROJECT_FILES;
use crate::output::format;
use crate::output::human::Tone;
use crate::output::screen::Screen;

/// Shows which agent does what.
pub(super) fn before(setup: &Setup, change: &Change, screen: &Screen) {
    screen.line("agents", &agents(setup, change), Tone::Plain);
    vendors(setup, change, screen);
    sandbox(setup, screen);
    commands(setup, change, screen);
    if setup.agents.values().any(|agent| agent.protocol == Protocol::Offline) {
        let text = "the offline agent has no model: its answers are fixed";
        screen.line("offline", text, Tone::Notice);
    }
    if setup.limits.max_cost_usd.is_some() {
        assumed_models(setup, screen);
    }
    if !PROJECT_FILES.iter().any(|file| setup.project.root.join(file).exists()) {
        let text = "no project description: `agentd init` drafts agentd/project.md";
        screen.line("project", text, Tone::Notice);
    }
}

/// Shows by which models' prices the cost is counted of agents that do not report what they used.
fn assumed_models(setup: &Setup, screen: &Screen) {
    let named = |agent: &AgentSettings| Some((agent.name.clone(), prices::assumed(agent)?));
    let assumed: BTreeMap<_, _> = setup.agents.values().filter_map(named).collect();
    for (agent, model) in assumed {
        let text = format!(
            "{agent} is counted as {model}, unless it reports its model or `model` names it"
        );
        screen.line("cost", &text, Tone::Notice);
    }
}

/// Shows that there are uncommitted edits, which are not included.
pub(super) fn edits(setup: &Setup, screen: &Screen) {
    match setup.repository.uncommitted_outside(&["agentd/"]) {
        Ok(edits) if edits.is_empty() => {}
        Ok(edits) => {
            let text = format!("{} files with uncommitted edits are not included", edits.len());
            screen.line("checkout", &text, Tone::Notice);
        }
        Err(error) => {
            warn!("uncommitted edits are not included, and cannot be counted: {error}");
        }
    }
}

/// Shows what confines agents, checks and setup.
fn sandbox(setup: &Setup, screen: &Screen) {
    let Confinement { text, is_full, .. } = confinement(setup.sandbox.as_deref());
    let tone = if is_full { Tone::Plain } else { Tone::Notice };
    screen.line("sandbox", text, tone);
}

/// Shows which steps may run commands.
fn commands(setup: &Setup, change: &Change, screen: &Screen) {
    let may = |step: &&Step| {
        let agent = setup.agents.get(step.slot.as_ref());
        agent.is_some_and(|agent| {
            let is_offline = agent.protocol == Protocol::Offline;
            !is_offline && agent.permissions_in(step) == Permissions::Shell
        })
    };
    let steps = change.history.flow.steps.iter().filter(|step| step.prompt.is_some()).filter(may);
    let steps: Vec<_> = steps.map(|step| step.name.as_ref()).collect();
    if steps.is_empty() {
        return;
    }
    let (place, tone) = match setup.sandbox {
        Some(_) => ("in the sandbox", Tone::Plain),
        None => ("and nothing confines them", Tone::Notice),
    };
    let text = format!("agents may run commands in {}, {place}", steps.join(", "));
    screen.line("commands", &text, tone);
}

/// Names the agents, each with its model, its steps and why it was chosen.
fn agents(setup: &Setup, change: &Change) -> String {
    let mut parts: Vec<(String, String, Vec<&str>)> = Vec::new();
    let steps = change.history.flow.steps.iter().map(|step| step.slot.as_ref());
    let mut slots: Vec<&str> = Vec::new();
    for slot in steps.chain(setup.agents.keys().map(String::as_str)) {
        if !slots.contains(&slot) {
            slots.push(slot);
        }
    }
    for (task, agent) in slots.iter().filter_map(|slot| Some((*slot, setup.agents.get(*slot)?))) {
        let reason = setup.reasons.get(task).map(|reason| format!(" ({reason})"));
        let model = match (&agent.model, &agent.protocol) {
            (Some(model), _) => format!(" ({model})"),
            (None, Protocol::Offline) => String::new(),
            (None, _) => " (its default model)".to_owned(),
        };
        let name = format!("{}{model}", agent.name);
        let reason = reason.unwrap_or_default();
        match parts.iter_mut().find(|(known, why, _)| *known == name && *why == reason) {
            Some((_, _, tasks)) => tasks.push(task),
            None => parts.push((name, reason, vec![task])),
        }
    }
    let part = |(name, reason, tasks): &(String, String, Vec<&str>)| {
        format!("{name}: {}{reason}", tasks.join(", "))
    };
    parts.iter().map(part).collect::<Vec<_>>().join("; ")
}

/// Shows where an author and its judge are from the same vendor, though the flow prefers two.
fn vendors(setup: &Setup, change: &Change, screen: &Screen) {
    let (history, agents) = (&change.history, &setup.agents);
    let all = history.flow.numbered().map(|(id, _)| id).collect();
    let find = |name: &str| agents.values().find(|agent| agent.name == name);
    for Shared { what, .. } in shared(&history.flow, (agents, all), Some(history), find) {
        let text = format!("{what}: a judge from another vendor finds other mistakes");
        screen.line("vendors", &text, Tone::Notice);
    }
}

/// Shows what each step used, and the total.
fn table(change: &Change, screen: &Screen) {
    let metas: Vec<_> = change.history.calls.iter().map(|call| &call.record).collect();
    if metas.is_empty() {
        return;
    }
    let line = |task: &str, [calls, rounds, time, tokens, cost]: [&str; 5]| {
        // With its label a line fits on 60 columns.
        let row = format!("{calls:>5} {rounds:>6} {time:>11} {tokens:>11} {cost:>12}");
        screen.line(task, &row, Tone::Plain);
    };
    line("step", ["calls", "rounds", "time", "tokens", "cost"]);
    let sum = |task: &str, rounds: &str, metas: &[&RunMeta]| {
        let mut sum = UsageMetrics::default();
        metas.iter().filter_map(|meta| meta.usage.as_ref()).for_each(|usage| sum += usage);
        let [time, tokens, cost] = amounts(&sum);
        line(task, [&metas.len().to_string(), rounds, &time, &tokens, &cost]);
    };
    let history = &change.history;
    let steps = history.flow.numbered().map(|(id, step)| (step.name.as_ref(), history.rounds(id)));
    // Each topic is researched once.
    let topics = u32::try_from(history.research.len()).unwrap_or(u32::MAX);
    for (task, rounds) in steps.chain([(research::PART, topics)]) {
        let of_task: Vec<_> = metas.iter().copied().filter(|meta| meta.phase == task).collect();
        if !of_task.is_empty() {
            sum(task, &rounds.to_string(), &of_task);
        }
    }
    sum("all", "", &metas);
    let mut all = UsageMetrics::default();
    metas.iter().filter_map(|meta| meta.usage.as_ref()).for_each(|usage| all += usage);
    if let (Some(cost), 1..) = (format::cost(&all), all.unpriced) {
        let unpriced = format::count(all.unpriced);
        let text = format!("{cost}: {unpriced} tokens are of models without a known price");
        screen.line("cost", &text, Tone::Notice);
    }
}

/// Returns how long something took, and its tokens and cost if known.
fn amounts(usage: &UsageMetrics) -> [String; 3] {
    let time = format::duration(usage.duration);
    if usage.total() == 0 {
        return [time, "-".to_owned(), "-".to_owned()];
    }
    let cost = match usage.cost_usd {
        Some(usd) if usage.unpriced > 0 => format!(">{}", format::usd(usd)),
        Some(usd) => format::usd(usd),
        None => "unknown".to_owned(),
    };
    [time, format::count(usage.total()), cost]
}

/// Shows what was done, what it cost and what to do next.
pub(super) fn after(setup: &Setup, change: &Change, stop: Stop, screen: &Screen) -> Outcome {
    print_totals(setup, change, screen)?;
    let (id, history) = (&change.id, &change.history);
    match (stop, history.state.position) {
        (Stop::Ended, Position::Archived) => return print_merge_hint(setup, change, screen),
        (Stop::Ended, Position::Rejected(_)) => {
            screen.line("to remove", &format!("agentd discard {id}"), Tone::Plain);
            return Ok(());
        }
        (Stop::Ended | Stop::Waiting(Waiting::Exhausted(_)), _) => return Ok(()),
        (Stop::Waiting(waiting), _) => {
            screen.line("waiting", &history.waits_for(waiting), Tone::Notice);
            if let Waiting::Gate(gate) = waiting
                && let Some(summary) = summary_file(&history.flow, gate)
            {
                screen.line("", &format!("{summary} says what was done"), Tone::Plain);
            }
        }
        (Stop::Reached(_), _) => {}
    }
    let next = next(id, history, &setup.repository, |limit| setup.rounds(limit));
    screen.line("next", &next, Tone::Plain);
    Ok(())
}

/// Returns the file that sums the change up for whoever decides at a gate: that of a step which leads there.
fn summary_file(flow: &Flow, gate: StepId) -> Option<&str> {
    let leads = |step: &&Step| {
        step.onward() == Some(Target::Step(gate)) && step.changes != Some(Subject::Plan)
    };
    let files = flow.steps.iter().filter(leads).flat_map(|step| step.leaves.iter());
    files.map(|file| file.path.as_ref()).find(|path| !path.contains('*'))
}

/// Shows how to look at and merge the code of an archived change, if that is still possible.
fn print_merge_hint(setup: &Setup, change: &Change, screen: &Screen) -> Outcome {
    let id = &change.id;
    let line = |label, text: &str| screen.line(label, text, Tone::Plain);
    if let Some(nothing) =
        MergeStatus::find(&setup.repository, id, &change.history)?.nothing_to_do()
    {
        line("next", nothing);
        return Ok(());
    }
    line("look", &format!("agentd diff {id}"));
    line("merge", &format!("agentd merge {id}"));
    if has_moved_on(setup, change)? {
        line("or rebase", &format!("agentd rebase {id}, since your branch has new commits"));
    }
    line("or not", &format!("agentd discard {id}"));
    Ok(())
}

/// Returns whether the user's branch has commits that the change does not contain.
fn has_moved_on(setup: &Setup, change: &Change) -> Outcome<bool> {
    let Some(code) = change.history.code() else { return Ok(false) };
    let head = setup.repository.head()?;
    Ok(!setup.repository.contains(code, &head)?)
}

/// Shows what a change has used, and what it does to the code.
fn print_totals(setup: &Setup, change: &Change, screen: &Screen) -> Outcome {
    table(change, screen);
    let branch = Setup::branch(&change.id);
    if let (Some(base), Some(tip)) =
        (&change.history.base, setup.repository.branch_commit(&branch)?)
    {
        let stat = setup.repository.stat(base, &tip)?;
        let text =
            format!("{branch}: {} files, +{} -{}", stat.files, stat.insertions, stat.deletions);
        screen.line("branch", &text, Tone::Plain);
    }
    if let Some(result) = &change.history.last_checks {
        let tone = match result {
            CheckResult::Green => Tone::Good,
            CheckResult::None | CheckResult::Except(_) => Tone::Notice,
            CheckResult::Red => Tone::Bad,
        };
        screen.line("checks", &result.to_string(), tone);
    }
    if let Some(reason) = change.history.override_reason() {
        screen.line("overridden", reason, Tone::Notice);
    }
    Ok(())
}
