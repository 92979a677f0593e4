//! A flow while it is compiled: what could be read of it, and where each part stands.

use crate::compile::diagnostic::Place;
use crate::compile::source::FileId;
use crate::flow::{ColumnId, Flow, Outcome, StepId};
use crate::template::Span;

/// A flow and its places. What could not be read is left out; the faults say so.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) flow: Flow,
    pub(super) file: FileId,
    /// Where the guarantees stand.
    pub(super) guarantees: Span,
    /// In the order of the flow's steps.
    pub(super) places: Vec<StepPlaces>,
}

/// Where the parts of a step stand.
#[derive(Debug, Default)]
pub(super) struct StepPlaces {
    /// Its name.
    pub(super) name: Span,
    /// Its columns: for each its name, and where the name and the value stand.
    pub(super) columns: Vec<(&'static str, [Span; 2])>,
    /// The outcomes that it names, those that lead nowhere included.
    pub(super) on: Vec<(Outcome, Span)>,
    /// The documents that its agent is shown, in order.
    pub(super) reads: Vec<Span>,
    /// The files that it leaves, in order.
    pub(super) leaves: Vec<Span>,
}

impl StepPlaces {
    /// Returns where a column stands, or the step's name where it has none.
    pub(super) fn column(&self, column: ColumnId) -> Span {
        self.found(column).map_or(self.name, |[key, _]| key)
    }

    /// Returns where the value of a column stands, or the step's name where it has none.
    pub(super) fn value(&self, column: ColumnId) -> Span {
        self.found(column).map_or(self.name, |[_, value]| value)
    }

    /// Returns whether the step has a column.
    pub(super) fn has(&self, column: ColumnId) -> bool {
        self.found(column).is_some()
    }

    fn found(&self, column: ColumnId) -> Option<[Span; 2]> {
        let found = self.columns.iter().find(|(name, _)| *name == column.row().name);
        found.map(|(_, spans)| *spans)
    }

    /// Returns where an outcome is named, or the column of outcomes.
    pub(super) fn outcome(&self, outcome: Outcome) -> Span {
        let named = self.on.iter().find(|(known, _)| *known == outcome);
        named.map_or_else(|| self.column(ColumnId::On), |(_, span)| *span)
    }
}

impl Draft {
    pub(super) fn at(&self, span: Span) -> Place {
        Place { file: self.file, span }
    }

    pub(super) fn places(&self, step: StepId) -> &StepPlaces {
        &self.places[step.index()]
    }
}
