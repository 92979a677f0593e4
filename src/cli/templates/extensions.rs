//! The part of `agentd templates check` that looks at what a project adds to the prompts of the team.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

use anstyle::{AnsiColor, Style};

use super::super::failure::{Failure, Kind, Outcome};
use crate::output::visible::visible;
use crate::prompt::team::{Finding, Weight, check_extensions, extension_files};
use crate::template::TeamPrompt;

/// Reports what is wrong with a project's extensions, and gives how many files were looked at.
pub(super) fn check(root: &Path) -> Outcome<usize> {
    let findings = check_extensions(root)?;
    let mut stderr = anstream::stderr().lock();
    for finding in &findings {
        writeln!(stderr, "{}", shown(finding))?;
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

fn shown(finding: &Finding) -> String {
    let styled = |color: AnsiColor| Style::new().bold().fg_color(Some(color.into()));
    let (word, style) = match finding.weight {
        Weight::Warning => ("warning", styled(AnsiColor::Yellow)),
        Weight::Error => ("error", styled(AnsiColor::Red)),
    };
    let help = styled(AnsiColor::Cyan);
    let Finding { file, position, message, help: advice, .. } = finding;
    format!(
        "{style}{word}:{style:#} {}\n  --> {}:{}:{}\n{help}help:{help:#} {}\n",
        visible(message),
        visible(file),
        position.line,
        position.column,
        visible(advice)
    )
}
