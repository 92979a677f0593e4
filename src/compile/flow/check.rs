//! What must hold of each step by itself and of its neighbours: how it can end, what it judges and changes, when it is skipped.

use super::FlowCode;
use super::draft::Draft;
use super::left;
use super::prompt;
use super::steps::listed;
use crate::compile::diagnostic::{Diagnostic, quoted};
use crate::flow::{
    ColumnId, End, Kind, Outcome, Step, StepId, Subject, Target, Validator, Workspace,
};
use crate::template::Span;
use crate::template::lexer::is_name;

/// Checks every step of a draft.
pub(super) fn check(draft: &Draft, found: &mut Vec<Diagnostic<FlowCode>>) {
    let mut check = Check { draft, found };
    for (id, step) in draft.flow.numbered() {
        check.outcomes(id, step);
        check.ends(id, step);
        check.skipped(id, step);
        check.judging(id, step);
        check.changing(id, step);
        check.neighbours(id, step);
        check.slot(id, step);
        check.research(id, step);
        left::check(draft, id, check.found);
    }
    check.circle_of_skipped();
}

struct Check<'c> {
    draft: &'c Draft,
    found: &'c mut Vec<Diagnostic<FlowCode>>,
}

impl Check<'_> {
    fn report(&mut self, code: FlowCode, span: Span, message: String, help: impl Into<String>) {
        self.found.push(Diagnostic::new(code, self.draft.at(span), message).help(help));
    }

    fn named(&self, id: StepId) -> Vec<Outcome> {
        self.draft.places(id).on.iter().map(|(outcome, _)| *outcome).collect()
    }

    /// What the template teaches and what the flow follows must be the same.
    fn outcomes(&mut self, id: StepId, step: &Step) {
        let named = self.named(id);
        let places = self.draft.places(id);
        if places.column(ColumnId::On) == places.name {
            return;
        }
        let (taught, who) = match (step.kind, step.prompt) {
            (Kind::Agent, Some(prompt)) => match prompt::contract(prompt) {
                Some(contract) => {
                    (contract.ends.clone(), format!("a step with the prompt `{prompt}`"))
                }
                None => return self.own_outcomes(id, &named),
            },
            (Kind::Agent, None) => return,
            (kind, _) => (kind.outcomes().to_vec(), format!("a step of kind `{kind}`")),
        };
        for outcome in named.iter().filter(|outcome| !taught.contains(outcome)) {
            let message = format!("{who} never ends with `{outcome}`");
            let help = format!("it ends with {}", listed(&taught));
            self.report(FlowCode::UnknownOutcome, places.outcome(*outcome), message, help);
        }
        for outcome in taught.iter().filter(|outcome| !named.contains(outcome)) {
            let message =
                format!("{who} can end with `{outcome}`, for which there is no next step");
            let help = format!("add `{outcome} = \"…\"`");
            self.report(FlowCode::MissingOutcome, places.column(ColumnId::On), message, help);
        }
    }

    /// A flow's own template teaches what the flow follows; it must make sense to an agent.
    fn own_outcomes(&mut self, id: StepId, named: &[Outcome]) {
        let places = self.draft.places(id);
        let is_verdict = |outcome: &Outcome| outcome.verdict().is_some();
        let others: Vec<Outcome> = named.iter().copied().filter(|it| !is_verdict(it)).collect();
        let verdicts = named.len() - others.len();
        let fits = match others.as_slice() {
            [] => verdicts > 1 && named.contains(&Outcome::Pass),
            [Outcome::Files] => verdicts == 0,
            [Outcome::AllDone, Outcome::TasksLeft] | [Outcome::TasksLeft, Outcome::AllDone] => {
                verdicts == 0
            }
            _ => false,
        };
        if !fits {
            let message = format!("an agent cannot be asked for {}", shown(named));
            let help = "ask for `PASS` and at least one other verdict, or for `ALL_DONE` and \
                        `TASKS_LEFT`, or for `FILES`";
            self.report(FlowCode::MissingOutcome, places.column(ColumnId::On), message, help);
        }
    }

    fn ends(&mut self, id: StepId, step: &Step) {
        for (outcome, target) in step.on.iter() {
            let span = self.draft.places(id).outcome(*outcome);
            match target {
                Target::End(End::Archived) if step.kind != Kind::Archive => {
                    let message = format!(
                        "step `{}` archives nothing, and cannot lead to `archived`",
                        step.name
                    );
                    let help = "lead to a step of kind `archive`";
                    self.report(FlowCode::WrongEnd, span, message, help);
                }
                Target::End(End::Rejected) if *outcome != Outcome::Rejected => {
                    let message = format!("only `REJECTED` leads to `rejected`, not `{outcome}`");
                    self.report(FlowCode::WrongEnd, span, message, "lead to a step");
                }
                Target::End(End::Archived | End::Rejected) | Target::Step(_) => {}
            }
        }
    }

    fn skipped(&mut self, id: StepId, step: &Step) {
        let places = self.draft.places(id);
        if step.skip_unless.is_some() && places.on.len() > 1 {
            let message = format!(
                "step `{}` can be skipped, and it is not clear what comes next: it has {} outcomes",
                step.name,
                places.on.len()
            );
            let help = "skip only steps with one outcome";
            self.report(FlowCode::Skip, places.column(ColumnId::SkipUnless), message, help);
        }
    }

    /// Follows the steps that can be skipped until one is met again.
    fn circle_of_skipped(&mut self) {
        let flow = &self.draft.flow;
        let next = |id: StepId| match flow.step(id).onward() {
            Some(Target::Step(to)) if flow.step(to).skip_unless.is_some() => Some(to),
            Some(Target::Step(_) | Target::End(_)) | None => None,
        };
        for (id, step) in flow.numbered().filter(|(_, step)| step.skip_unless.is_some()) {
            let mut circle = vec![id];
            while let Some(to) = next(circle[circle.len() - 1]).filter(|to| !circle.contains(to)) {
                circle.push(to);
            }
            let is_first = circle.iter().all(|other| *other >= id);
            if next(circle[circle.len() - 1]) == Some(id) && is_first {
                let names: Vec<_> =
                    circle.iter().chain([&id]).map(|id| flow.step(*id).name.as_ref()).collect();
                let span = self.draft.places(id).column(ColumnId::SkipUnless);
                let message =
                    format!("steps that can all be skipped form a circle: {}", names.join(" -> "));
                let help = format!(
                    "lead from one of them, or from `{}`, to a step that is never skipped",
                    step.name
                );
                self.report(FlowCode::Skip, span, message, help);
            }
        }
    }

    fn judging(&mut self, id: StepId, step: &Step) {
        let places = self.draft.places(id);
        let named = self.named(id);
        if let Some(subject) = step.judges {
            let span = places.column(ColumnId::Judges);
            if !named.contains(&Outcome::Pass) || named.len() < 2 {
                let message = format!(
                    "step `{}` judges the {subject}, and cannot say both yes and no",
                    step.name
                );
                let help = "a judge has the outcome `PASS` and another verdict";
                self.report(FlowCode::Judge, span, message, help);
            }
            if step.changes.is_some() || step.workspace == Workspace::Write {
                let message =
                    format!("step `{}` judges the {subject}, and changes something too", step.name);
                let help = "let one step change it and another judge it";
                self.report(FlowCode::Judge, span, message, help);
            }
        }
        if step.pass_needs.is_empty() {
            return;
        }
        let lacks = match step.judges {
            None => Some("it judges nothing"),
            Some(_) if !named.contains(&Outcome::NeedsChanges) => {
                Some("it cannot end with `NEEDS_CHANGES`")
            }
            Some(_) => None,
        };
        if let Some(lacks) = lacks {
            let message = format!("a PASS of step `{}` cannot need anything: {lacks}", step.name);
            let help = "without what it needs, a PASS counts as NEEDS_CHANGES";
            self.report(FlowCode::PassNeeds, places.column(ColumnId::PassNeeds), message, help);
        }
    }

    /// A step that writes code or leaves a plan must say so: what was said about them before is void.
    fn changing(&mut self, id: StepId, step: &Step) {
        let places = self.draft.places(id);
        if step.workspace == Workspace::Write
            && step.changes != Some(Subject::Code)
            && step.judges.is_none()
        {
            let message = format!(
                "step `{}` may write code, and does not say that it changes the code",
                step.name
            );
            let help = "add `changes = \"code\"`, or let it read";
            self.report(
                FlowCode::UndeclaredChange,
                places.column(ColumnId::Workspace),
                message,
                help,
            );
        }
        if step.workspace == Workspace::Read && step.changes == Some(Subject::Code) {
            let message = format!("step `{}` changes the code, and may not write any", step.name);
            self.report(
                FlowCode::UndeclaredChange,
                places.column(ColumnId::Changes),
                message,
                "add `workspace = \"write\"`",
            );
        }
        let is_plan = |validator: Validator| match validator {
            Validator::Proposal | Validator::Spec | Validator::Tasks | Validator::Schedule => true,
            Validator::Text | Validator::Implementation | Validator::Archive => false,
        };
        let plan = step.leaves.iter().find(|file| is_plan(file.validator));
        if let Some(file) = plan.filter(|_| step.changes != Some(Subject::Plan)) {
            let message = format!(
                "step `{}` leaves `{}`, and does not say that it changes the plan",
                step.name, file.path
            );
            self.report(
                FlowCode::UndeclaredChange,
                places.column(ColumnId::Leaves),
                message,
                "add `changes = \"plan\"`",
            );
        }
    }

    /// The name under which the configuration says who does a step is one that it can have.
    fn slot(&mut self, id: StepId, step: &Step) {
        if is_name(&step.slot) {
            return;
        }
        let message = format!("{} is no name in the configuration", quoted(&step.slot));
        let help = "name a phase, a role or the step: small letters, digits, `-` and `_`";
        let span = self.draft.places(id).value(ColumnId::Slot);
        self.report(FlowCode::WrongValue, span, message, help);
    }

    /// Only the tools and files of a role ask for research.
    fn research(&mut self, id: StepId, step: &Step) {
        if !step.research || step.team_prompt().is_some() {
            return;
        }
        let (prompt, column) = (step.prompt.map(|it| it.to_string()), ColumnId::Research);
        let prompt = prompt.unwrap_or_default();
        let message = format!("a step with the prompt `{prompt}` has no `{}`", column.row().name);
        let help = "only the prompts of roles and commands teach how to ask for it: remove it";
        self.report(FlowCode::MisplacedColumn, self.draft.places(id).column(column), message, help);
    }

    /// Rounds are counted, and authors known, of steps in which an agent works.
    fn neighbours(&mut self, id: StepId, step: &Step) {
        let places = self.draft.places(id);
        let of = [
            (ColumnId::Rounds, step.rounds.map(|rounds| rounds.of)),
            (ColumnId::NotBy, step.not_by),
        ];
        for (column, other) in of {
            let Some(other) = other else { continue };
            if column == ColumnId::NotBy && other == id {
                let message = format!("step `{}` is always done by its own agent", step.name);
                let help = "name the step whose work it judges";
                self.report(FlowCode::WrongValue, places.column(column), message, help);
            }
            let other = self.draft.flow.step(other);
            if !matches!(other.kind, Kind::Agent | Kind::Lanes) {
                let message = format!(
                    "no agent works in step `{}`, which `{}` names",
                    other.name,
                    column.row().name
                );
                let help = "name a step of kind `agent` or `lanes`";
                self.report(FlowCode::WrongValue, places.column(column), message, help);
            }
        }
    }
}

fn shown(named: &[Outcome]) -> String {
    match named {
        [] => "nothing".to_owned(),
        [one] => format!("`{one}` alone"),
        more => format!("{} together", listed(more)),
    }
}
