//! Reviews: holds the requirements of the specs against those that the implementer reports with a test.

use super::Played;
use super::part::{Part, said};

pub(super) fn play(part: &Part) -> Played {
    let findings = findings(part);
    let text = if findings.is_empty() {
        "**Result**: every requirement of the specs is reported as covered by a test. Evidence of a run is not looked at \
         by this agent.\n\n**Findings**: none.\n\n**Not verified**: the code itself, for want of a model.\n\n\
         <review>PASS</review>"
            .to_owned()
    } else {
        let numbered = findings.iter().enumerate();
        let list: String =
            numbered.map(|(index, text)| format!("{}. MAJOR: {text}\n", index + 1)).collect();
        format!(
            "**Result**: something that the specs ask for is not there yet.\n\n**Findings**:\n\n{list}\n**Not verified**: \
             the code itself, for want of a model.\n\n<review>NEEDS_CHANGES</review>"
        )
    };
    Played { answer: said(&text), files: Vec::new() }
}

fn findings(part: &Part) -> Vec<String> {
    let Some(report) = part.artifact("IMPLEMENTATION.md") else {
        return vec!["there is no IMPLEMENTATION.md, so nothing shows what was done.".to_owned()];
    };
    let covered = covered(report);
    let uncovered = part.specs().flat_map(|(name, text)| {
        let missing = requirements(text).filter(|(id, _)| !covered.contains(id));
        missing.map(move |(id, title)| {
            format!("{id} of {name} ({title}) is not met, and no test is there for it. Add both.")
        })
    });
    let failed = report.lines().filter(|line| line.trim() == "- status: FAILED").count();
    let failed = (failed > 0).then(|| format!("IMPLEMENTATION.md reports {failed} failed tasks."));
    uncovered.chain(failed).collect()
}

/// Lists the requirements of a spec: ids and titles.
fn requirements(spec: &str) -> impl Iterator<Item = (&str, &str)> {
    let headings = spec.lines().filter_map(|line| line.strip_prefix("### "));
    headings.filter_map(|heading| {
        let (id, title) = heading.split_once(':')?;
        let number = id.strip_prefix('R').filter(|number| !number.is_empty())?;
        number.bytes().all(|byte| byte.is_ascii_digit()).then(|| (id, title.trim()))
    })
}

/// Lists the ids that a report names as covered.
fn covered(report: &str) -> Vec<&str> {
    let lines = report.lines().filter_map(|line| line.trim().strip_prefix("- requirements:"));
    lines.flat_map(|ids| ids.split(',').map(str::trim)).collect()
}
