//! What must hold of a flow as a whole, found by visiting every state. Each fault comes with a shortest path that shows it.

use super::FlowCode;
use super::draft::Draft;
use super::{loops, path};
use crate::compile::contract;
use crate::compile::diagnostic::Diagnostic;
use crate::flow::{
    ColumnId, Event, Explored, Guarantee, MOST_STATES, Position, Prompt, Reads, Step, StepId,
    Target, explore,
};
use crate::template::{Span, Variable};

/// Explores a draft without other faults.
pub(super) fn check(draft: &Draft, found: &mut Vec<Diagnostic<FlowCode>>) {
    let mut report = |code, span, message: String, help: String| {
        found.push(Diagnostic::new(code, draft.at(span), message).help(help));
    };
    if let Some(steps) = loops::endless(&draft.flow) {
        let (span, message) = endless_loop(draft, &steps);
        let help = "give a step on it `rounds`, or lead through a gate".to_owned();
        report(FlowCode::EndlessLoop, span, message, help);
    }
    let Some(explored) = explore(&draft.flow) else {
        let message = format!("the flow has more than {MOST_STATES} states");
        let help = "make it smaller: fewer steps, or fewer that lead back".to_owned();
        report(FlowCode::TooManyStates, draft.places[0].name, message, help);
        return;
    };
    let model = Model { draft, explored: &explored };
    for (code, span, message, help) in model.faults() {
        report(code, span, message, help);
    }
    found.extend(draft.flow.guarantees.iter().filter_map(|it| model.not_guaranteed(*it)));
}

type Fault = (FlowCode, Span, String, String);

/// Shows a loop with the outcomes that lead along it, those past skipped steps apart.
fn endless_loop(draft: &Draft, steps: &[StepId]) -> (Span, String) {
    let flow = &draft.flow;
    let mut words = Vec::new();
    for (at, id) in steps.iter().enumerate() {
        let (step, next) = (flow.step(*id), steps[(at + 1) % steps.len()]);
        let by = step.on.iter().find(|(_, target)| *target == Target::Step(next));
        let by = by.map(|(outcome, _)| format!(" {outcome}")).unwrap_or_default();
        words.push(format!("{}{by}", step.name));
    }
    words.push(flow.step(steps[0]).name.to_string());
    let message = format!("nothing ends this loop: {}", words.join(" -> "));
    (draft.places(steps[0]).column(ColumnId::On), message)
}

/// Returns whether the prompt of a step cannot be made without tasks.
fn needs_tasks(step: &Step) -> bool {
    let Some(Prompt::System(phase)) = step.prompt else { return false };
    contract::of_phase(phase).required.contains(&Variable::Tasks.word())
}

fn of_path(path: &str) -> Reads {
    Reads { path: path.to_owned().into(), why: "".into(), is_optional: false }
}

struct Model<'m> {
    draft: &'m Draft,
    explored: &'m Explored,
}

