//! A template as the generated code knows it: texts and numbered slots, written as a node table and as a
//! straight-line function.

use super::write_to;
use crate::template::{Dialect, Node, parse};

/// The steps of one template; neighbouring texts are one.
pub(super) struct Program {
    steps: Vec<Step>,
}

enum Step {
    Text(String),
    Slot { name: String, number: usize },
}

impl Program {
    /// Parses a text whose holes are among `slots`.
    pub(super) fn new(text: &str, dialect: &Dialect<'_>, slots: &[&str]) -> Self {
        let mut steps: Vec<Step> = Vec::new();
        for (node, _) in parse(text, dialect).nodes {
            match node {
                Node::Text(more) => match steps.last_mut() {
                    Some(Step::Text(text)) => text.push_str(more),
                    _ => steps.push(Step::Text(more.to_owned())),
                },
                Node::Hole(name) => {
                    let number = slots.iter().position(|slot| *slot == name);
                    steps.extend(number.map(|number| Step::Slot { name: name.to_owned(), number }));
                }
                Node::Fragment(_) | Node::Include { .. } => {}
            }
        }
        Self { steps }
    }

    /// Lists the slots that are used, in the order of their first use.
    pub(super) fn used(&self) -> Vec<usize> {
        let mut used = Vec::new();
        for step in &self.steps {
            if let Step::Slot { number, .. } = step
                && !used.contains(number)
            {
                used.push(*number);
            }
        }
        used
    }

    /// Writes the items of the node table.
    pub(super) fn node_table(&self, library: &str) -> String {
        let item = |step: &Step| match step {
            Step::Text(text) => format!("        {library}::template::Node::Text({text:?}),\n"),
            Step::Slot { name, .. } => {
                format!("        {library}::template::Node::Hole({name:?}),\n")
            }
        };
        self.steps.iter().map(item).collect()
    }

    /// Writes the function that renders the template: values are measured, one reservation of the exact size is made,
    /// and then all is copied. A fresh string is made anew, since growing an empty one is the slower way to the same
    /// buffer.
    pub(super) fn function(&self, out: &mut String, name: &str, slots: usize, library: &str) {
        let text_size = |step: &Step| match step {
            Step::Text(text) => text.len(),
            Step::Slot { .. } => 0,
        };
        let fixed: usize = self.steps.iter().map(text_size).sum();
        let used = self.used();
        let measure =
            |number: &usize| format!("    let value_{number} = slots[{number}].measured(&TAGS);\n");
        let measures: String = used.iter().map(measure).collect();
        let slot_size = |step: &Step| match step {
            Step::Text(_) => String::new(),
            Step::Slot { number, .. } => format!(" + value_{number}.size()"),
        };
        let values: String = self.steps.iter().map(slot_size).collect();
        let parameter = if used.is_empty() { "_slots" } else { "slots" };
        write_to(
            out,
            format_args!(
                "fn {name}({parameter}: &[{library}::template::Slot<'_>; {slots}], out: &mut String) {{\n\
                     {measures}    \
                     let size = {fixed}{values};\n    \
                     if out.capacity() == 0 {{ *out = String::with_capacity(size); }} else {{ out.reserve(size); }}\n"
            ),
        );
        for step in &self.steps {
            match step {
                Step::Text(text) => write_to(out, format_args!("    out.push_str({text:?});\n")),
                Step::Slot { number, .. } => {
                    write_to(out, format_args!("    value_{number}.push(&TAGS, out);\n"));
                }
            }
        }
        out.push_str("}\n\n");
    }
}
