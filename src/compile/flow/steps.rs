//! Reads the steps of a flow: each column becomes a value, each name a step.

use std::borrow::Cow;

use toml::de::DeValue;

use super::FlowCode;
use super::column::{COLUMNS, ROUNDS};
use super::documents;
use super::draft::StepPlaces;
use super::prompt;
use super::read::{Entry, Reader, meant};
use super::resolve::{step_name, unknown_step};
use crate::compile::diagnostic::quoted;
use crate::flow::{
    ConfiguredLimit, End, Fact, Kind, Limit, Need, Outcome, Prompt, Rounds, Step, StepId, Subject,
    Target, TaskSource, Workspace,
};
use crate::template::Span;
use crate::template::lexer::is_name;

/// Lists the names of the steps; `None` where there are none, or too many.
pub(super) fn names<'t>(reader: &mut Reader<'_>, steps: &[Entry<'t>]) -> Option<Vec<&'t str>> {
    let mut names = Vec::new();
    for entry in steps {
        if step_name(reader, *entry) {
            names.push(entry.name);
        }
    }
    if let Some(entry) = steps.get(StepId::MOST) {
        let message = format!("a flow has {} steps at most, and this is one more", StepId::MOST);
        reader.report(FlowCode::TooManySteps, entry.key, message, "make two flows of it");
        return None;
    }
    (!names.is_empty()).then_some(names)
}

/// Reads steps whose names are known.
pub(super) struct StepReader<'r, 'f> {
    pub(super) reader: &'r mut Reader<'f>,
    pub(super) names: &'r [&'r str],
}

