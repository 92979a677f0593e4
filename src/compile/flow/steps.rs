//! Reads the steps of a flow: each column becomes a value, each name a step.

use super::FlowCode;
use super::column::{Column, ColumnId, ROUNDS_KEYS};
use super::draft::StepPlaces;
use super::prompt;
use super::resolve::{step_name, unknown_step};
use crate::compile::diagnostic::quoted;
use crate::compile::fields::{FieldReader, get, meant};
use crate::flow::{
    ConfiguredLimit, End, Kind, Limit, Outcome, Prompt, Rounds, Step, StepId, Subject, Target,
};
use crate::template::Span;
use crate::template::lexer::is_name;
use crate::text::field::{Field, optional};
use crate::text::node::{Entry, Node, Value};

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

/// A step while it is read.
pub(super) struct StepDraft {
    pub(super) step: Step,
    pub(super) places: StepPlaces,
    /// Its kind, unless that could not be read.
    pub(super) kind: Option<Kind>,
}

/// Reads steps whose names are known.
pub(super) struct StepReader<'r, 'f> {
    pub(super) fields: &'r mut FieldReader<'f, FlowCode>,
    pub(super) names: &'r [&'r str],
}

impl StepReader<'_, '_> {
    /// Reads a step, column by column.
    pub(super) fn step(&mut self, entry: &Entry) -> (Step, StepPlaces) {
        let columns = self.fields.map(&entry.node, &entry.key).unwrap_or_default();
        let known = ColumnId::ALL.iter().map(|id| optional(id.row().name, id.row().about));
        self.fields.keys(columns, &known.collect::<Vec<_>>(), &entry.key, entry.span);
        let mut draft = StepDraft {
            step: Step::new(entry.key.clone()),
            places: StepPlaces { name: entry.span, ..StepPlaces::default() },
            kind: Some(Kind::Agent),
        };
        for id in ColumnId::ALL {
            let column = id.row();
            let Some(found) = columns.iter().find(|it| it.key == column.name) else { continue };
            if draft.kind.is_none_or(|kind| column.kinds.contains(&kind)) {
                draft.places.columns.push((*id, found.span));
                (column.read)(self, &found.node, column.name, &mut draft);
                draft.step.kind = draft.kind.unwrap_or(Kind::Agent);
            } else {
                self.misplaced(column, found.span, draft.step.kind);
            }
        }
        let StepDraft { mut step, places, .. } = draft;
        let has = |id: ColumnId| columns.iter().any(|it| it.key == id.row().name);
        if step.kind == Kind::Agent && !has(ColumnId::Prompt) {
            step.prompt = Some(prompt::usual(&entry.key));
        }
        if step.slot.is_empty() {
            step.slot = prompt::slot(step.prompt, &entry.key).into();
        }
        if !has(ColumnId::On) {
            let on = ColumnId::On.row().name;
            let message = format!("step `{}` has no `{on}`", entry.key);
            let help = format!("say what each of {} leads to", listed(step.kind.outcomes()));
            self.fields.report(FlowCode::MissingKey, entry.span, message, help);
        }
        (step, places)
    }

    /// Reports a column that steps of other kinds have.
    fn misplaced(&mut self, column: &Column, span: Span, kind: Kind) {
        let kinds: Vec<_> = column.kinds.iter().map(|kind| format!("`{kind}`")).collect();
        let message = format!("a step of kind `{kind}` has no `{}`", column.name);
        let help = format!("only steps of kind {} have it: remove it", kinds.join(", "));
        self.fields.report(FlowCode::MisplacedColumn, span, message, help);
    }

    pub(super) fn text(&mut self, node: &Node, what: &str) -> String {
        self.fields.text(node, what).unwrap_or_default().to_owned()
    }

    pub(super) fn flag(&mut self, node: &Node, what: &str) -> bool {
        self.fields.flag(node, what).unwrap_or_default()
    }

    pub(super) fn subject(&mut self, node: &Node, what: &str) -> Option<Subject> {
        self.fields.word(node, what, Subject::WORDS, Subject::from_word)
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

    /// Reads a limit on rounds: those of the step itself, or of another step.
    pub(super) fn rounds(&mut self, node: &Node, what: &str, step: &str) -> Option<Rounds> {
        let (of, limit) = if matches!(node.value, Value::Map(_)) {
            let [of, max] = self.pair(node, what, &ROUNDS_KEYS)?;
            let [of_name, max_name] = ROUNDS_KEYS.map(|key| key.name);
            (self.step_of(of, of_name), self.limit(max, max_name))
        } else {
            let own = self.names.iter().position(|name| *name == step);
            (own.map(StepId::new), self.limit(node, what))
        };
        Some(Rounds { of: of?, limit: limit? })
    }

    fn limit(&mut self, node: &Node, what: &str) -> Option<Limit> {
        let Value::Number(number) = &node.value else {
            let (words, find) = (ConfiguredLimit::WORDS, ConfiguredLimit::from_word);
            return self.fields.word(node, what, words, find).map(Limit::Configured);
        };
        let number = number.parse().ok().filter(|number| *number > 0);
        if number.is_none() {
            let message = format!("`{what}` is no number of rounds");
            let help = "write a number from 1 on";
            self.fields.report(FlowCode::WrongValue, node.span, message, help);
        }
        number.map(Limit::Fixed)
    }

    /// Reads what each outcome leads to, in the order of the file.
    pub(super) fn outcomes(&mut self, node: &Node, what: &str, to: &mut StepDraft) {
        let kind = to.step.kind;
        let mut on = Vec::new();
        let edges = self.fields.map(node, what).unwrap_or_default();
        for edge in edges {
            let outcome = Outcome::from_word(&edge.key).filter(|it| kind.outcomes().contains(it));
            let target = self.target(edge);
            if let Some(outcome) = outcome {
                to.places.on.push((outcome, edge.span));
                on.extend(target.map(|target| (outcome, target)));
            } else {
                let words: Vec<_> = kind.outcomes().iter().map(|it| it.word()).collect();
                let message =
                    format!("a step of kind `{kind}` never ends with {}", quoted(&edge.key));
                let help = meant(&edge.key, &words);
                self.fields.report(FlowCode::UnknownOutcome, edge.span, message, help);
            }
        }
        to.step.on = on.into();
    }

    fn target(&mut self, edge: &Entry) -> Option<Target> {
        let text = self.fields.text(&edge.node, &edge.key)?;
        if let Some((_, end)) = End::WORDS.into_iter().find(|(word, _)| *word == text) {
            return Some(Target::End(end));
        }
        let found = self.names.iter().position(|name| *name == text);
        if found.is_none() {
            let ends = End::WORDS.iter().map(|(word, _)| *word);
            let known: Vec<_> = self.names.iter().copied().chain(ends).collect();
            unknown_step(self.fields, (text, edge.node.span), &known);
        }
        found.map(StepId::new).map(Target::Step)
    }

    /// Reads the name under which the configuration says who does a step; nothing where it is none.
    pub(super) fn slot(&mut self, node: &Node, what: &str) -> String {
        let text = self.text(node, what);
        if text.is_empty() || is_name(&text) {
            return text;
        }
        let message = format!("{} is no name in the configuration", quoted(&text));
        let help = "name a phase, a role or the step: small letters, digits, `-` and `_`";
        self.fields.report(FlowCode::WrongValue, node.span, message, help);
        String::new()
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
