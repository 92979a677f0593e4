//! Says from the events alone whether a change may be archived. It follows each guarantee's definition and knows nothing of
//! what a state keeps.

use agentd::flow::{
    Event, Fact, Flow, Guarantee, Kind, Need, Outcome, Position, Prompt, Step, StepId, Subject,
    Workspace, covers,
};

/// What happened, and where the change was then.
pub(super) type Happened = (Position, Event);

/// The files of a plan.
const PLAN: [&str; 4] = ["proposal.md", "specs/*.md", "tasks.md", "04_planning/*"];

/// Returns whether a file is there when a step has ended.
fn leaves(step: &Step, path: &str) -> bool {
    let is_answer = step.judges.is_some()
        && matches!(step.prompt, Some(Prompt::System(_) | Prompt::Own))
        && path == format!("{}.md", step.name.to_uppercase());
    let is_report = step.kind == Kind::Checks && path == "CHECKS.md";
    is_answer || is_report || step.leaves.iter().any(|file| covers(&file.path, path))
}

/// Returns a file that a step reads and that nobody can have left after these events.
pub(super) fn missing<'f>(flow: &'f Flow, history: &[Happened], step: StepId) -> Option<&'f str> {
    let is_left = |path: &str| {
        let by_event = history.iter().any(|(_, event)| match event {
            Event::Finished { step, .. } => leaves(flow.step(*step), path),
            _ => false,
        });
        by_event || (path == "tasks.md" && flow.steps.iter().any(|step| step.tasks.is_some()))
    };
    let step = flow.step(step);
    let needed = step.reads.iter().filter(|file| !file.is_optional);
    let merged = step.merges.map(|_| "archive/**");
    needed.map(|file| file.path.as_ref()).chain(merged).find(|path| !is_left(path))
}

/// Which steps really change something: a mutant may say less.
pub(super) struct Truth {
    writes: Vec<(String, Subject)>,
}

impl Truth {
    /// Takes what a flow that is known to be right says of its steps.
    pub(super) fn of(flow: &Flow) -> Self {
        let code = flow.steps.iter().filter(|step| step.workspace == Workspace::Write);
        let code = code.map(|step| (step.name.to_string(), Subject::Code));
        let said =
            flow.steps.iter().filter_map(|step| Some((step.name.to_string(), step.changes?)));
        Self { writes: code.chain(said).collect() }
    }

    fn changes(&self, flow: &Flow, step: StepId, subject: Subject) -> bool {
        let step = flow.step(step);
        let truly = self.writes.iter().any(|(name, what)| *name == step.name && *what == subject);
        let can = match subject {
            Subject::Plan => step.leaves.iter().any(|file| {
                PLAN.iter().any(|path| covers(&file.path, path) || covers(path, &file.path))
            }),
            Subject::Code => step.workspace == Workspace::Write,
        };
        truly || can || step.changes == Some(subject)
    }

    /// Lists the guarantees of a flow that do not hold after these events.
    pub(super) fn broken(&self, flow: &Flow, history: &[Happened]) -> Vec<Guarantee> {
        let holds = |guarantee: &Guarantee| match guarantee {
            Guarantee::Challenged => self.is_judged(flow, history, Subject::Plan),
            Guarantee::Reviewed => self.is_judged(flow, history, Subject::Code),
            Guarantee::Checked => self.is_checked(flow, history),
            Guarantee::Approved => self.is_approved(flow, history),
        };
        flow.guarantees.iter().copied().filter(|guarantee| !holds(guarantee)).collect()
    }

    /// Returns what happened after the last change of a subject.
    fn since_change<'h>(
        &self,
        flow: &Flow,
        history: &'h [Happened],
        subject: Subject,
    ) -> &'h [Happened] {
        let is_change = |(_, event): &Happened| match event {
            Event::Started(step) => self.changes(flow, *step, subject),
            Event::Edited { subject: edited, .. } => *edited == subject,
            _ => false,
        };
        history.iter().rposition(is_change).map_or(history, |at| &history[at + 1..])
    }

    /// Every judge of the subject said PASS with all that it needs, or a person overrode its REJECTED.
    fn is_judged(&self, flow: &Flow, history: &[Happened], subject: Subject) -> bool {
        let since = self.since_change(flow, history, subject);
        let mut judges =
            flow.numbered().filter(|(_, step)| step.judges == Some(subject)).peekable();
        judges.peek().is_some()
            && judges.all(|(judge, step)| {
                assert_eq!(step.skip_unless, None, "this oracle knows no judge that is skipped");
                (0..since.len()).any(|at| {
                    self.accepts(flow, judge, &history[..=history.len() - since.len() + at])
                })
            })
    }

    /// Returns whether the last event of a history is an acceptance by a judge.
    fn accepts(&self, flow: &Flow, judge: StepId, history: &[Happened]) -> bool {
        let Some((position, event)) = history.last() else { return false };
        match event {
            Event::Overridden => *position == Position::Rejected(judge),
            Event::Finished { step, outcome: Outcome::Pass, facts } if *step == judge => {
                flow.step(judge).pass_needs.iter().all(|need| match need {
                    Need::Green => self
                        .last_checks(flow, history)
                        .is_some_and(|(outcome, _)| outcome == Outcome::Green),
                    Need::DocFiles => facts.holds(Fact::DocFiles),
                })
            }
            _ => false,
        }
    }

    /// Returns how the last checks of the code as it is now ended, and whether they were clean.
    fn last_checks(&self, flow: &Flow, history: &[Happened]) -> Option<(Outcome, bool)> {
        let since = self.since_change(flow, history, Subject::Code);
        since.iter().rev().find_map(|(_, event)| match event {
            Event::Finished { step, outcome, .. } if flow.step(*step).kind == Kind::Checks => {
                Some((*outcome, flow.step(*step).clean))
            }
            _ => None,
        })
    }

    fn is_checked(&self, flow: &Flow, history: &[Happened]) -> bool {
        self.last_checks(flow, history) == Some((Outcome::Green, true))
    }

    /// A person said yes at a gate, and nothing changed nor did anybody want anything else since.
    fn is_approved(&self, flow: &Flow, history: &[Happened]) -> bool {
        let at_gate = |position: &Position| matches!(position, Position::Step(id) if flow.step(*id).kind == Kind::Gate);
        let approval = history
            .iter()
            .rposition(|(position, event)| *event == Event::Approved && at_gate(position));
        approval.is_some_and(|at| {
            history[at + 1..].iter().all(|(_, event)| match event {
                Event::Started(step) => {
                    Subject::ALL.iter().all(|subject| !self.changes(flow, *step, *subject))
                }
                Event::Edited { .. } | Event::Rejected | Event::Guided | Event::Reopened => false,
                _ => true,
            })
        })
    }
}
