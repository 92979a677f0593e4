//! Challenges a plan: looks whether its specs say what an empty value does, which is the gap that it knows of.

use super::Played;
use super::part::{Part, said};
use super::plan::speaks_of_the_edge;

pub(super) fn play(part: &Part) -> Played {
    let names: Vec<_> = part.specs().map(|(name, _)| name).collect();
    let text = if part.specs().any(|(_, text)| speaks_of_the_edge(text)) {
        format!(
            "**Assessment**: the plan holds as far as this agent looks.\n\n**Findings**: none.\n\n**Checked and sound**: \
             what an empty value does is said in {}.\n\n**Not checked**: all else, for want of a model.\n\n<review>PASS</review>",
            names.join(", ")
        )
    } else {
        format!(
            "**Assessment**: the plan can be followed, but leaves one edge to guess.\n\n**Findings**:\n\n1. MAJOR: no \
             requirement and no scenario in {} says what happens when a value is empty, so an implementer has to guess. \
             Add a requirement that an empty value is refused, with a scenario and a test.\n\n**Not checked**: all else, \
             for want of a model.\n\n<review>NEEDS_REVISION</review>",
            names.join(", ")
        )
    };
    Played { answer: said(&text), files: Vec::new() }
}
