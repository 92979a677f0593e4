//! The system prompt with which an agent is asked for a verdict that its answer lacks.

use askama::Template as _;

use crate::template::Phase;

#[derive(askama::Template)]
#[template(path = "blocks/verdict.md.j2", escape = "none")]
struct AskForVerdict {
    phase: Phase,
}

/// Asks for the verdict of an answer, which stands in the context as `answer.md`, and for nothing else.
///
/// An agent that echoes this names every verdict, and of several the worst counts: it fails safe.
pub fn ask_for_verdict(phase: Phase) -> String {
    // Rendering to a string fails only where a value's own formatting does, and words do not.
    AskForVerdict { phase }.render().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_of_the_phase_is_offered_and_no_other() {
        let text = ask_for_verdict(Phase::Challenge);
        assert!(text.contains("in the phase challenge"), "{text}");
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
}
