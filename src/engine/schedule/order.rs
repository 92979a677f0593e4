//! Holds the execution plan and the files together: every plan has its files, is scheduled once, and comes after those
//! that it needs.

use std::collections::BTreeMap;

use super::code::ScheduleCode;
use super::sub_plan::SubPlan;
use crate::compile::{Diagnostic, FileId, Place, Sources};
use crate::models::plan::{ExecutionPlan, Mode, PlanIndex, PlanReference};
use crate::template::Span;

/// What is checked, and what is found.
pub(super) struct Order<'o> {
    pub(super) plan: &'o ExecutionPlan,
    pub(super) file: FileId,
    pub(super) sub_plans: &'o BTreeMap<PlanIndex, SubPlan>,
    pub(super) tasks: &'o BTreeMap<PlanIndex, usize>,
    pub(super) sources: &'o Sources,
    pub(super) found: &'o mut Vec<Diagnostic<ScheduleCode>>,
}

/// Where a plan stands in the schedule.
#[derive(Clone, Copy)]
struct Turn {
    group: usize,
    place: usize,
    mode: Mode,
    span: Span,
}

impl Order<'_> {
    /// Checks all of it.
    pub(super) fn check(mut self) {
        self.groups();
        let turns = self.turns();
        self.files();
        self.numbers(&turns);
        self.unscheduled(&turns);
        self.dependencies(&turns);
        self.documents();
    }

    /// Where documents are needed, at least one must be named and each must be some plan's to write; elsewhere none may be
    /// named.
    fn documents(&mut self) {
        let ExecutionPlan { needs_docs, doc_files, .. } = self.plan;
        if !needs_docs.value {
            if let Some(first) = doc_files.first() {
                let message = "`doc_files` names documents, but `needs_docs` is not true";
                let help = "write `needs_docs: true`, or remove `doc_files`";
                self.report(ScheduleCode::NoDocFiles, first.span, message, help);
            }
            return;
        }
        if doc_files.is_empty() {
            let message = "`needs_docs` is true, but `doc_files` names no document";
            let help = "name them, `doc_files: [docs/login.md]`, or write `needs_docs: false`";
            self.report(ScheduleCode::NoDocFiles, needs_docs.span, message, help);
            return;
        }
        for file in doc_files {
            let mut owned = self.sub_plans.values().flat_map(|sub_plan| &sub_plan.owned);
            if !owned.any(|owned| file.value.shared_with(&owned.value).is_some()) {
                let message = format!("no plan owns the document `{}`", file.value);
                let help = "make it an owned file of the plan that changes it";
                self.report(ScheduleCode::NoDocFiles, file.span, &message, help);
            }
        }
    }

    fn groups(&mut self) {
        let mut first: BTreeMap<&str, Span> = BTreeMap::new();
        for group in &self.plan.groups {
            let id = group.group_id.value.as_str();
            match first.get(id) {
                None => drop(first.insert(id, group.group_id.span)),
                Some(span) => {
                    let message = format!("there are two groups `{id}`");
                    let diagnostic = Diagnostic::new(
                        ScheduleCode::DuplicateGroup,
                        self.place(group.group_id.span),
                        message,
                    );
                    let first = self.place(*span);
                    self.found.push(
                        diagnostic.label(first, "the first one").help("give each group its own id"),
                    );
                }
            }
        }
    }

    /// Finds out when each plan has its turn.
    fn turns(&mut self) -> BTreeMap<PlanIndex, Turn> {
        let mut turns: BTreeMap<PlanIndex, Turn> = BTreeMap::new();
        for (number, group) in self.plan.groups.iter().enumerate() {
            for (place, PlanReference { index, .. }) in group.plans.iter().enumerate() {
                if let Some(first) = turns.get(&index.value) {
                    let message = format!("{} is scheduled twice", index.value);
                    let place = self.place(index.span);
                    let first = self.place(first.span);
                    let diagnostic = Diagnostic::new(ScheduleCode::DuplicatePlan, place, message);
                    self.found.push(
                        diagnostic.label(first, "the first time").help("keep it in one group"),
                    );
                    continue;
                }
                let turn = Turn { group: number, place, mode: group.mode, span: index.span };
                turns.insert(index.value, turn);
            }
        }
        turns
    }

    fn files(&mut self) {
        for PlanReference { index, .. } in self.plan.groups.iter().flat_map(|group| &group.plans) {
            let plan = index.value;
            if !self.sub_plans.contains_key(&plan) {
                let message = format!("the file `{}` is missing", plan.plan_file());
                let help = "write the plan, or remove it from the schedule";
                self.report(ScheduleCode::MissingPlan, index.span, &message, help);
            }
            if !self.tasks.contains_key(&plan) {
                let message = format!("{plan} has no checklist `{}`", plan.tasks_file());
                let help = "write it, with an item `- [ ] …` for each task";
                self.report(ScheduleCode::MissingTasks, index.span, &message, help);
            }
        }
    }

    /// Reports the first gap; a plan that is there but not scheduled is no gap.
    fn numbers(&mut self, turns: &BTreeMap<PlanIndex, Turn>) {
        let is_there =
            |index: &PlanIndex| turns.contains_key(index) || self.sub_plans.contains_key(index);
        let largest = turns.keys().next_back().map_or(0, |index| index.get());
        let gap = (1..largest).filter_map(PlanIndex::new).find(|index| !is_there(index));
        let Some(gap) = gap else { return };
        let Some((after, turn)) = turns.range(gap..).next() else { return };
        let message = format!("{after} exists, but {gap} is missing");
        let help = "number the plans from 1 on without a gap";
        self.report(ScheduleCode::PlanGap, turn.span, &message, help);
    }

    fn unscheduled(&mut self, turns: &BTreeMap<PlanIndex, Turn>) {
        for (index, sub_plan) in
            self.sub_plans.iter().filter(|(index, _)| !turns.contains_key(index))
        {
            let place = self.sources.first_line(sub_plan.file);
            let message = format!("{index} is in no group of the execution plan");
            let diagnostic = Diagnostic::new(ScheduleCode::UnscheduledPlan, place, message);
            self.found.push(diagnostic.help(
                "schedule it, name it in `set_aside` when you submit the plan, or remove the file",
            ));
        }
    }

    fn dependencies(&mut self, turns: &BTreeMap<PlanIndex, Turn>) {
        for (index, turn) in turns {
            let Some(sub_plan) = self.sub_plans.get(index) else { continue };
            for dependency in &sub_plan.dependencies {
                let place = Place { file: sub_plan.file, span: dependency.span };
                let needed = dependency.value;
                let diagnostic = if needed == *index {
                    let message = format!("{index} depends on itself");
                    Diagnostic::new(ScheduleCode::SelfDependency, place, message)
                        .help("name the plans that must be done before it, or `none`")
                } else if let Some(other) = turns.get(&needed) {
                    if is_before(*other, *turn) {
                        continue;
                    }
                    let when = if other.group == turn.group && turn.mode == Mode::Parallel {
                        "runs in parallel"
                    } else {
                        "runs later"
                    };
                    let message = format!("{index} depends on {needed}, which {when}");
                    Diagnostic::new(ScheduleCode::DependencyOrder, place, message)
                        .label(self.place(other.span), format!("{needed} runs here"))
                        .help(format!("put {needed} into a group before that of {index}"))
                } else {
                    let message = format!("{index} depends on {needed}, which is not scheduled");
                    Diagnostic::new(ScheduleCode::UnknownDependency, place, message)
                        .help("name plans of the execution plan")
                };
                self.found.push(diagnostic);
            }
        }
    }

    const fn place(&self, span: Span) -> Place {
        Place { file: self.file, span }
    }

    fn report(&mut self, code: ScheduleCode, span: Span, message: &str, help: &str) {
        self.found.push(Diagnostic::new(code, self.place(span), message).help(help));
    }
}

/// Returns whether one plan is done when another has its turn.
const fn is_before(one: Turn, other: Turn) -> bool {
    let in_order = matches!(one.mode, Mode::Serial) && one.place < other.place;
    one.group < other.group || (one.group == other.group && in_order)
}
