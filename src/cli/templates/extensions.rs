//! The part of `agentd templates check` that checks a project's extensions of the team's prompts.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

use anstyle::AnsiColor;

use crate::cli::{Failure, Kind, Outcome};
use crate::output::escape_control::escape_control;
use crate::output::label::label;
use crate::prompt::team::{Finding, Weight, check_extensions, extension_files};
use crate::template::TeamPrompt;

/// Reports faults in a project's extensions, and returns how many files were checked.
pub(super) fn check(root: &Path) -> Outcome<usize> {
    let findings = check_extensions(root)?;
    let mut stderr = anstream::stderr().lock();
    for finding in &findings {
        writeln!(stderr, "{}", describe(finding))?;
    }
    let errors = findings.iter().filter(|finding| finding.weight == Weight::Error).count();
    if errors > 0 {
        let files = if errors == 1 { "1 file" } else { &format!("{errors} files") };
        let message = format!("{files} of this project cannot extend the prompts of the team");
        return Err(Failure::new(Kind::Template, message));
    }
    // The file of a role extends its commands too.
    let mut files = BTreeSet::new();
    for prompt in TeamPrompt::all() {
        files.extend(extension_files(root, prompt)?);
    }
    Ok(files.len())
}

fn describe(finding: &Finding) -> String {
    let Finding { file, position, message, help, weight, .. } = finding;
    let (word, color) = match weight {
        Weight::Warning => ("warning", AnsiColor::Yellow),
        Weight::Error => ("error", AnsiColor::Red),
    };
    let (message, file, help) =
        (escape_control(message), escape_control(file), escape_control(help));
    format!(
        "{} {message}\n  --> {file}:{}:{}\n{} {help}\n",
        label(word, color),
        position.line,
        position.column,
        label("help", AnsiColor::Cyan)
    )
}
