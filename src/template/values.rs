//! The values of compiled templates: the five of a system prompt, and how many an identity may have.

use super::slot::Slot;
use super::value::Value;
use super::vocab::Variable;

/// The most variables that one identity may have, so that rendering needs no list of its own.
pub const MOST_VARIABLES: usize = 16;

/// The values for a system template; what is not set shows as a note to the agent.
#[derive(Clone, Copy, Debug)]
pub struct Values<'v> {
    // What stands in the prompt is kept ready, so that rendering only copies.
    slots: [Slot<'v>; Variable::ALL.len()],
    given: [bool; Variable::ALL.len()],
}

impl<'v> Values<'v> {
    /// Starts with nothing set.
    pub const fn new() -> Self {
        Self { slots: NOTES, given: [false; Variable::ALL.len()] }
    }

    /// Sets a value. Text is taken for foreign, and guarded; only an [`OwnText`](super::OwnText) keeps its tags.
    #[must_use]
    pub fn with(mut self, variable: Variable, value: impl Into<Value<'v>>) -> Self {
        self.slots[variable as usize] = value.into().slot();
        self.given[variable as usize] = true;
        self
    }

    /// Returns a value that was set.
    pub const fn get(&self, variable: Variable) -> Option<&'v str> {
        if self.given[variable as usize] {
            Some(self.slots[variable as usize].text())
        } else {
            None
        }
    }

    /// Returns what stands in the prompt for each variable: its value, or the note that it was not provided.
    pub const fn resolved(&self) -> &[Slot<'v>; Variable::ALL.len()] {
        &self.slots
    }
}

impl Default for Values<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// The notes for missing values, as [`super::render::note`] would write them, without an allocation.
const NOTES: [Slot<'static>; Variable::ALL.len()] = [
    Slot::own("Context not provided: PROJECT_CONTEXT"),
    Slot::own("Context not provided: PROJECT_STRUCTURE"),
    Slot::own("Context not provided: ARTIFACTS"),
    Slot::own("Context not provided: SKELETON"),
    Slot::own("Context not provided: TASKS"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_value_resolves_to_the_note_that_the_walker_writes() {
        let values = Values::new().with(Variable::Tasks, "x");
        for variable in Variable::ALL.iter().filter(|variable| **variable != Variable::Tasks) {
            assert_eq!(values.get(*variable), None);
            let note = super::super::render::note(variable.word());
            assert_eq!(values.resolved()[*variable as usize].text(), note);
        }
        assert_eq!(values.get(Variable::Tasks), Some("x"));
        assert_eq!(values.resolved()[Variable::Tasks as usize].text(), "x");
    }
}
