//! The system prompts with which an agent is asked for a verdict or for task statuses that its answer does not clearly give.

use askama::Template as _;

use crate::template::Verdict;

#[derive(askama::Template)]
#[template(path = "blocks/verdict.md.j2", escape = "none")]
struct AskForVerdict<'v> {
    step: &'v str,
    verdicts: &'v [Verdict],
}

#[derive(askama::Template)]
#[template(path = "blocks/statuses.md.j2", escape = "none")]
struct AskForStatuses<'v> {
    step: &'v str,
}

/// Asks what a step wants of an answer, which stands in the context as `answer.md`, and for nothing else: the
/// verdict, or, where there are none to give, the statuses of the tasks in `tasks.md`.
///
/// An agent that echoes this names every verdict, of which the worst counts, or calls a task failed: it fails safe.
pub fn ask_for_verdict(step: &str, verdicts: &[Verdict]) -> String {
    let asked = if verdicts.is_empty() {
        AskForStatuses { step }.render()
    } else {
        AskForVerdict { step, verdicts }.render()
    };
    // Rendering to a string fails only where a value's own formatting does, and words do not.
    asked.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::Phase;

    #[test]
    fn every_verdict_of_the_phase_is_offered_and_no_other() {
        let text = ask_for_verdict("challenge", &Phase::Challenge.verdicts());
        assert!(text.contains("in the step challenge"), "{text}");
        let offered: Vec<_> = text.lines().filter(|line| line.starts_with("<review>")).collect();
        assert_eq!(
            offered,
            [
                "<review>PASS</review>",
                "<review>NEEDS_REVISION</review>",
                "<review>REJECTED</review>"
            ]
        );
    }

    #[test]
    fn statuses_are_asked_for_where_tasks_are_reported() {
        let text = ask_for_verdict("implement", &[]);
        assert!(text.contains("in the step implement"), "{text}");
        assert!(text.contains("COMPLETED</task_status> or <task_status"), "{text}");
        assert!(!text.contains("<review>"), "{text}");
    }
}
