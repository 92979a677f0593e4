//! A template as the generated code knows it: texts, numbered slots and includes, written as a node table and as a
//! straight-line function.

use std::borrow::Cow;

use super::write_to;
use crate::template::{Dialect, Node, Part, parse};

/// The steps of one template; neighbouring texts are one.
pub(super) struct Program<'t> {
    steps: Vec<Step<'t>>,
    slots: &'t [&'t str],
}

enum Step<'t> {
    Text(String),
    Slot { name: &'t str, number: usize },
    Include { path: Cow<'t, [Part<'t>]>, required: bool },
}

impl<'t> Program<'t> {
    /// Parses a linked text whose holes are among `slots`.
    pub(super) fn new(text: &'t str, dialect: &Dialect<'_>, slots: &'t [&'t str]) -> Self {
        let mut steps: Vec<Step<'_>> = Vec::new();
        for (node, _) in parse(text, dialect).nodes {
            match (node, steps.last_mut()) {
                (Node::Text(more), Some(Step::Text(text))) => text.push_str(more),
                (Node::Text(text), _) => steps.push(Step::Text(text.to_owned())),
                (Node::Hole(name), _) => {
                    let number = slots.iter().position(|slot| *slot == name);
                    steps.extend(number.map(|number| Step::Slot { name, number }));
                }
                (Node::Include { path, required }, _) => {
                    steps.push(Step::Include { path, required });
                }
                // Linking has put every fragment in place.
                (Node::Fragment(_), _) => {}
            }
        }
        Self { steps, slots }
    }

    /// Lists the slots that are used, in paths too, in the order of their first use.
    pub(super) fn used(&self) -> Vec<usize> {
        let mut used = Vec::new();
        let mut note = |number: usize| {
            if !used.contains(&number) {
                used.push(number);
            }
        };
        for step in &self.steps {
            match step {
                Step::Text(_) => {}
                Step::Slot { number, .. } => note(*number),
                Step::Include { path, .. } => {
                    for part in path.iter() {
                        if let Part::Hole(name) = part {
                            self.slots
                                .iter()
                                .position(|slot| slot == name)
                                .into_iter()
                                .for_each(&mut note);
                        }
                    }
                }
            }
        }
        used
    }

    /// Writes the items of the node table.
    pub(super) fn node_table(&self, library: &str) -> String {
        let module = format!("{library}::template");
        let part = |part: &Part<'_>| match part {
            Part::Text(text) => format!("{module}::Part::Text({text:?}), "),
            Part::Hole(name) => format!("{module}::Part::Hole({name:?}), "),
        };
        let item = |step: &Step<'_>| match step {
            Step::Text(text) => format!("        {module}::Node::Text({text:?}),\n"),
            Step::Slot { name, .. } => format!("        {module}::Node::Hole({name:?}),\n"),
            Step::Include { path, required } => {
                let parts: String = path.iter().map(part).collect();
                format!(
                    "        {module}::Node::Include {{ path: ::std::borrow::Cow::Borrowed(&[{parts}]), \
                     required: {required} }},\n"
                )
            }
        };
        self.steps.iter().map(item).collect()
    }

    /// Writes the function that renders the template: values are measured, one reservation of the exact size is made,
    /// and then all is copied. A fresh string is made anew, since growing an empty one is the slower way to the same
    /// buffer.
    pub(super) fn function(&self, out: &mut String, name: &str, slots: usize, library: &str) {
        let text_size = |step: &Step<'_>| match step {
            Step::Text(text) => text.len(),
            Step::Slot { .. } | Step::Include { .. } => 0,
        };
        let fixed: usize = self.steps.iter().map(text_size).sum();
        let used = self.used();
        let measure =
            |number: &usize| format!("    let value_{number} = slots[{number}].measured(&TAGS);\n");
        let measures: String = used.iter().map(measure).collect();
        let slot_size = |step: &Step<'_>| match step {
            Step::Text(_) | Step::Include { .. } => String::new(),
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
                // Only prompts of the team include files, and they are walked.
                Step::Include { .. } => {}
            }
        }
        out.push_str("}\n\n");
    }
}
