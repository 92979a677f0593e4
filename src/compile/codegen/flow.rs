//! The Rust of the flows: a static table each, and a list of all.

use std::fmt::Debug;

use super::super::flow::FlowUnit;
use super::write_to;
use crate::flow::{
    Column, End, Flow, Guidance, Leaves, Limit, List, Outcome, Prompt, Reads, RejectRule, Rounds,
    Step, StepId, Target, Text, Visitor,
};
use crate::template::Word;

/// Writes `FLOW_0` and so on.
pub(super) fn flows(out: &mut String, units: &[FlowUnit], library: &str) {
    let module = format!("{library}::flow");
    for (number, unit) in units.iter().enumerate() {
        let flow = unit.flow.code(&module);
        write_to(out, format_args!("static FLOW_{number}: {module}::Flow = {flow};\n\n"));
    }
}

/// A value that can be written as Rust.
trait Code {
    /// Writes the value; `module` is the path of the flows' types.
    fn code(&self, module: &str) -> String;
}

/// Writes what is described by columns.
struct Record<'m> {
    module: &'m str,
    fields: Vec<(&'static str, String)>,
}

impl<'m> Record<'m> {
    fn named(name: &Text, module: &'m str) -> Self {
        Self { module, fields: vec![("name", name.code(module))] }
    }
}

impl<T: Code> Visitor<T> for Record<'_> {
    fn column(&mut self, column: &'static Column, value: &T) {
        self.fields.push((column.name, value.code(self.module)));
    }
}

impl Code for Flow {
    fn code(&self, m: &str) -> String {
        let Self { name, about, hash, start, guarantees, guidance, reject, reopen, steps } = self;
        let fields = [
            ("name", name.code(m)),
            ("about", about.code(m)),
            ("hash", hash.code(m)),
            ("start", start.code(m)),
            ("guarantees", guarantees.code(m)),
            ("guidance", guidance.code(m)),
            ("reject", reject.code(m)),
            ("reopen", reopen.code(m)),
            ("steps", steps.code(m)),
        ];
        record(&format!("{m}::Flow"), &fields)
    }
}

impl Code for Guidance {
    fn code(&self, m: &str) -> String {
        let fields = [("to", self.to.code(m)), ("until", self.until.code(m))];
        record(&format!("{m}::Guidance"), &fields)
    }
}

impl Code for RejectRule {
    fn code(&self, m: &str) -> String {
        let fields = [("to", self.to.code(m)), ("once", self.once.code(m))];
        record(&format!("{m}::RejectRule"), &fields)
    }
}

impl Code for Step {
    fn code(&self, m: &str) -> String {
        let mut step = Record::named(&self.name, m);
        self.visit(&mut step);
        record(&format!("\n        {m}::Step"), &step.fields)
    }
}

impl Code for Prompt {
    fn code(&self, m: &str) -> String {
        let of = |variant: &str, kind: &str, word: &dyn Debug| {
            let template = m.replace("::flow", "::template");
            format!("{m}::Prompt::{variant}({template}::{kind}::{word:?})")
        };
        match self {
            Self::System(phase) => of("System", "Phase", phase),
            Self::Role(role) => of("Role", "Role", role),
            Self::Command(command) => of("Command", "Command", command),
            Self::Own => format!("{m}::Prompt::Own"),
        }
    }
}

impl Code for Reads {
    fn code(&self, m: &str) -> String {
        let Self { path, why, is_optional } = self;
        let fields =
            [("path", path.code(m)), ("why", why.code(m)), ("is_optional", is_optional.code(m))];
        record(&format!("{m}::Reads"), &fields)
    }
}

impl Code for Leaves {
    fn code(&self, m: &str) -> String {
        let Self { path, validator } = self;
        record(&format!("{m}::Leaves"), &[("path", path.code(m)), ("validator", validator.code(m))])
    }
}

impl Code for Rounds {
    fn code(&self, m: &str) -> String {
        let Self { of, limit } = self;
        let limit = match limit {
            Limit::Fixed(number) => format!("{m}::Limit::Fixed({number})"),
            Limit::Configured(limit) => format!("{m}::Limit::Configured({})", limit.code(m)),
        };
        record(&format!("{m}::Rounds"), &[("of", of.code(m)), ("limit", limit)])
    }
}

impl Code for (Outcome, Target) {
    fn code(&self, m: &str) -> String {
        let (outcome, target) = self;
        let target = match target {
            Target::Step(id) => format!("Step({})", id.code(m)),
            Target::End(end @ (End::Archived | End::Rejected)) => {
                format!("End({m}::End::{end:?})")
            }
        };
        format!("({}, {m}::Target::{target})", outcome.code(m))
    }
}

impl Code for StepId {
    fn code(&self, m: &str) -> String {
        format!("{m}::StepId::new({})", self.index())
    }
}

impl<W: Word> Code for W {
    fn code(&self, m: &str) -> String {
        format!("{m}::{}::{self:?}", W::SET)
    }
}

impl Code for bool {
    fn code(&self, _: &str) -> String {
        self.to_string()
    }
}

impl Code for Text {
    fn code(&self, _: &str) -> String {
        format!("::std::borrow::Cow::Borrowed({self:?})")
    }
}

impl<T: Code> Code for Option<T> {
    fn code(&self, m: &str) -> String {
        self.as_ref().map_or_else(|| "None".to_owned(), |value| format!("Some({})", value.code(m)))
    }
}

impl<T: Code + Clone> Code for List<T> {
    fn code(&self, m: &str) -> String {
        let items: Vec<_> = self.iter().map(|item| item.code(m)).collect();
        format!("::std::borrow::Cow::Borrowed(&[{}])", items.join(", "))
    }
}

fn record(name: &str, fields: &[(&str, String)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    format!("{name} {{ {} }}", fields.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Need;
    use crate::flow::column::probe::Probe;

    #[test]
    fn a_column_that_is_added_to_the_table_is_written() {
        let mut probe = Probe::new("one".to_owned());
        probe.fail_needs = vec![Need::Green].into();
        let mut fields = Record::named(&probe.name, "crate::flow");
        probe.visit(&mut fields);
        let written = record("Probe", &fields.fields);
        let expected = "Probe { name: ::std::borrow::Cow::Borrowed(\"one\"), kind: crate::flow::Kind::Agent, \
                        fail_needs: ::std::borrow::Cow::Borrowed(&[crate::flow::Need::Green]), \
                        on: ::std::borrow::Cow::Borrowed(&[]) }";
        assert_eq!(written, expected);
    }
}
