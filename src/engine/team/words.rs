//! Where a change of the team is, in words for people and in one word for programs.

use super::machine::TeamStage;

/// Says in words where a change is.
pub fn words(stage: TeamStage) -> String {
    match stage {
        TeamStage::Due(step) => step.word().to_owned(),
        TeamStage::Verify => "the checks before review".to_owned(),
        TeamStage::Pause(step) => format!("the approval of {step}"),
        TeamStage::Gate => "the approval of the change".to_owned(),
        TeamStage::Apply => "putting the change away".to_owned(),
        TeamStage::Archived => "its end: archived".to_owned(),
        TeamStage::Cancelled => "its end: cancelled".to_owned(),
    }
}

/// Says for programs where a change is, in one word that stays the same.
pub fn token(stage: TeamStage) -> String {
    match stage {
        TeamStage::Due(step) => step.word().to_owned(),
        TeamStage::Verify => "verify-before-review".to_owned(),
        TeamStage::Pause(step) => format!("approve-{step}"),
        TeamStage::Gate => "approve".to_owned(),
        TeamStage::Apply => "apply".to_owned(),
        TeamStage::Archived => "archived".to_owned(),
        TeamStage::Cancelled => "cancelled".to_owned(),
    }
}
