//! Reads an execution plan: every field is looked at, and everything that is wrong with one is found in one go.

use super::code::ScheduleCode;
use crate::compile::fields::{FieldCodes, FieldReader};
use crate::compile::yaml::{self, Entry, Node, Value};
use crate::compile::{Diagnostic, FileId};
use crate::models::plan::{
    ExecutionPlan, Mode, OwnedPattern, Placed, PlanGroup, PlanIndex, PlanReference, ReviewSeverity,
    ReviewStrategy, VERSION,
};
use crate::template::Span;
use crate::template::nearest::nearest;

/// The longest name of a plan or group, in characters.
const LONGEST_NAME: usize = 200;

const CODES: FieldCodes<ScheduleCode> = FieldCodes {
    unknown: ScheduleCode::PlanKey,
    missing: ScheduleCode::PlanField,
    wrong: ScheduleCode::PlanValue,
};

/// Reads the text of an execution plan; where a field of it is wrong, there is none.
pub(super) fn read(
    text: &str,
    file: FileId,
    found: &mut Vec<Diagnostic<ScheduleCode>>,
) -> Option<ExecutionPlan> {
    let before = found.len();
    let fields = FieldReader { offset: 0, file, found, codes: CODES };
    let mut reader = Reader { text, fields };
    let plan = match yaml::parse(text) {
        Ok(node) => reader.plan(node),
        Err(error) => {
            let help = error.help.unwrap_or("mend the YAML here").to_owned();
            reader.fields.report(ScheduleCode::PlanSyntax, error.span, error.message, Some(help));
            None
        }
    };
    plan.filter(|_| found.len() == before)
}

struct Reader<'r> {
    text: &'r str,
    fields: FieldReader<'r, ScheduleCode>,
}

