//! A group of cases that do the same work: a case joins only if what it writes is right.

use std::hint::black_box;

use crate::measure::{Case, measure};
use crate::table;

/// The name of the case that all others of its group are compared with.
pub const UNIT: &str = "memcpy of the output";

/// Cases that are measured together.
pub struct Group<'g> {
    title: String,
    is_right: Box<dyn Fn(&str) -> bool + 'g>,
    cases: Vec<Case<'g>>,
}

impl<'g> Group<'g> {
    /// Starts a group whose cases must write what `is_right` accepts. Its unit is to copy `output`, which
    /// no case can do without.
    pub fn new(title: String, output: &'g str, is_right: impl Fn(&str) -> bool + 'g) -> Self {
        let mut group = Self { title, is_right: Box::new(is_right), cases: Vec::new() };
        group.fresh(UNIT, move || black_box(output).to_owned());
        group.reused("memcpy (reused buffer)", String::as_bytes, move |buffer: &mut String| {
            buffer.clear();
            buffer.push_str(black_box(output));
        });
        group
    }

    /// Adds a case that writes to a fresh string.
    pub fn fresh(&mut self, name: &'static str, render: impl Fn() -> String + 'g) {
        self.check(name, &render());
        self.cases.push(Case::new(name, || (), move |()| render()));
    }

    /// Adds a case that clears and fills the same buffer each time.
    pub fn reused<B: Default + 'g>(
        &mut self,
        name: &'static str,
        bytes: fn(&B) -> &[u8],
        render: impl Fn(&mut B) + 'g,
    ) {
        let mut buffer = B::default();
        render(&mut buffer);
        self.check(name, str::from_utf8(bytes(&buffer)).expect("text"));
        self.cases.push(Case::new(name, B::default, move |buffer| {
            render(buffer);
            black_box(buffer);
        }));
    }

    /// Measures all cases and prints them.
    pub fn run(self) {
        table::print(&self.title, measure(&self.cases));
    }

    fn check(&self, name: &str, text: &str) {
        assert!((self.is_right)(text), "{name} does not write what agentd writes");
    }
}
