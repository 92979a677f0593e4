//! What a person is told before the first call and after the last: who does what, what it came to and what to do next.

use super::super::failure::{Failure, Outcome};
use super::remains::Remains;
use super::run::answers;
use super::taken::Taken;
use crate::engine::change::Change;
use crate::engine::driver::Stop;
use crate::engine::history::History;
use crate::engine::research;
use crate::engine::setup::Setup;
use crate::engine::spent;
use crate::flow::{Position, Prompt, Step, Waiting};
use crate::models::agent::Protocol;
use crate::models::usage::UsageMetrics;
use crate::orchestrator::prompts::materials::PROJECT_FILES;
use crate::output::amount;
use crate::output::screen::Screen;
use crate::output::story::Tone;
use crate::template::Command;

/// Says who does what, and what is not included.
pub(super) fn before(setup: &Setup, change: &Change, screen: &Screen) -> Outcome {
    if setup.agents.is_empty() {
        // Nobody is asked anything, so that there is nothing to know beforehand.
        return Ok(());
    }
    screen.line("agents", &agents(setup, change), Tone::Plain);
    vendors(setup, change, screen);
    if setup.agents.values().any(|agent| agent.protocol == Protocol::Offline) {
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

/// Names the agents, each with its model and what it does.
fn agents(setup: &Setup, change: &Change) -> String {
    let mut parts: Vec<(String, Vec<&str>)> = Vec::new();
    let steps = change.history.flow.steps.iter().map(|step| step.slot.as_ref());
    let mut slots: Vec<&str> = Vec::new();
    for slot in steps.chain(setup.agents.keys().map(String::as_str)) {
        if !slots.contains(&slot) {
            slots.push(slot);
        }
    }
    for (task, agent) in slots.iter().filter_map(|slot| Some((*slot, setup.agents.get(*slot)?))) {
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

/// Shows where an author and its judge are of one vendor, though the flow would rather have two.
fn vendors(setup: &Setup, change: &Change, screen: &Screen) {
    let flow = &change.history.flow;
    for step in flow.steps.iter() {
        let Some(author) = step.not_by.map(|id| flow.step(id)) else { continue };
        let agent = |step: &Step| setup.agents.get(step.slot.as_ref());
        let (Some(judge), Some(maker)) = (agent(step), agent(author)) else { continue };
        let is_known = !matches!(judge.protocol, Protocol::Offline | Protocol::Described(_));
        if is_known && judge.protocol == maker.protocol {
            let text = format!(
                "`{}` does {} and {}: a judge of another vendor sees other mistakes",
                judge.name, author.name, step.name
            );
            screen.line("vendors", &text, Tone::Notice);
        }
    }
}

/// Shows what each step used, and all of them together.
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
    let history = &change.history;
    let steps = history.flow.numbered().map(|(id, step)| (step.name.as_ref(), history.rounds(id)));
    // Each topic is looked into once.
    let topics = u32::try_from(history.research.len()).unwrap_or(u32::MAX);
    let tasks = steps.chain([(research::PART, topics)]);
    screen.line("step", &row("calls", "rounds", "time", "tokens", "cost"), Tone::Plain);
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

/// Shows what was done, what it cost and what to do next.
pub(super) fn after(setup: &Setup, change: &Change, stop: Stop, screen: &Screen) -> Outcome {
    done_so_far(setup, change, screen)?;
    let (id, history) = (&change.id, &change.history);
    let next = match (stop, history.state.position) {
        (Stop::Ended, Position::Archived) => return take_it(setup, change, screen),
        (Stop::Ended, Position::Rejected(_)) => {
            let left = Remains::of(&setup.repository, &setup.worktrees, id)?;
            for command in left.commands() {
                screen.line("to remove", &command, Tone::Plain);
            }
            return Ok(());
        }
        (Stop::Ended | Stop::Waiting(Waiting::Exhausted(_)), _) => return Ok(()),
        (Stop::Waiting(waiting), _) => {
            screen.line("waiting", &history.waits_for(waiting), Tone::Notice);
            if let Waiting::Gate(_) = waiting
                && let Some(summary) = summary_file(history)
            {
                screen.line("", &format!("{summary} says what was done"), Tone::Plain);
            }
            answers(id, history, waiting)
        }
        (Stop::Reached(_), Position::Paused { .. }) => format!("agentd approve {id}"),
        (Stop::Reached(_), _) => format!("agentd run {id}"),
    };
    screen.line("next", &next, Tone::Plain);
    Ok(())
}

/// Returns the file that sums the change up for whoever approves it.
fn summary_file(history: &History) -> Option<&str> {
    let is_summary = |step: &&Step| step.prompt == Some(Prompt::Command(Command::Summary));
    Some(history.flow.steps.iter().find(is_summary)?.leaves.first()?.path.as_ref())
}

/// Says how the code of an archived change is looked at and taken, as long as that can be done.
fn take_it(setup: &Setup, change: &Change, screen: &Screen) -> Outcome {
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
fn done_so_far(setup: &Setup, change: &Change, screen: &Screen) -> Outcome {
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