impl<'t> StepReader<'_, '_> {
    /// Finds the step that a key names.
    pub(super) fn step_of(&mut self, entry: Entry<'t>) -> Option<StepId> {
        let text = self.reader.text(entry)?;
        let found = self.names.iter().position(|name| *name == text);
        if found.is_none() {
            unknown_step(self.reader, (text, entry.span), self.names);
        }
        found.map(StepId::new)
    }

    /// Takes a table of exactly two keys.
    pub(super) fn pair(
        &mut self,
        entry: Entry<'t>,
        keys: [&'static str; 2],
    ) -> Option<[Entry<'t>; 2]> {
        let table = self.reader.table(entry)?;
        let table = self.reader.only(table, &keys);
        let found = keys.map(|key| table.iter().find(|entry| entry.name == key).copied());
        for (key, _) in keys.iter().zip(found).filter(|(_, found)| found.is_none()) {
            let message = format!("`{}` has no `{key}`", entry.name);
            self.reader.report(FlowCode::MissingKey, entry.key, message, format!("add `{key}`"));
        }
        Some([found[0]?, found[1]?])
    }

    /// Reads a step.
    pub(super) fn step(&mut self, entry: Entry<'t>) -> (Step, StepPlaces) {
        let columns = self.reader.table(entry).unwrap_or_default();
        let columns = self.reader.only(columns, &COLUMNS.map(|column| column.name));
        let get = |name: &str| columns.iter().find(|entry| entry.name == name).copied();
        let kind = get("kind")
            .map_or(Some(Kind::Agent), |it| self.reader.word(it, Kind::WORDS, Kind::from_word));
        let mut places = StepPlaces { name: entry.key, ..StepPlaces::default() };
        places.columns = self.columns_of(kind, &columns);
        // Of a column that does not belong to the step, only that is said.
        let get = |name: &str| {
            get(name).filter(|_| places.columns.iter().any(|(known, _)| *known == name))
        };
        let kind = kind.unwrap_or(Kind::Agent);
        let reader = &mut *self.reader;
        let prompt = prompt::read(reader, entry.name, kind, get("prompt"));
        let (reads, of_reads) =
            get("reads").map(|it| documents::reads(reader, it)).unwrap_or_default();
        places.reads = of_reads;
        let leaves = get("leaves").map(|it| documents::leaves(reader, it)).unwrap_or_default();
        let slot = get("slot").and_then(|it| slot(reader, it));
        let slot = slot.unwrap_or_else(|| prompt::slot(prompt, entry.name));
        let subject = |reader: &mut Reader<'_>, name| {
            get(name).and_then(|it| reader.word(it, Subject::WORDS, Subject::from_word))
        };
        let mut step = Step {
            name: Cow::Owned(entry.name.to_owned()),
            kind,
            about: Cow::Owned(
                get("about").and_then(|it| reader.text(it)).unwrap_or_default().to_owned(),
            ),
            prompt,
            slot: Cow::Owned(slot),
            workspace: get("workspace")
                .and_then(|it| reader.word(it, Workspace::WORDS, Workspace::from_word))
                .unwrap_or(Workspace::Read),
            reads: Cow::Owned(reads),
            leaves: Cow::Owned(leaves),
            changes: subject(reader, "changes"),
            judges: subject(reader, "judges"),
            pass_needs: Cow::Owned(
                get("pass_needs")
                    .map(|it| reader.words(it, Need::WORDS, Need::from_word))
                    .unwrap_or_default(),
            ),
            skip_unless: get("skip_unless")
                .and_then(|it| reader.word(it, Fact::WORDS, Fact::from_word)),
            not_by: None,
            research: get("research").and_then(|it| reader.flag(it)).unwrap_or(false),
            rounds: None,
            reject: None,
            clean: get("clean").and_then(|it| reader.flag(it)).unwrap_or(false),
            merges: get("merges").and_then(|it| documents::folder(reader, it)).map(Cow::Owned),
            tasks: get("tasks")
                .and_then(|it| reader.word(it, TaskSource::WORDS, TaskSource::from_word)),
            on: Cow::Borrowed(&[]),
        };
        step.not_by = get("not_by").and_then(|it| self.step_of(it));
        step.rounds = get("rounds").and_then(|it| self.rounds(it, entry));
        step.reject = get("reject").and_then(|it| self.step_of(it));
        if let Some(on) = get("on") {
            step.on = Cow::Owned(self.outcomes(on, kind, &mut places.on));
        } else {
            let message = format!("step `{}` has no `on`", entry.name);
            let help = format!("say what each of {} leads to", listed(kind.outcomes()));
            self.reader.report(FlowCode::MissingKey, entry.key, message, help);
        }
        (step, places)
    }

    /// Returns the columns that steps of this kind have, and reports the others.
    fn columns_of(
        &mut self,
        kind: Option<Kind>,
        columns: &[Entry<'t>],
    ) -> Vec<(&'static str, Span)> {
        let mut of_kind = Vec::new();
        for entry in columns {
            let Some(column) = COLUMNS.iter().find(|column| column.name == entry.name) else {
                continue;
            };
            if kind.is_none_or(|kind| column.kinds.contains(&kind)) {
                of_kind.push((column.name, entry.key));
                continue;
            }
            let kinds: Vec<_> = column.kinds.iter().map(|kind| format!("`{kind}`")).collect();
            let kind = kind.unwrap_or(Kind::Agent);
            let message = format!("a step of kind `{kind}` has no `{}`", column.name);
            let help = format!("only steps of kind {} have it: remove it", kinds.join(", "));
            self.reader.report(FlowCode::MisplacedColumn, entry.key, message, help);
        }
        of_kind
    }

    /// Reads `rounds`: a limit of the step itself, or of another step.
    fn rounds(&mut self, entry: Entry<'t>, step: Entry<'t>) -> Option<Rounds> {
        let (of, limit) = match entry.value {
            DeValue::Table(_) => {
                let [of, max] = self.pair(entry, ROUNDS)?;
                (self.step_of(of), self.limit(max))
            }
            _ => (
                self.names.iter().position(|name| *name == step.name).map(StepId::new),
                self.limit(entry),
            ),
        };
        Some(Rounds { of: of?, limit: limit? })
    }

    fn limit(&mut self, entry: Entry<'t>) -> Option<Limit> {
        match entry.value {
            DeValue::Integer(_) => self.reader.count(entry).map(Limit::Fixed),
            _ => self
                .reader
                .word(entry, ConfiguredLimit::WORDS, ConfiguredLimit::from_word)
                .map(Limit::Configured),
        }
    }

    /// Reads what each outcome leads to, in the order of the file.
    fn outcomes(
        &mut self,
        entry: Entry<'t>,
        kind: Kind,
        named: &mut Vec<(Outcome, Span)>,
    ) -> Vec<(Outcome, Target)> {
        let mut on = Vec::new();
        for edge in self.reader.table(entry).unwrap_or_default() {
            let outcome = Outcome::from_word(edge.name).filter(|it| kind.outcomes().contains(it));
            let target = self.target(edge);
            if let Some(outcome) = outcome {
                named.push((outcome, edge.key));
                on.extend(target.map(|target| (outcome, target)));
            } else {
                let words: Vec<_> = kind.outcomes().iter().map(|it| it.word()).collect();
                let message =
                    format!("a step of kind `{kind}` never ends with {}", quoted(edge.name));
                self.reader.report(
                    FlowCode::UnknownOutcome,
                    edge.key,
                    message,
                    meant(edge.name, &words),
                );
            }
        }
        on
    }

    fn target(&mut self, edge: Entry<'t>) -> Option<Target> {
        let text = self.reader.text(edge)?;
        if let Some((_, end)) = End::WORDS.into_iter().find(|(word, _)| *word == text) {
            return Some(Target::End(end));
        }
        let found = self.names.iter().position(|name| *name == text);
        if found.is_none() {
            let ends = End::WORDS.iter().map(|(word, _)| *word);
            let known: Vec<_> = self.names.iter().copied().chain(ends).collect();
            unknown_step(self.reader, (text, edge.span), &known);
        }
        found.map(StepId::new).map(Target::Step)
    }
}

fn slot(reader: &mut Reader<'_>, entry: Entry<'_>) -> Option<String> {
    let text = reader.text(entry)?;
    if is_name(text) {
        return Some(text.to_owned());
    }
    let message = format!("{} is no name in the configuration", quoted(text));
    let help = "name a phase, a role or the step: small letters, digits, `-` and `_`";
    reader.report(FlowCode::WrongValue, entry.span, message, help);
    None
}

/// Lists outcomes in a sentence.
pub(super) fn listed(outcomes: &[Outcome]) -> String {
    outcomes.iter().map(|outcome| format!("`{outcome}`")).collect::<Vec<_>>().join(", ")
}

/// Returns whether a prompt is a template beside the flow's file.
pub(super) const fn is_own(prompt: Option<Prompt>) -> bool {
    matches!(prompt, Some(Prompt::Own))
}
