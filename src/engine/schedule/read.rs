//! Reads an execution plan: every field is looked at, and everything that is wrong with one is found in one go.

use super::code::ScheduleCode;
use crate::compile::fields::{FieldReader, Terms, get};
use crate::compile::{Diagnostic, FileId};
use crate::handoff::{EXECUTION_PLAN_FIELDS, GROUP_FIELDS, PLAN_FIELDS, STRATEGY_FIELDS};
use crate::models::plan::{
    ExecutionPlan, Mode, OwnedPattern, Placed, PlanGroup, PlanIndex, PlanReference, ReviewSeverity,
    ReviewStrategy, VERSION,
};
use crate::template::Span;
use crate::text::node::{Entry, Node, SyntaxError, Value};
use crate::text::yaml;

/// The longest name of a plan or group, in characters.
const LONGEST_NAME: usize = 200;

const TERMS: Terms<ScheduleCode> = Terms {
    map: "a map",
    syntax: ScheduleCode::PlanSyntax,
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
    let mut fields = FieldReader { offset: 0, file, found, terms: TERMS };
    let plan = match yaml::parse(text) {
        Ok(node) => Reader { text, fields }.plan(&node),
        Err(error) => {
            fields.syntax(SyntaxError {
                help: error.help.or(Some("correct the YAML here")),
                ..error
            });
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
    fn plan(&mut self, node: &Node) -> Option<ExecutionPlan> {
        let entries = self.fields.fields(node, "the execution plan", EXECUTION_PLAN_FIELDS)?;
        if let Some(node) = get(entries, "version") {
            self.version(node);
        }
        let groups = get(entries, "groups");
        let files = get(entries, "doc_files").map(|it| self.fields.list(it, "doc_files"));
        let strategy = get(entries, "review_strategy");
        Some(ExecutionPlan {
            groups: groups.map(|it| self.some(it, "groups", Self::group)).unwrap_or_default(),
            needs_design: self.flag(entries, "needs_design").value,
            needs_docs: self.flag(entries, "needs_docs"),
            doc_files: files.unwrap_or_default().iter().filter_map(|it| self.path(it)).collect(),
            review_strategy: strategy.map(|it| self.review_strategy(it)).unwrap_or_default(),
        })
    }

    fn version(&mut self, node: &Node) {
        let said = node.span.of(self.text);
        if !matches!(node.value, Value::Number(_)) || said != VERSION.to_string() {
            let message = format!("`version` is not {VERSION}");
            self.wrong(node.span, message, &format!("write `version: {VERSION}`"));
        }
    }

    fn group(&mut self, node: &Node) -> Option<PlanGroup> {
        let entries = self.fields.fields(node, "this group", GROUP_FIELDS)?;
        let id = get(entries, "group_id");
        let mode = get(entries, "mode");
        let mode = mode.and_then(|it| self.fields.word(it, "mode", Mode::WORDS, Mode::from_word));
        let plans = get(entries, "plans");
        Some(PlanGroup {
            group_id: id
                .map(|it| Placed::at(it.span, self.name(it, "group_id")))
                .unwrap_or_default(),
            mode: mode.unwrap_or(Mode::Serial),
            plans: plans.map(|it| self.some(it, "plans", Self::reference)).unwrap_or_default(),
        })
    }

    fn reference(&mut self, node: &Node) -> Option<PlanReference> {
        let entries = self.fields.fields(node, "this plan", PLAN_FIELDS)?;
        let index = get(entries, "file").and_then(|it| self.plan_file(it));
        let name = get(entries, "name").map(|it| self.name(it, "name")).unwrap_or_default();
        Some(PlanReference { index: index?, name })
    }

    fn plan_file(&mut self, node: &Node) -> Option<Placed<PlanIndex>> {
        let file = self.fields.text(node, "file")?;
        let index = PlanIndex::of_plan_file(file);
        if index.is_none() {
            let message = format!("`{}` is not a file of a plan", file.escape_debug());
            let help =
                "plans are called `plan_1.md`, `plan_2.md` and so on, and are beside this file";
            self.fields.report(ScheduleCode::PlanFileName, node.span, message, help);
        }
        index.map(|index| Placed::at(node.span, index))
    }

    fn review_strategy(&mut self, node: &Node) -> ReviewStrategy {
        let entries = self.fields.fields(node, "the review strategy", STRATEGY_FIELDS);
        let entries = entries.unwrap_or_default();
        let (words, find) = (ReviewSeverity::WORDS, ReviewSeverity::from_word);
        let severity = get(entries, "severity");
        let severity = severity.and_then(|it| self.fields.word(it, "severity", words, find));
        let focus = get(entries, "focus").map(|it| self.fields.list(it, "focus"));
        ReviewStrategy {
            severity: severity.unwrap_or_default(),
            focus: focus.unwrap_or_default().iter().map(|it| self.name(it, "focus")).collect(),
        }
    }

    fn path(&mut self, node: &Node) -> Option<Placed<OwnedPattern>> {
        let text = self.fields.text(node, "doc_files")?;
        match text.parse::<OwnedPattern>() {
            Ok(pattern) => Some(Placed::at(node.span, pattern)),
            Err(fault) => {
                let message = format!("`{}` {fault}", text.escape_debug());
                self.fields.report(ScheduleCode::Path, node.span, message, fault.help());
                None
            }
        }
    }

    /// Takes a list that is not empty.
    fn some<T>(
        &mut self,
        node: &Node,
        what: &str,
        item: impl Fn(&mut Self, &Node) -> Option<T>,
    ) -> Vec<T> {
        let items = self.fields.list(node, what);
        if items.is_empty() && matches!(node.value, Value::List(_)) {
            let help = format!("write at least one item below `{what}:`");
            self.wrong(node.span, format!("`{what}` is empty"), &help);
        }
        items.iter().filter_map(|node| item(self, node)).collect()
    }

    /// Takes text on one line; a number is a name too.
    fn name(&mut self, node: &Node, what: &str) -> String {
        let name = match &node.value {
            Value::Number(_) => node.span.of(self.text),
            Value::Null
            | Value::Bool(_)
            | Value::Date
            | Value::Text(_)
            | Value::List(_)
            | Value::Map(_) => self.fields.text(node, what).unwrap_or_default(),
        };
        if name.chars().any(char::is_control) || name.chars().count() > LONGEST_NAME {
            let message = format!("`{what}` is not one line of at most {LONGEST_NAME} characters");
            self.wrong(node.span, message, "use a few words");
        }
        name.trim().to_owned()
    }

    fn flag(&mut self, entries: &[Entry], what: &str) -> Placed<bool> {
        let Some(node) = get(entries, what) else { return Placed::default() };
        Placed::at(node.span, self.fields.flag(node, what).unwrap_or_default())
    }

    fn wrong(&mut self, span: Span, message: String, help: &str) {
        self.fields.report(ScheduleCode::PlanValue, span, message, help);
    }
}
