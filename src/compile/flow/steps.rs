//! Reads the steps of a flow: each column becomes a value, each name a step.

use super::FlowCode;
use super::column::ColumnReader;
use super::draft::StepPlaces;
use super::prompt;
use super::resolve::{step_name, unknown_step};
use crate::compile::fields::{FieldReader, get};
use crate::flow::{Column, ColumnId, Kind, Outcome, Prompt, Step, StepId};
use crate::template::Word;
use crate::text::field::{Field, optional};
use crate::text::node::{Entry, Node};

/// Lists the names of the steps; `None` where there are none, or too many.
pub(super) fn names<'t>(
    reader: &mut FieldReader<'_, FlowCode>,
    steps: &'t [Entry],
) -> Option<Vec<&'t str>> {
    let mut names = Vec::new();
    for entry in steps {
        if step_name(reader, entry) {
            names.push(entry.key.as_str());
        }
    }
    if let Some(entry) = steps.get(StepId::MOST) {
        let message = format!("a flow has {} steps at most, and this is one more", StepId::MOST);
        reader.report(FlowCode::TooManySteps, entry.span, message, "make two flows of it");
        return None;
    }
    (!names.is_empty()).then_some(names)
}

/// Reads steps whose names are known.
pub(super) struct StepReader<'r, 'f> {
    pub(super) fields: &'r mut FieldReader<'f, FlowCode>,
    pub(super) names: &'r [&'r str],
}

impl StepReader<'_, '_> {
    /// Reads a step.
    pub(super) fn step(&mut self, entry: &Entry) -> (Step, StepPlaces) {
        let mut step = Step::new(entry.key.clone());
        let places = self.columns(entry, Step::COLUMNS, |reader| step.visit_mut(reader));
        if step.kind == Kind::Agent && !places.has(ColumnId::Prompt) {
            step.prompt = Some(prompt::usual(&entry.key));
        }
        if step.slot.is_empty() {
            step.slot = prompt::slot(step.prompt, &entry.key).into();
        }
        if !places.has(ColumnId::On) {
            let on = ColumnId::On.row().name;
            let message = format!("step `{}` has no `{on}`", entry.key);
            let help = format!("say what each of {} leads to", listed(step.kind.outcomes()));
            self.fields.report(FlowCode::MissingKey, entry.span, message, help);
        }
        (step, places)
    }

    /// Reads what stands under these columns: `visit` has a reader look at each.
    fn columns(
        &mut self,
        entry: &Entry,
        columns: &[Column],
        visit: impl FnOnce(&mut ColumnReader<'_, '_, '_>),
    ) -> StepPlaces {
        let entries = self.fields.map(&entry.node, &entry.key).unwrap_or_default();
        let known = columns.iter().map(|column| optional(column.name, column.about));
        self.fields.keys(entries, &known.collect::<Vec<_>>(), &entry.key, entry.span);
        let places = StepPlaces { name: entry.span, ..StepPlaces::default() };
        let (name, kind) = (entry.key.as_str(), Some(Kind::default()));
        let mut reader = ColumnReader { steps: self, entries, name, kind, places };
        visit(&mut reader);
        reader.places
    }

    /// Takes one word of a closed set.
    pub(super) fn word<W: Word>(&mut self, node: &Node, what: &str) -> Option<W> {
        self.fields.word(node, what, W::WORDS, W::from_word)
    }

    /// Finds the step that a key names.
    pub(super) fn step_of(&mut self, node: &Node, what: &str) -> Option<StepId> {
        let text = self.fields.text(node, what)?;
        let found = self.names.iter().position(|name| *name == text);
        if found.is_none() {
            unknown_step(self.fields, (text, node.span), self.names);
        }
        found.map(StepId::new)
    }

    /// Takes a table of exactly two keys.
    pub(super) fn pair<'n>(
        &mut self,
        node: &'n Node,
        what: &str,
        keys: &[Field; 2],
    ) -> Option<[&'n Node; 2]> {
        let entries = self.fields.fields(node, what, keys)?;
        let [first, second] = [0, 1].map(|at: usize| get(entries, keys[at].name));
        Some([first?, second?])
    }
}

/// Lists outcomes in a sentence.
pub(super) fn listed(outcomes: &[Outcome]) -> String {
    outcomes.iter().map(|outcome| format!("`{outcome}`")).collect::<Vec<_>>().join(", ")
}

/// Returns whether a prompt is a template beside the flow's file.
pub(super) const fn is_own(prompt: Option<Prompt>) -> bool {
    matches!(prompt, Some(Prompt::Own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::diagnostic::Diagnostic;
    use crate::compile::flow::TERMS;
    use crate::compile::source::{Folder, Sources};
    use crate::flow::Need;
    use crate::flow::column::probe::Probe;
    use crate::text::toml;

    /// Reads a step that has one column more than other steps.
    fn read(columns: &str) -> (Probe, Vec<Diagnostic<FlowCode>>) {
        let (text, mut found) = (format!("[one]\n{columns}"), Vec::new());
        let (mut sources, path) = (Sources::new(""), "probe.toml".to_owned());
        let file = sources.add_as(Folder::Flows, "probe.toml", path, text.as_bytes().to_vec());
        let entries = toml::parse(&text).unwrap();
        let mut fields = FieldReader { offset: 0, file, found: &mut found, terms: TERMS };
        let mut reader = StepReader { fields: &mut fields, names: &["one"] };
        let mut probe = Probe::new("one".to_owned());
        let places = reader.columns(&entries[0], Probe::COLUMNS, |reader| probe.visit_mut(reader));
        assert!(!found.is_empty() || places.columns.iter().any(|(name, _)| *name == "fail_needs"));
        (probe, found)
    }

    #[test]
    fn a_column_that_is_added_to_the_table_is_read_in_its_place_and_refused_elsewhere() {
        let (probe, found) = read("fail_needs = [\"green\"]");
        assert_eq!((probe.fail_needs.as_ref(), found.as_slice()), (&[Need::Green][..], &[][..]));
        let codes = |columns: &str| {
            read(columns).1.iter().map(|fault| (fault.code, fault.help.clone())).collect::<Vec<_>>()
        };
        let is = |code, help: &str| vec![(code, Some(help.to_owned()))];
        assert_eq!(
            codes("fail_needs = [\"gren\"]"),
            is(FlowCode::WrongValue, "did you mean `green`?")
        );
        assert_eq!(
            codes("kind = \"checks\"\nfail_needs = []"),
            is(FlowCode::MisplacedColumn, "only steps of kind `agent` have it: remove it")
        );
        assert_eq!(codes("fail_need = []"), is(FlowCode::UnknownKey, "did you mean `fail_needs`?"));
    }
}
