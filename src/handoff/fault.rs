//! What is wrong with a submission: every fault with the field it is in, so that all of them can be mended at once.

use std::fmt;

/// How many faults are told; more of them help nobody.
const TOLD: usize = 100;

/// A place in a file that people or agents write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file that it is in, below the change's folder, where that is another than what was handed in.
    pub file: Option<String>,
    /// The field, such as `components[2].name`; empty where it is about the whole.
    pub field: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// Where it stands, where it was read from a file.
    pub place: Option<Place>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.place) {
            (Some(file), Some(place)) => write!(f, "{file}:{place}: ")?,
            (Some(file), None) => write!(f, "{file}: ")?,
            (None, Some(place)) => write!(f, "{place}: ")?,
            (None, None) => {}
        }
        if !self.field.is_empty() {
            write!(f, "`{}`: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

/// All that is wrong, in the order in which it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Adds a fault of a field.
    pub(crate) fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        let (field, message) = (field.into(), message.into());
        self.0.push(Fault { file: None, field, message, place: None });
    }

    /// Adds a fault of a place that belongs to no field.
    pub(crate) fn add_at(&mut self, place: Option<Place>, message: impl Into<String>) {
        self.0.push(Fault { file: None, field: String::new(), message: message.into(), place });
    }

    /// Adds faults of other files.
    pub(crate) fn extend(&mut self, others: Vec<Fault>) {
        self.0.extend(others);
    }

    /// Returns where each fault stands that is told.
    pub(crate) fn locate(&mut self, place: impl Fn(&str) -> Option<Place>) {
        let is_here = |fault: &&mut Fault| fault.file.is_none() && fault.place.is_none();
        for fault in self.0.iter_mut().take(TOLD).filter(is_here) {
            fault.place = place(&fault.field);
        }
    }

    /// Returns whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns each fault.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.0.iter()
    }
}

impl<'f> IntoIterator for &'f Faults {
    type Item = &'f Fault;
    type IntoIter = std::slice::Iter<'f, Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One fault on each line, as a list.
impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.iter().take(TOLD).enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}- {fault}")?;
        }
        match self.0.len().checked_sub(TOLD) {
            Some(more @ 1..) => write!(f, "\n- and {more} more"),
            Some(0) | None => Ok(()),
        }
    }
}