impl Model<'_> {
    fn faults(&self) -> Vec<Fault> {
        let unreachable: Vec<_> = self.unreachable().collect();
        unreachable.into_iter().chain(self.dead_end()).chain(self.not_left()).collect()
    }

    fn words(
        &self,
        wanted: impl Fn(usize) -> bool,
        allowed: impl Fn(Event) -> bool,
    ) -> Option<String> {
        let path = self.explored.path(wanted, allowed)?;
        Some(path::words(&self.draft.flow, self.explored, &path))
    }

    fn unreachable(&self) -> impl Iterator<Item = Fault> {
        let flow = &self.draft.flow;
        let reached = flow.numbered().filter(|(id, _)| self.explored.reaches(*id));
        let reached: Vec<_> = reached.map(|(_, step)| step.name.as_ref()).collect();
        let reached = reached.join(", ");
        let lost = flow.numbered().filter(|(id, _)| !self.explored.reaches(*id));
        lost.map(move |(id, step)| {
            let message = format!("a change never gets to step `{}`", step.name);
            let help = format!(
                "lead to it, or remove it; from `{}` a change gets to {reached}",
                flow.step(flow.start).name
            );
            (FlowCode::Unreachable, self.draft.places(id).name, message, help)
        })
    }

    /// Reports the step that a change gets to last of those at which it is stuck; the others are stuck because of it.
    fn dead_end(&self) -> Option<Fault> {
        let mut first: Vec<(StepId, usize)> = Vec::new();
        for state in self.explored.stuck() {
            if let Position::Step(id) = self.explored.states[state].position
                && first.iter().all(|(known, _)| *known != id)
            {
                first.push((id, state));
            }
        }
        let (id, state) = first.last().copied()?;
        let path = self.words(|at| at == state, |_| true)?;
        let message = format!("nothing leads on to the archive: {path}");
        let help =
            "lead an outcome of this step, or of one that follows, towards the archive".to_owned();
        Some((FlowCode::DeadEnd, self.draft.places(id).name, message, help))
    }

    fn not_left(&self) -> Vec<Fault> {
        let all = self.draft.flow.numbered().flat_map(|(id, step)| {
            let spans = self.draft.places(id).reads.iter();
            step.reads.iter().zip(spans).map(move |(reads, span)| (id, step, reads, *span))
        });
        let read =
            all.filter_map(|(id, step, reads, span)| self.not_left_for(id, step, reads, span));
        let merged = self.draft.flow.numbered().filter_map(|(id, step)| {
            let path = format!("{}**", step.merges?);
            self.not_left_for(
                id,
                step,
                &of_path(&path),
                self.draft.places(id).column(ColumnId::Merges),
            )
        });
        let tasks = self.draft.flow.numbered().filter(|(_, step)| needs_tasks(step));
        let tasks = tasks.filter_map(|(id, step)| {
            let span = self.draft.places(id).column(ColumnId::Prompt);
            self.not_left_for(id, step, &of_path("tasks.md"), span)
        });
        read.chain(merged).chain(tasks).collect()
    }

    fn not_left_for(&self, id: StepId, step: &Step, reads: &Reads, span: Span) -> Option<Fault> {
        let flow = &self.draft.flow;
        let writes_tasks = |step: &Step| step.tasks.is_some() && reads.path == "tasks.md";
        let provides = |step: &Step| step.provides(&reads.path) || writes_tasks(step);
        let makers: Vec<_> = flow
            .steps
            .iter()
            .filter(|step| provides(step))
            .map(|step| step.name.as_ref())
            .collect();
        if makers.is_empty() {
            let message =
                format!("step `{}` reads `{}`, which no step leaves", step.name, reads.path);
            let help = "remove it, or name it in the `leaves` of an earlier step".to_owned();
            return Some((FlowCode::FileNotLeft, span, message, help));
        }
        if reads.is_optional || writes_tasks(step) {
            return None;
        }
        let keeps_it_missing = |event: Event| match event {
            Event::Finished { step, .. } => !flow.step(step).provides(&reads.path),
            Event::Started(step) => !writes_tasks(flow.step(step)),
            Event::Blocked(_)
            | Event::Answered
            | Event::Paused(_)
            | Event::Approved
            | Event::Overridden
            | Event::Rejected
            | Event::Guided
            | Event::Edited { .. }
            | Event::Reopened
            | Event::Cancelled => true,
        };
        let is_there = |state: usize| self.explored.states[state].position == Position::Step(id);
        let path = self.words(is_there, keeps_it_missing)?;
        let message =
            format!("step `{}` reads `{}`, which need not be there: {path}", step.name, reads.path);
        let help = format!(
            "it is left by {}; write `{}?` if the step can do without it",
            makers.join(", "),
            reads.path
        );
        Some((FlowCode::FileNotLeft, span, message, help))
    }

    fn not_guaranteed(&self, guarantee: Guarantee) -> Option<Diagnostic<FlowCode>> {
        let flow = &self.draft.flow;
        let lacks = |state: usize| {
            let is_due = self.explored.lacking.iter().any(|(at, _)| *at == state);
            is_due && !self.explored.states[state].holds(flow, guarantee)
        };
        let path = self.explored.path(lacks, |_| true)?;
        let words = path::words(flow, self.explored, &path);
        let message = format!("a change can be archived without being {guarantee}: {words}");
        let help = match guarantee {
            Guarantee::Challenged => {
                "a step that judges the plan must come after every change of it"
            }
            Guarantee::Reviewed => "a step that judges the code must come after every change of it",
            Guarantee::Checked => {
                "a step of kind `checks` with `clean = true` must come after every change of the code"
            }
            Guarantee::Approved => "a step of kind `gate` must come after every change",
        };
        let place = self.draft.at(self.draft.guarantees);
        let fault = Diagnostic::new(FlowCode::NotGuaranteed, place, message).help(help);
        Some(match self.explored.states[path.end].position {
            Position::Step(archive) => {
                let place = self.draft.at(self.draft.places(archive).name);
                fault.label(place, format!("not {guarantee} here"))
            }
            Position::Paused { .. }
            | Position::Blocked(_)
            | Position::Archived
            | Position::Rejected(_)
            | Position::Cancelled => fault,
        })
    }
}
