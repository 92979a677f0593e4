//! Answers with the verdict alone, or the statuses alone, of an answer that does not clearly give them.

use super::request::Request;
use super::{NO_MODEL, Played, said};
use crate::models::prompt::UnifiedPrompt;
use crate::prompt::tasks;
use crate::template::{Phase, TaskStatus, Verdict};

pub(super) fn play(request: &Request, phase: Phase) -> Played {
    let answer = request.artifact("answer.md").unwrap_or_default();
    let text = if phase.verdicts().is_empty() {
        statuses(answer, request.artifact("tasks.md").unwrap_or_default())
    } else {
        format!("<review>{}</review>", verdict(answer, phase))
    };
    Played { answer: said(&text), files: Vec::new() }
}

/// The verdict that a template of a judge teaches.
const PASS: &str = "<review>PASS</review>";

/// Passes whatever is judged in a flow of a project: its template is not known here, but that it wants a verdict can be
/// seen. A prompt that wants none is not for this agent.
pub(super) fn pass(document: &str) -> Option<Played> {
    let prompt = UnifiedPrompt::from_xml(document).ok()?;
    let wants_verdict = prompt.system_prompt?.contains(PASS);
    let answer = format!("{NO_MODEL} It passes everything.\n\n{PASS}");
    wants_verdict.then(|| Played { answer, files: Vec::new() })
}

/// Writes a status for each open task: done is what a line of the answer calls COMPLETED by its id, and not FAILED.
fn statuses(answer: &str, tasks: &str) -> String {
    let tasks = tasks::read(tasks).unwrap_or_default();
    let status = |id: &str| {
        let names = |line: &&str| {
            line.split(|c: char| !c.is_ascii_alphanumeric() && !".-_".contains(c)).any(|w| w == id)
        };
        let says = |word: &str| answer.lines().filter(names).any(|line| line.contains(word));
        let is_done = says(TaskStatus::Completed.word()) && !says(TaskStatus::Failed.word());
        if is_done { TaskStatus::Completed } else { TaskStatus::Failed }
    };
    let open = tasks.iter().filter(|task| !task.done).map(|task| task.id.as_str());
    let line = |id| format!("<task_status id=\"{id}\">{}</task_status>\n", status(id));
    open.map(line).collect()
}

/// Returns the worst verdict that an answer names; one that names none comes to no PASS.
fn verdict(answer: &str, phase: Phase) -> Verdict {
    let known = phase.verdicts();
    let words = answer.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let named = words.filter_map(Verdict::from_word).filter(|word| known.contains(word));
    let mildest = known.iter().copied().filter(|verdict| *verdict != Verdict::Pass).min();
    named.max().or(mildest).unwrap_or(Verdict::Rejected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_verdict_that_is_named_counts_and_none_is_no_pass() {
        for (answer, expected) in [
            ("It comes to PASS.", Verdict::Pass),
            ("`<review>NEEDS_REVISION</review>`, not PASS", Verdict::NeedsRevision),
            ("PASSED the tests", Verdict::NeedsRevision),
            ("REJECTED, NEEDS_REVISION", Verdict::Rejected),
            ("MAJOR_ISSUES", Verdict::NeedsRevision),
            ("", Verdict::NeedsRevision),
        ] {
            assert_eq!(verdict(answer, Phase::Challenge), expected, "{answer}");
        }
    }

    #[test]
    fn a_task_is_done_where_a_line_of_the_answer_says_so_by_its_id() {
        let tasks = "# Tasks\n\n- [ ] 1.1 One\n- [ ] 1.2 Two\n- [x] 1.3 Three\n- [ ] 1.4 Four\n";
        let answer = "`1.1` COMPLETED\n1.2: FAILED\n1.2 COMPLETED\n11.4 COMPLETED\n";
        let status =
            |id: &str, word: &str| format!("<task_status id=\"{id}\">{word}</task_status>\n");
        let expected =
            [status("1.1", "COMPLETED"), status("1.2", "FAILED"), status("1.4", "FAILED")];
        assert_eq!(statuses(answer, tasks), expected.concat());
    }
}
