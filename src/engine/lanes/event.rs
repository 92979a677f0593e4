//! What happens to the plan of a group, for a journal and for those who watch.

use serde::{Deserialize, Serialize};

use crate::engine::git::Commit;
use crate::models::plan::PlanIndex;

/// Something that happened to a plan.
///
/// ```
/// use agentd::engine::lanes::LaneEvent;
///
/// let line = r#"{"lane":"failed","plan":2,"message":"it timed out"}"#;
/// let event: LaneEvent = serde_json::from_str(line).unwrap();
/// assert_eq!(event.plan().get(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "lane", rename_all = "kebab-case")]
pub enum LaneEvent {
    /// It is begun, or begun again.
    Started {
        /// The plan's number.
        plan: PlanIndex,
        /// The commit that it begins with.
        base: Commit,
    },
    /// What an earlier attempt had left was put on a branch of its own.
    SetAside {
        /// The plan's number.
        plan: PlanIndex,
        /// The branch.
        branch: String,
    },
    /// Its agent has done it, and all of it is committed.
    Finished {
        /// The plan's number.
        plan: PlanIndex,
        /// The commit.
        commit: Commit,
        /// The run whose answer counts.
        #[serde(deserialize_with = "crate::engine::entry::run_name")]
        run: String,
    },
    /// It could not be brought to its end, and is still due.
    Failed {
        /// The plan's number.
        plan: PlanIndex,
        /// Why.
        message: String,
    },
    /// Its agent wrote files that it does not own: all is committed on its branch, and that is not merged.
    Quarantined {
        /// The plan's number.
        plan: PlanIndex,
        /// The commit.
        commit: Commit,
        /// What it wrote and does not own.
        files: Vec<String>,
    },
    /// Its agent wrote files that it does not own, where nobody worked beside it: a warning.
    WroteOutside {
        /// The plan's number.
        plan: PlanIndex,
        /// What it wrote and does not own.
        files: Vec<String>,
    },
    /// Its branch is in the change's.
    Merged {
        /// The plan's number.
        plan: PlanIndex,
        /// The commit that was merged.
        commit: Commit,
        /// Where the change's branch is now.
        into: Commit,
    },
    /// Its branch does not go together with the change's; both are as they were.
    Conflict {
        /// The plan's number.
        plan: PlanIndex,
        /// Where they conflict.
        files: Vec<String>,
    },
}

impl LaneEvent {
    /// Returns the number of the plan.
    pub const fn plan(&self) -> PlanIndex {
        match self {
            Self::Started { plan, .. }
            | Self::SetAside { plan, .. }
            | Self::Finished { plan, .. }
            | Self::Failed { plan, .. }
            | Self::Quarantined { plan, .. }
            | Self::WroteOutside { plan, .. }
            | Self::Merged { plan, .. }
            | Self::Conflict { plan, .. } => *plan,
        }
    }
}
