//! Words of the command line that are read in more than one command.

use super::failure::{Failure, Kind, Outcome};
use crate::engine::flow::Flow;
use crate::engine::team::TeamStep;
use crate::models::word::Word as _;
use crate::template::nearest::nearest;
use crate::template::{Command, Phase, Role};

/// Reads a phase.
pub(super) fn phase(word: &str) -> Result<Phase, String> {
    Phase::from_word(word).ok_or_else(|| unknown(word, "phases", Phase::WORDS))
}

/// Reads a role of the team.
pub(super) fn role(word: &str) -> Result<Role, String> {
    Role::from_word(word).ok_or_else(|| unknown(word, "roles", Role::WORDS))
}

/// Reads a command of the team.
pub(super) fn command(word: &str) -> Result<Command, String> {
    Command::from_word(word).ok_or_else(|| unknown(word, "commands", Command::WORDS))
}

fn unknown(word: &str, kind: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the {kind} are {}", known.join(", ")),
    }
}

/// Reads a flow.
pub(super) fn flow(word: &str) -> Result<Flow, String> {
    let words = Flow::ALL.map(Flow::spelled);
    Flow::find(word).ok_or_else(|| unknown(word, "flows", &words))
}

/// How far a change is to go: a phase, or a step of a team, whichever it turns out to need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    phase: Option<Phase>,
    step: Option<TeamStep>,
}

/// Reads a phase or a step of a team.
pub(super) fn goal(word: &str) -> Result<Goal, String> {
    let step = TeamStep::from_word(word);
    match phase(word) {
        Ok(phase) => Ok(Goal { phase: Some(phase), step }),
        Err(_) if step.is_some() => Ok(Goal { phase: None, step }),
        Err(_) => Err(no_goal(word)),
    }
}

/// Whether phases or steps count is known only when the change is.
fn no_goal(word: &str) -> String {
    let steps = TeamStep::ALL.map(TeamStep::word);
    match nearest(word, Phase::WORDS.iter().chain(&steps).copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "the phases are {}; the steps of a team are {}",
            Phase::WORDS.join(", "),
            steps.join(", ")
        ),
    }
}

impl Goal {
    pub(super) fn phase(self) -> Outcome<Phase> {
        self.phase.ok_or_else(|| elsewhere("phases", Phase::WORDS))
    }

    pub(super) fn step(self) -> Outcome<TeamStep> {
        self.step.ok_or_else(|| elsewhere("steps", &TeamStep::ALL.map(TeamStep::word)))
    }
}

fn elsewhere(kind: &str, known: &[&str]) -> Failure {
    let message = format!("`--until` names none of the {kind} of this change");
    Failure::new(Kind::Usage, message).help(format!("the {kind} are {}", known.join(", ")))
}
