//! The values of one prompt, each in the place of its name.

use crate::template::{Placeholder, Scope, Text, Value};

/// What is known when a prompt is made.
#[derive(Debug, Default)]
pub(super) struct TeamValues {
    slots: [Option<Text>; Placeholder::ALL.len()],
}

impl TeamValues {
    /// Sets a value.
    pub(super) fn with(mut self, placeholder: Placeholder, value: impl Into<Text>) -> Self {
        self.slots[placeholder as usize] = Some(value.into());
        self
    }

    /// Returns the size of all values together.
    pub(super) fn size(&self) -> usize {
        self.slots.iter().flatten().map(|text| text.as_str().len()).sum()
    }
}

impl Scope for TeamValues {
    fn value(&self, name: &str) -> Option<Value<'_>> {
        self.slots[Placeholder::from_word(name)? as usize].as_ref().map(Value::from)
    }
}
