//! The Rust of the flows: a static table each, and a list of all.

use std::fmt::Debug;

use super::super::flow::FlowUnit;
use super::write_to;
use crate::flow::{
    End, Flow, Leaves, Limit, Outcome, Prompt, Reads, Rounds, Step, StepId, Target, Text,
};

/// Writes `FLOW_0` and so on.
pub(super) fn flows(out: &mut String, units: &[FlowUnit], library: &str) {
    let writer = Writer { module: format!("{library}::flow") };
    for (number, unit) in units.iter().enumerate() {
        let flow = writer.flow(&unit.flow);
        let module = &writer.module;
        write_to(out, format_args!("static FLOW_{number}: {module}::Flow = {flow};\n\n"));
    }
}

struct Writer {
    /// The path of the tables' types.
    module: String,
}

impl Writer {
    fn flow(&self, flow: &Flow) -> String {
        let Flow { name, about, hash, start, guarantees, guidance, reject, reopen, steps } = flow;
        let m = &self.module;
        let guidance = option(guidance.as_ref(), |it| {
            let (to, until) = (self.step_id(it.to), self.word("Subject", it.until));
            format!("{m}::Guidance {{ to: {to}, until: {until} }}")
        });
        let reject = option(reject.as_ref(), |it| {
            let (to, once) = (self.step_id(it.to), self.word("Subject", it.once));
            format!("{m}::RejectRule {{ to: {to}, once: {once} }}")
        });
        let fields = [
            ("name", text(name)),
            ("about", text(about)),
            ("hash", text(hash)),
            ("start", self.step_id(*start)),
            ("guarantees", list(guarantees, |it| self.word("Guarantee", it))),
            ("guidance", guidance),
            ("reject", reject),
            ("reopen", option(reopen.as_ref(), |it| self.step_id(*it))),
            ("steps", list(steps, |it| self.step(it))),
        ];
        record(&format!("{m}::Flow"), &fields)
    }

    fn step(&self, step: &Step) -> String {
        let Step { name, kind, prompt, slot, workspace, reads, leaves, changes, judges, .. } = step;
        let Step { pass_needs, skip_unless, not_by, research, rounds, reject, .. } = step;
        let Step { clean, merges, tasks, on, about, .. } = step;
        let subject = |subject: &_| self.word("Subject", subject);
        let fields = [
            ("name", text(name)),
            ("kind", self.word("Kind", kind)),
            ("about", text(about)),
            ("prompt", option(prompt.as_ref(), |it| self.prompt(*it))),
            ("slot", text(slot)),
            ("workspace", self.word("Workspace", workspace)),
            ("reads", list(reads, |it| self.reads(it))),
            ("leaves", list(leaves, |it| self.leaves(it))),
            ("changes", option(changes.as_ref(), subject)),
            ("judges", option(judges.as_ref(), subject)),
            ("pass_needs", list(pass_needs, |it| self.word("Need", it))),
            ("skip_unless", option(skip_unless.as_ref(), |it| self.word("Fact", it))),
            ("not_by", option(not_by.as_ref(), |it| self.step_id(*it))),
            ("research", research.to_string()),
            ("rounds", option(rounds.as_ref(), |it| self.rounds(*it))),
            ("reject", option(reject.as_ref(), |it| self.step_id(*it))),
            ("clean", clean.to_string()),
            ("merges", option(merges.as_ref(), text)),
            ("tasks", option(tasks.as_ref(), |it| self.word("TaskSource", it))),
            ("on", list(on, |(outcome, target)| self.edge(*outcome, *target))),
        ];
        record(&format!("\n        {}::Step", self.module), &fields)
    }

    fn prompt(&self, prompt: Prompt) -> String {
        let of = |variant: &str, kind: &str, word: &dyn Debug| {
            let template = self.module.replace("::flow", "::template");
            format!("{}::Prompt::{variant}({template}::{kind}::{word:?})", self.module)
        };
        match prompt {
            Prompt::System(phase) => of("System", "Phase", &phase),
            Prompt::Role(role) => of("Role", "Role", &role),
            Prompt::Command(command) => of("Command", "Command", &command),
            Prompt::Own => format!("{}::Prompt::Own", self.module),
        }
    }

    fn reads(&self, Reads { path, why, is_optional }: &Reads) -> String {
        let fields =
            [("path", text(path)), ("why", text(why)), ("is_optional", is_optional.to_string())];
        record(&format!("{}::Reads", self.module), &fields)
    }

    fn leaves(&self, Leaves { path, validator }: &Leaves) -> String {
        let fields = [("path", text(path)), ("validator", self.word("Validator", validator))];
        record(&format!("{}::Leaves", self.module), &fields)
    }

    fn rounds(&self, Rounds { of, limit }: Rounds) -> String {
        let limit = match limit {
            Limit::Fixed(number) => format!("{}::Limit::Fixed({number})", self.module),
            Limit::Configured(limit) => {
                let limit = self.word("ConfiguredLimit", limit);
                format!("{}::Limit::Configured({limit})", self.module)
            }
        };
        record(&format!("{}::Rounds", self.module), &[("of", self.step_id(of)), ("limit", limit)])
    }

    fn edge(&self, outcome: Outcome, target: Target) -> String {
        let outcome = self.word("Outcome", outcome);
        let target = match target {
            Target::Step(id) => format!("Step({})", self.step_id(id)),
            Target::End(end @ (End::Archived | End::Rejected)) => {
                format!("End({})", self.word("End", end))
            }
        };
        format!("({outcome}, {}::Target::{target})", self.module)
    }

    fn step_id(&self, id: StepId) -> String {
        format!("{}::StepId::new({})", self.module, id.index())
    }

    fn word(&self, kind: &str, word: impl Debug) -> String {
        format!("{}::{kind}::{word:?}", self.module)
    }
}

fn record(name: &str, fields: &[(&str, String)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    format!("{name} {{ {} }}", fields.join(", "))
}

fn text(text: &Text) -> String {
    format!("::std::borrow::Cow::Borrowed({text:?})")
}

fn option<T>(value: Option<&T>, written: impl Fn(&T) -> String) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({})", written(value)))
}

fn list<T>(items: &[T], written: impl Fn(&T) -> String) -> String {
    let items: Vec<_> = items.iter().map(written).collect();
    format!("::std::borrow::Cow::Borrowed(&[{}])", items.join(", "))
}
