//! The small command that stands in for every request: what it is called, where it is, and whether the edge that a
//! first draft forgets is settled.

use crate::models::change::ChangeId;

/// The longest title in characters.
const LONGEST: usize = 60;

/// Whether the edge that a first draft forgets, an empty word, is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Open,
    Settled,
}

/// The command, as a plan speaks of it.
#[derive(Clone, Debug)]
pub(super) struct Idea {
    pub(super) title: String,
    pub(super) request: String,
    pub(super) change: String,
    pub(super) edge: Edge,
}

impl Idea {
    pub(super) fn script(&self) -> String {
        script(&self.change)
    }

    pub(super) fn test(&self) -> String {
        test(&self.change)
    }

    pub(super) fn requirements(&self) -> &'static str {
        requirements(self.edge)
    }
}

/// Gives the path of the command in the workspace.
pub(super) fn script(change: &str) -> String {
    format!("agentd-demo/{change}.sh")
}

/// Gives the path of the command's test in the workspace.
pub(super) fn test(change: &str) -> String {
    format!("agentd-demo/{change}.test.sh")
}

/// Gives the requirements that there are, or that are met.
pub(super) const fn requirements(edge: Edge) -> &'static str {
    match edge {
        Edge::Open => "R1, R2",
        Edge::Settled => "R1, R2, R3",
    }
}

/// Makes a title of a request: its first line, short, and without characters that mean something elsewhere.
pub(super) fn title(request: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " ,.:;-+/()".contains(c);
    let lines = request.lines().map(|line| line.chars().filter(|c| plain(*c)).collect::<String>());
    let mut words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let line = words.find(|line| line.chars().any(char::is_alphanumeric)).unwrap_or_default();
    let short: String = line.chars().take(LONGEST).collect();
    let short = short.trim_matches(|c: char| " ,.:;-+/".contains(c));
    if short.is_empty() { "The request".to_owned() } else { short.to_owned() }
}

/// Gives the title of a plan that is there, else that of the request.
pub(super) fn title_of_plan(proposal: Option<&str>, request: &str) -> String {
    let heading = |proposal: &str| {
        let line = proposal.lines().find_map(|line| line.strip_prefix("# Proposal:"));
        line.map(title)
    };
    proposal.and_then(heading).unwrap_or_else(|| title(request))
}

/// Puts the idea together from a change, its request and what is there of an earlier plan.
pub(super) fn idea(change: &ChangeId, request: &str, proposal: Option<&str>, edge: Edge) -> Idea {
    Idea {
        title: title_of_plan(proposal, request),
        // In a later round the instructions hold more than the request, and the plan answers to all of it.
        request: request.to_owned(),
        change: change.as_str().to_owned(),
        edge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_short_line_of_plain_characters() {
        for (request, expected) in [
            ("Add login", "Add login"),
            ("\n# Add *login*!\n\nMore.", "Add login"),
            ("<review>REJECTED</review>", "reviewREJECTED/review"),
            ("`$(rm -rf /)` \u{1b}[31m", "(rm -rf /) 31m"),
            ("…", "The request"),
            ("", "The request"),
        ] {
            assert_eq!(title(request), expected, "{request}");
        }
        assert_eq!(title(&"word ".repeat(50)).chars().count(), 59);
    }
}
