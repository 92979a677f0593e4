//! Reads the columns of a step: each type of value knows how it is read.

use super::FlowCode;
use super::documents;
use super::draft::StepPlaces;
use super::key::ROUNDS_KEYS;
use super::prompt;
use super::resolve::unknown_step;
use super::steps::StepReader;
use crate::compile::diagnostic::quoted;
use crate::compile::fields::meant;
use crate::flow::{
    Column, ConfiguredLimit, End, Kind, Leaves, Limit, List, Outcome, Prompt, Reads, Rounds,
    StepId, Target, Text, VisitorMut, Workspace,
};
use crate::template::{Span, Word};
use crate::text::node::{Entry, Node, Value};

/// Reads the columns of one step.
pub(super) struct ColumnReader<'c, 'r, 'f> {
    pub(super) steps: &'c mut StepReader<'r, 'f>,
    /// What stands in the file.
    pub(super) entries: &'c [Entry],
    /// The name of the step.
    pub(super) name: &'c str,
    /// Its kind, unless that could not be read.
    pub(super) kind: Option<Kind>,
    pub(super) places: StepPlaces,
}

impl<T: Read> VisitorMut<T> for ColumnReader<'_, '_, '_> {
    fn column(&mut self, column: &'static Column, value: &mut T) {
        let entries = self.entries;
        let Some(found) = entries.iter().find(|entry| entry.key == column.name) else { return };
        if let Some(kind) = self.kind
            && !column.kinds.contains(&kind)
        {
            return self.misplaced(column, found.span, kind);
        }
        self.places.columns.push((column.name, [found.span, found.node.span]));
        if let Some(read) = T::read(self, &found.node, column.name) {
            *value = read;
        }
    }
}

impl ColumnReader<'_, '_, '_> {
    /// Reports a column that steps of other kinds have.
    fn misplaced(&mut self, column: &Column, span: Span, kind: Kind) {
        let kinds: Vec<_> = column.kinds.iter().map(|kind| format!("`{kind}`")).collect();
        let message = format!("a step of kind `{kind}` has no `{}`", column.name);
        let help = format!("only steps of kind {} have it: remove it", kinds.join(", "));
        self.steps.fields.report(FlowCode::MisplacedColumn, span, message, help);
    }

    fn word<W: Word>(&mut self, node: &Node, what: &str) -> Option<W> {
        self.steps.word(node, what)
    }

    fn limit(&mut self, node: &Node, what: &str) -> Option<Limit> {
        let Value::Number(number) = &node.value else {
            return self.word::<ConfiguredLimit>(node, what).map(Limit::Configured);
        };
        let number = number.parse().ok().filter(|number| *number > 0);
        if number.is_none() {
            let message = format!("`{what}` is no number of rounds");
            let help = "write a number from 1 on";
            self.steps.fields.report(FlowCode::WrongValue, node.span, message, help);
        }
        number.map(Limit::Fixed)
    }

    fn target(&mut self, edge: &Entry) -> Option<Target> {
        let text = self.steps.fields.text(&edge.node, &edge.key)?;
        if let Some((_, end)) = End::WORDS.into_iter().find(|(word, _)| *word == text) {
            return Some(Target::End(end));
        }
        let names = self.steps.names;
        let found = names.iter().position(|name| *name == text);
        if found.is_none() {
            let ends = End::WORDS.iter().map(|(word, _)| *word);
            let known: Vec<_> = names.iter().copied().chain(ends).collect();
            unknown_step(self.steps.fields, (text, edge.node.span), &known);
        }
        found.map(StepId::new).map(Target::Step)
    }
}

/// A type of values that stand under columns.
pub(super) trait Read: Sized {
    /// Reads a value; what is wrong with it is reported.
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self>;
}

impl Read for Kind {
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        reader.kind = reader.word(node, what);
        reader.kind
    }
}

impl Read for Workspace {
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        reader.word(node, what)
    }
}

impl<W: Word> Read for Option<W> {
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        reader.word(node, what).map(Some)
    }
}

impl<W: Word> Read for List<W> {
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        Some(reader.steps.fields.words(node, what, W::WORDS, W::from_word).into())
    }
}

impl Read for bool {
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        reader.steps.fields.flag(node, what)
    }
}

impl Read for Text {
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        Some(reader.steps.fields.text(node, what)?.to_owned().into())
    }
}

impl Read for Option<Prompt> {
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        Some(prompt::read(reader.steps.fields, node, what))
    }
}

impl Read for Option<StepId> {
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        Some(reader.steps.step_of(node, what))
    }
}

impl Read for Option<Rounds> {
    /// Reads a limit on the rounds of the step itself, or of another step.
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        let (of, limit) = if matches!(node.value, Value::Map(_)) {
            let [of, max] = reader.steps.pair(node, what, &ROUNDS_KEYS)?;
            let [of_name, max_name] = ROUNDS_KEYS.map(|key| key.name);
            (reader.steps.step_of(of, of_name), reader.limit(max, max_name))
        } else {
            let own = reader.steps.names.iter().position(|name| *name == reader.name);
            (own.map(StepId::new), reader.limit(node, what))
        };
        Some(Some(Rounds { of: of?, limit: limit? }))
    }
}

impl Read for List<Reads> {
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        let (reads, places) = documents::reads(reader.steps.fields, node, what);
        reader.places.reads = places;
        Some(reads.into())
    }
}

impl Read for List<Leaves> {
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        let (leaves, places) = documents::leaves(reader.steps.fields, node, what);
        reader.places.leaves = places;
        Some(leaves.into())
    }
}

impl Read for List<(Outcome, Target)> {
    /// Reads what each outcome leads to, in the order of the file.
    fn read(reader: &mut ColumnReader<'_, '_, '_>, node: &Node, what: &str) -> Option<Self> {
        let kind = reader.kind.unwrap_or_default();
        let mut on = Vec::new();
        for edge in reader.steps.fields.map(node, what)? {
            let outcome = Outcome::from_word(&edge.key).filter(|it| kind.outcomes().contains(it));
            let target = reader.target(edge);
            if let Some(outcome) = outcome {
                reader.places.on.push((outcome, edge.span));
                on.extend(target.map(|target| (outcome, target)));
            } else {
                let words: Vec<_> = kind.outcomes().iter().map(|it| it.word()).collect();
                let message =
                    format!("a step of kind `{kind}` never ends with {}", quoted(&edge.key));
                let help = meant(&edge.key, &words);
                let fields = &mut *reader.steps.fields;
                fields.report(FlowCode::UnknownOutcome, edge.span, message, help);
            }
        }
        Some(on.into())
    }
}
