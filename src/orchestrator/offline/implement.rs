//! Implements: writes the small command and its test into the workspace. In the first round the edge is forgotten, in
//! the command and in its test, and is added when a review is there.

use std::path::PathBuf;

use askama::Template;

use super::idea::{self, Edge, requirements, title_of_plan};
use super::part::Part;
use super::{NO_MODEL, Played, Unplayable};
use crate::models::agent::Delivers;
use crate::models::task::Task;
use crate::prompt::tasks::read_leniently;
use crate::template::{Phase, TaskStatus, Variable};

#[derive(Template)]
#[template(path = "blocks/offline/command.sh.j2", escape = "none")]
struct Command<'a> {
    title: &'a str,
    change: &'a str,
    edge: Edge,
}

#[derive(Template)]
#[template(path = "blocks/offline/test.sh.j2", escape = "none")]
struct Test<'a> {
    change: &'a str,
    edge: Edge,
}

#[derive(Template)]
#[template(path = "blocks/offline/implementation.md.j2", escape = "none")]
struct Implementation<'a> {
    title: &'a str,
    script: &'a str,
    test: &'a str,
    covered: &'a str,
    edge: Edge,
    tasks: &'a [Done<'a>],
}

/// A task, and the file that was written for it; none if it is a task that this agent cannot do.
struct Done<'a> {
    id: &'a str,
    title: &'a str,
    own: Option<&'a str>,
}

pub(super) fn play(part: &Part) -> Result<Played, Unplayable> {
    let skeleton = part.skeleton(Phase::Implement, "IMPLEMENTATION.md")?;
    if skeleton.delivers == Delivers::Text {
        return Err(Unplayable::CodeAsText);
    }
    let change = skeleton.change.as_str();
    let (script, test) = (idea::script(change), idea::test(change));
    let title = title_of_plan(part.artifact("proposal.md"), &part.prompt.instructions);
    let edge = if part.artifact("REVIEW.md").is_some() { Edge::Settled } else { Edge::Open };
    let all = read_leniently(part.artifact("tasks.md").unwrap_or_default());
    let own = Own {
        files: [script.as_str(), test.as_str()],
        // Without a plan, the request is the only task, and names no file.
        is_unplanned: part.artifact("proposal.md").is_none(),
    };
    let done: Vec<_> = all.iter().map(|task| done(task, &own)).collect();
    let report = Implementation {
        title: &title,
        script: &script,
        test: &test,
        covered: requirements(edge),
        edge,
        tasks: &done,
    };
    let mut open = read_leniently(part.value(Variable::Tasks).unwrap_or_default());
    if open.is_empty() {
        // All are ticked, and the review wants more: what holds now is said of all of them.
        open.clone_from(&all);
    }
    let statuses: String = open.iter().map(|task| status(&self::done(task, &own))).collect();
    let answer = format!(
        "`{script}` and its test `{test}` are written; covered: {}. Nothing was run: this agent runs no commands.\n\n\
         {statuses}",
        requirements(edge)
    );
    let report = ("IMPLEMENTATION.md".to_owned(), report.to_string());
    let mut played = skeleton.hand_over(&answer, vec![report]);
    let command = Command { title: &title, change, edge }.to_string();
    played.files.push((PathBuf::from(&script), command));
    played.files.push((PathBuf::from(&test), Test { change, edge }.to_string()));
    Ok(played)
}

/// The files that the agent writes.
struct Own<'a> {
    files: [&'a str; 2],
    is_unplanned: bool,
}

/// Finds which of the agent's own files a task is about.
fn done<'a>(task: &'a Task, own: &Own<'a>) -> Done<'a> {
    let is_of_task = |file: &&str| {
        task.files.iter().any(|named| named == *file) || (own.is_unplanned && task.files.is_empty())
    };
    let own = own.files.iter().copied().find(is_of_task);
    Done { id: &task.id, title: &task.title, own }
}

fn status(done: &Done<'_>) -> String {
    let status = if done.own.is_some() { TaskStatus::Completed } else { TaskStatus::Failed };
    format!("<task_status id=\"{}\">{status}</task_status>\n", done.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::blocks::IMPLEMENTATION;

    #[test]
    fn a_report_names_every_task_and_owns_up_to_what_it_cannot_do() {
        let tasks = [Some("agentd-demo/x.sh"), None];
        let tasks = tasks.map(|own| Done { id: "1.1", title: "Do it", own });
        let text = Implementation {
            title: "X",
            script: "agentd-demo/x.sh",
            test: "agentd-demo/x.test.sh",
            covered: "R1, R2",
            edge: Edge::Open,
            tasks: &tasks,
        }
        .to_string();
        let headings: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, IMPLEMENTATION.map(|section| section.title));
        assert!(
            text.contains("### 1.1 Do it\n\n- status: COMPLETED\n- files: agentd-demo/x.sh\n"),
            "{text}"
        );
        assert!(text.contains("### 1.1 Do it\n\n- status: FAILED\n- files: none\n"), "{text}");
        assert!(text.contains("- requirements: R1, R2\n") && !text.contains("\n\n\n"), "{text}");
    }
}