impl Reader<'_> {
    fn plan(&mut self, node: Node) -> Option<ExecutionPlan> {
        const KEYS: [&str; 6] =
            ["version", "groups", "needs_design", "needs_docs", "doc_files", "review_strategy"];
        let entries = self.map(node, "the execution plan", &KEYS, &KEYS[..2])?;
        let mut plan = ExecutionPlan {
            groups: Vec::new(),
            needs_design: false,
            needs_docs: Placed::default(),
            doc_files: Vec::new(),
            review_strategy: ReviewStrategy::default(),
        };
        for Entry { key, node, .. } in entries {
            match key.as_str() {
                "version" => self.version(&node),
                "groups" => plan.groups = self.some(node, "groups", Self::group),
                "needs_design" => plan.needs_design = self.flag(&node, "needs_design").value,
                "needs_docs" => plan.needs_docs = self.flag(&node, "needs_docs"),
                "doc_files" => {
                    let files = self.fields.list(node, "doc_files");
                    plan.doc_files = files.into_iter().filter_map(|file| self.path(file)).collect();
                }
                "review_strategy" => plan.review_strategy = self.review_strategy(node),
                _ => {}
            }
        }
        Some(plan)
    }

    fn version(&mut self, node: &Node) {
        let said = node.span.of(self.text);
        if !matches!(node.value, Value::Number(_)) || said != VERSION.to_string() {
            let message = format!("`version` is not {VERSION}");
            self.wrong(node.span, message, format!("write `version: {VERSION}`"));
        }
    }

    fn group(&mut self, node: Node) -> Option<PlanGroup> {
        const KEYS: [&str; 3] = ["group_id", "mode", "plans"];
        let entries = self.map(node, "this group", &KEYS, &KEYS)?;
        let mut group =
            PlanGroup { group_id: Placed::default(), mode: Mode::Serial, plans: Vec::new() };
        for Entry { key, node, .. } in entries {
            match key.as_str() {
                "group_id" => {
                    group.group_id = Placed::at(node.span, self.name(&node, "group_id"));
                }
                "mode" => {
                    let mode = self.word(node, "mode", Mode::WORDS, Mode::from_word);
                    group.mode = mode.unwrap_or(Mode::Serial);
                }
                "plans" => group.plans = self.some(node, "plans", Self::reference),
                _ => {}
            }
        }
        Some(group)
    }

    fn reference(&mut self, node: Node) -> Option<PlanReference> {
        const KEYS: [&str; 2] = ["file", "name"];
        let entries = self.map(node, "this plan", &KEYS, &KEYS)?;
        let (mut index, mut name) = (None, String::new());
        for Entry { key, node, .. } in entries {
            match key.as_str() {
                "file" => index = self.plan_file(node),
                "name" => name = self.name(&node, "name"),
                _ => {}
            }
        }
        Some(PlanReference { index: index?, name })
    }

    fn plan_file(&mut self, node: Node) -> Option<Placed<PlanIndex>> {
        let span = node.span;
        let file = self.fields.text(node, "file");
        let index = PlanIndex::of_plan_file(&file);
        if index.is_none() && !file.is_empty() {
            let message = format!("`{}` is no file of a plan", file.escape_debug());
            let help =
                "plans are called `plan_1.md`, `plan_2.md` and so on, and lie beside this file";
            let code = ScheduleCode::PlanFileName;
            self.fields.report(code, span, message, Some(help.to_owned()));
        }
        index.map(|index| Placed::at(span, index))
    }

    fn review_strategy(&mut self, node: Node) -> ReviewStrategy {
        const KEYS: [&str; 2] = ["severity", "focus"];
        let mut strategy = ReviewStrategy::default();
        let entries = self.map(node, "the review strategy", &KEYS, &[]).unwrap_or_default();
        for Entry { key, node, .. } in entries {
            match key.as_str() {
                "severity" => {
                    let words = ReviewSeverity::WORDS;
                    let severity = self.word(node, "severity", words, ReviewSeverity::from_word);
                    strategy.severity = severity.unwrap_or(ReviewSeverity::Medium);
                }
                "focus" => {
                    let items = self.fields.list(node, "focus");
                    strategy.focus = items.iter().map(|item| self.name(item, "focus")).collect();
                }
                _ => {}
            }
        }
        strategy
    }

    fn path(&mut self, node: Node) -> Option<Placed<OwnedPattern>> {
        let span = node.span;
        let text = self.fields.text(node, "doc_files");
        match text.parse::<OwnedPattern>() {
            Ok(pattern) => Some(Placed::at(span, pattern)),
            Err(_) if text.is_empty() => None,
            Err(fault) => {
                let message = format!("`{}` {fault}", text.escape_debug());
                let help = Some(fault.help().to_owned());
                self.fields.report(ScheduleCode::Path, span, message, help);
                None
            }
        }
    }

    /// Takes a list that is not empty.
    fn some<T>(
        &mut self,
        node: Node,
        what: &str,
        mut item: impl FnMut(&mut Self, Node) -> Option<T>,
    ) -> Vec<T> {
        let (span, is_list) = (node.span, matches!(node.value, Value::List(_)));
        let items = self.fields.list(node, what);
        if items.is_empty() && is_list {
            let help = format!("write at least one item below `{what}:`");
            self.wrong(span, format!("`{what}` is empty"), help);
        }
        items.into_iter().filter_map(|node| item(self, node)).collect()
    }

    /// Takes a map, and says which of its keys are strange and which are missing.
    fn map(
        &mut self,
        node: Node,
        what: &str,
        known: &[&str],
        required: &[&str],
    ) -> Option<Vec<Entry>> {
        let span = node.span;
        let entries = self.fields.map(node, what)?;
        // A map has no end of its own that could be shown; its first key stands for it.
        let whole = entries.first().map_or(span, |entry| entry.span);
        self.fields.keys(&entries, known, required, whole, what);
        Some(entries)
    }

    /// Takes text on one line; a number is a name too.
    fn name(&mut self, node: &Node, what: &str) -> String {
        let name = match &node.value {
            Value::Number(_) => node.span.of(self.text).to_owned(),
            Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                self.fields.text(node.clone(), what)
            }
        };
        if name.chars().any(char::is_control) || name.chars().count() > LONGEST_NAME {
            let message = format!("`{what}` is not one line of at most {LONGEST_NAME} characters");
            self.wrong(node.span, message, "put it in a few words".to_owned());
        }
        name.trim().to_owned()
    }

    fn flag(&mut self, node: &Node, what: &str) -> Placed<bool> {
        let value = match &node.value {
            Value::Bool(value) => *value,
            other => {
                self.fields.wrong_type(what, "true or false", other, node.span);
                false
            }
        };
        Placed::at(node.span, value)
    }

    fn word<T>(
        &mut self,
        node: Node,
        what: &str,
        words: &[&'static str],
        find: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let span = node.span;
        let word = self.fields.text(node, what);
        let found = find(&word);
        if found.is_none() && !word.is_empty() {
            let help = match nearest(&word, words.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("write one of: {}", words.join(", ")),
            };
            self.wrong(span, format!("there is no {what} `{}`", word.escape_debug()), help);
        }
        found
    }

    fn wrong(&mut self, span: Span, message: String, help: String) {
        self.fields.report(ScheduleCode::PlanValue, span, message, Some(help));
    }
}
