//! Everything that is wrong with the plans of a change, ready to be shown.

use std::collections::HashSet;
use std::fmt;

use serde_json::{Value, json};

use super::code::ScheduleCode;
use super::files::PLANNING;
use crate::compile::report::{self, Colors};
use crate::compile::{Diagnostic, Place, Sources};
use crate::handoff;

/// What is wrong with plans, in the order of files and places. It is shown with lines of source, carets and help.
#[derive(Clone, Debug)]
pub struct ScheduleFaults {
    sources: Sources,
    diagnostics: Vec<Diagnostic<ScheduleCode>>,
}

impl ScheduleFaults {
    /// Brings faults in order; what was found on several ways is said once.
    pub(super) fn new(sources: Sources, mut diagnostics: Vec<Diagnostic<ScheduleCode>>) -> Self {
        let mut said = HashSet::new();
        diagnostics.retain(|d| said.insert((d.code, d.place, d.message.clone())));
        diagnostics.sort_by(|a, b| a.sort_key(&sources).cmp(&b.sort_key(&sources)));
        Self { sources, diagnostics }
    }

    /// Lists them.
    pub fn diagnostics(&self) -> &[Diagnostic<ScheduleCode>] {
        &self.diagnostics
    }

    /// Lists their codes.
    pub fn codes(&self) -> Vec<ScheduleCode> {
        self.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    }

    /// Shows each on one line: `path:line:col: message [code]`.
    pub fn lines(&self) -> Vec<String> {
        self.diagnostics.iter().map(|d| report::one_line(d, &self.sources)).collect()
    }

    /// Returns the faults for whoever handed in the plans.
    pub(super) fn handed_in(&self) -> Vec<handoff::Fault> {
        let fault = |diagnostic: &Diagnostic<ScheduleCode>| {
            let position = report::position(diagnostic.place, &self.sources);
            let (line, column) = (position.line as u64, position.column as u64);
            let help = diagnostic.help.as_ref().map(|help| format!(": {help}")).unwrap_or_default();
            handoff::Fault {
                file: Some(format!("{PLANNING}/{}", self.sources.get(diagnostic.place.file).name)),
                field: String::new(),
                message: format!("{}{help}", diagnostic.message),
                place: Some(handoff::Place { line, column }),
            }
        };
        self.diagnostics.iter().map(fault).collect()
    }

    /// Returns the faults as JSON.
    pub fn to_json(&self) -> Value {
        let place = |place: Place| {
            let position = report::position(place, &self.sources);
            let path = &self.sources.get(place.file).path;
            json!({ "path": path, "line": position.line, "column": position.column })
        };
        let fault = |diagnostic: &Diagnostic<ScheduleCode>| {
            let labels = diagnostic.labels.iter();
            let also: Vec<_> =
                labels.map(|(at, label)| json!({ "at": place(*at), "label": label })).collect();
            json!({
                "code": diagnostic.code.slug(), "message": diagnostic.message,
                "at": place(diagnostic.place), "also": also, "help": diagnostic.help,
            })
        };
        self.diagnostics.iter().map(fault).collect()
    }
}

impl fmt::Display for ScheduleFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_plans = &self.diagnostics;
        let no_others: &[Diagnostic] = &[];
        f.write_str(&report::listing(no_others, of_plans, &self.sources, Colors::Off))
    }
}
