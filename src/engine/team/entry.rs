//! What a journal holds of the team's steps, with all that is needed to go on from it.

use serde::{Deserialize, Serialize};

use super::lineup::Lineup;
use super::machine::TeamOutcome;
use super::step::TeamStep;
use crate::engine::git::Commit;
use crate::models::plan::PlanIndex;
use crate::models::word::{self, Word};

/// A step was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepStarted {
    /// The step.
    #[serde(with = "word")]
    pub step: TeamStep,
    /// Which time it is, over all.
    pub round: u32,
    /// The agent.
    pub agent: String,
    /// The number of the first run that belongs to it.
    pub first_run: u32,
    /// The commit that the change's code was at.
    pub commit: Commit,
}

/// A plan was carried out, and its code is part of the change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanDone {
    /// Its number.
    pub plan: PlanIndex,
    /// The commit that the change's code is at now.
    pub commit: Commit,
}

/// A step came to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepFinished {
    /// The step.
    #[serde(with = "word")]
    pub step: TeamStep,
    /// What it came to.
    #[serde(with = "word")]
    pub result: StepResult,
    /// The plans, after a step that plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineup: Option<Lineup>,
    /// The number of the last run that belongs to it.
    pub last_run: u32,
    /// The commit that the change's code is at now.
    pub commit: Commit,
}

/// What a step came to, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepResult {
    /// What it makes is there.
    Made,
    /// The work is planned.
    Planned,
    /// The work passed its review.
    Passed,
    /// The work did not pass its review.
    Failed,
}

impl StepFinished {
    /// Gives what the machine makes of it.
    pub fn outcome(&self) -> TeamOutcome {
        match self.result {
            StepResult::Made => TeamOutcome::Made,
            StepResult::Planned => TeamOutcome::Planned(self.lineup.clone().unwrap_or_default()),
            StepResult::Passed => TeamOutcome::Passed,
            StepResult::Failed => TeamOutcome::Failed,
        }
    }
}

impl Word for StepResult {
    fn spelled(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Planned => "planned",
            Self::Passed => "passed",
            Self::Failed => "failed",
        }
    }

    fn find(word: &str) -> Option<Self> {
        [Self::Made, Self::Planned, Self::Passed, Self::Failed]
            .into_iter()
            .find(|result| result.spelled() == word)
    }
}
