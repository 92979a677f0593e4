//! Where each plan is, as the journal tells it: a fold of its events, pure.

use std::collections::BTreeMap;

use super::event::LaneEvent;
use crate::engine::git::Commit;
use crate::models::plan::PlanIndex;

/// Where a plan is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LaneState {
    /// Nothing came of it yet.
    #[default]
    Due,
    /// It is done and committed.
    Finished(Commit),
    /// It could not be brought to its end.
    Failed(String),
    /// It wrote files that it does not own.
    Quarantined {
        /// What is on its branch.
        commit: Commit,
        /// What it wrote and does not own.
        files: Vec<String>,
    },
    /// It is done, and does not go together with the change's branch.
    InConflict {
        /// What is on its branch.
        commit: Commit,
        /// Where they conflict.
        files: Vec<String>,
    },
    /// It is in the change's branch.
    Merged {
        /// What was merged.
        commit: Commit,
        /// Where the change's branch was then.
        into: Commit,
    },
}

/// Where all plans are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneRecords(BTreeMap<PlanIndex, Record>);

/// Work on a plan that did not count, since it wrote what the plan does not own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The commit that the work began with.
    pub start: Commit,
    /// The commit that holds all of it.
    pub commit: Commit,
    /// What it wrote and does not own.
    pub files: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Record {
    /// Whether it was ever begun: then its branch is ours.
    is_begun: bool,
    /// The commit that it begins with.
    base: Option<Commit>,
    state: LaneState,
    /// The last work on it that did not count, until some does.
    refused: Option<Refused>,
}

impl LaneRecords {
    /// Takes account of something that happened.
    pub fn take(&mut self, event: &LaneEvent) {
        let record = self.0.entry(event.plan()).or_default();
        let state = match event {
            LaneEvent::Started { base, .. } => {
                record.is_begun = true;
                record.base = Some(base.clone());
                LaneState::Due
            }
            LaneEvent::SetAside { .. } | LaneEvent::WroteOutside { .. } => return,
            LaneEvent::Finished { commit, .. } => {
                record.refused = None;
                LaneState::Finished(commit.clone())
            }
            LaneEvent::Failed { message, .. } => LaneState::Failed(message.clone()),
            LaneEvent::Quarantined { commit, files, .. } => {
                record.refused = record.base.clone().map(|start| Refused {
                    start,
                    commit: commit.clone(),
                    files: files.clone(),
                });
                LaneState::Quarantined { commit: commit.clone(), files: files.clone() }
            }
            LaneEvent::Merged { commit, into, .. } => {
                LaneState::Merged { commit: commit.clone(), into: into.clone() }
            }
            LaneEvent::Conflict { files, .. } => match record.state.to_merge() {
                Some(commit) => {
                    LaneState::InConflict { commit: commit.clone(), files: files.clone() }
                }
                None => return,
            },
        };
        record.state = state;
    }

    /// Returns where a plan is.
    pub fn state(&self, plan: PlanIndex) -> &LaneState {
        const DUE: &LaneState = &LaneState::Due;
        self.0.get(&plan).map_or(DUE, |record| &record.state)
    }

    /// Returns the last work on a plan that did not count, if none has counted since.
    pub fn refused(&self, plan: PlanIndex) -> Option<&Refused> {
        self.0.get(&plan)?.refused.as_ref()
    }

    /// Makes a plan due again, from wherever the change's branch is then, since it is another one now.
    pub fn begin_anew(&mut self, plan: PlanIndex) {
        if let Some(record) = self.0.get_mut(&plan) {
            *record = Record { is_begun: record.is_begun, ..Record::default() };
        }
    }

    /// Returns whether a plan was ever begun.
    pub(super) fn is_begun(&self, plan: PlanIndex) -> bool {
        self.0.get(&plan).is_some_and(|record| record.is_begun)
    }

    /// Returns the commit that a plan begins with, if it was begun.
    pub(super) fn base(&self, plan: PlanIndex) -> Option<&Commit> {
        self.0.get(&plan)?.base.as_ref()
    }
}

impl LaneState {
    /// Returns the commit that is still to be merged.
    pub(super) const fn to_merge(&self) -> Option<&Commit> {
        match self {
            Self::Finished(commit) | Self::InConflict { commit, .. } => Some(commit),
            Self::Due | Self::Failed(_) | Self::Quarantined { .. } | Self::Merged { .. } => None,
        }
    }

    /// Returns whether an agent still has to work on it.
    pub const fn is_due(&self) -> bool {
        match self {
            Self::Due | Self::Failed(_) | Self::Quarantined { .. } => true,
            Self::Finished(_) | Self::InConflict { .. } | Self::Merged { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(digit: char) -> Commit {
        Commit::try_from(digit.to_string().repeat(40)).unwrap()
    }

    #[test]
    fn a_plan_is_where_its_last_event_has_brought_it() {
        let plan = PlanIndex::new(1).unwrap();
        let mut records = LaneRecords::default();
        assert!(records.state(plan).is_due() && !records.is_begun(plan));
        records.take(&LaneEvent::Failed { plan, message: "no".to_owned() });
        assert!(
            records.state(plan).is_due() && !records.is_begun(plan),
            "a branch that is there is not ours"
        );
        records.take(&LaneEvent::Started { plan, base: commit('a') });
        let run = "001-coder".to_owned();
        records.take(&LaneEvent::Finished { plan, commit: commit('b'), run });
        assert_eq!(records.state(plan).to_merge(), Some(&commit('b')));
        records.take(&LaneEvent::Conflict { plan, files: vec!["x".to_owned()] });
        assert_eq!(records.state(plan).to_merge(), Some(&commit('b')), "it is tried again");
        records.take(&LaneEvent::Merged { plan, commit: commit('b'), into: commit('c') });
        assert!(!records.state(plan).is_due() && records.state(plan).to_merge().is_none());
        records.begin_anew(plan);
        assert_eq!((records.state(plan), records.base(plan)), (&LaneState::Due, None));
        assert!(records.is_begun(plan));
        assert_eq!(records.state(PlanIndex::new(2).unwrap()), &LaneState::Due);
    }

    #[test]
    fn work_that_did_not_count_is_known_until_some_does_or_the_plan_is_another() {
        let plan = PlanIndex::new(1).unwrap();
        let mut records = LaneRecords::default();
        let started = LaneEvent::Started { plan, base: commit('a') };
        let files = vec!["elsewhere.txt".to_owned()];
        let quarantined =
            LaneEvent::Quarantined { plan, commit: commit('b'), files: files.clone() };
        records.take(&started);
        assert_eq!(records.refused(plan), None);
        records.take(&quarantined);
        records.take(&started);
        records.take(&LaneEvent::Failed { plan, message: "no".to_owned() });
        let refused = Refused { start: commit('a'), commit: commit('b'), files };
        assert_eq!(records.refused(plan), Some(&refused), "it is begun again, and fails");
        let mut done = records.clone();
        done.take(&LaneEvent::Finished { plan, commit: commit('c'), run: String::new() });
        assert_eq!(done.refused(plan), None);
        records.begin_anew(plan);
        assert_eq!(records.refused(plan), None);
    }
}
