//! The five values of a system prompt.

use super::vocab::Variable;

/// The values for a system template; what is not set shows as a note to the agent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values<'v> {
    slots: [Option<&'v str>; Variable::ALL.len()],
}

impl<'v> Values<'v> {
    /// Starts with nothing set.
    pub const fn new() -> Self {
        Self { slots: [None; Variable::ALL.len()] }
    }

    /// Sets a value.
    #[must_use]
    pub const fn with(mut self, variable: Variable, value: &'v str) -> Self {
        self.slots[variable as usize] = Some(value);
        self
    }

    /// Gives a value that was set.
    pub const fn get(&self, variable: Variable) -> Option<&'v str> {
        self.slots[variable as usize]
    }

    /// Gives what stands in the prompt for each variable: its value, or the note that it was not provided.
    pub fn resolved(&self) -> [&'v str; Variable::ALL.len()] {
        std::array::from_fn(|slot| self.slots[slot].unwrap_or(NOTES[slot]))
    }
}

/// The notes for missing values, as [`super::render::note`] would write them, without an allocation.
const NOTES: [&str; Variable::ALL.len()] = [
    "Context not provided: PROJECT_CONTEXT",
    "Context not provided: PROJECT_STRUCTURE",
    "Context not provided: ARTIFACTS",
    "Context not provided: SKELETON",
    "Context not provided: TASKS",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_value_resolves_to_the_note_that_the_walker_writes() {
        let resolved = Values::new().resolved();
        for variable in Variable::ALL {
            assert_eq!(resolved[*variable as usize], super::super::render::note(variable.word()));
        }
        assert_eq!(
            Values::new().with(Variable::Tasks, "x").resolved()[Variable::Tasks as usize],
            "x"
        );
    }
}
