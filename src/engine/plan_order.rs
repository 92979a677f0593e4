//! The plans of a change in the order in which they are carried out, as the journal keeps them: which of them are due
//! is told by what has been done.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::models::hash::Hash;
use crate::models::plan::{Mode, PlanIndex};

/// The plans of a change, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlanOrder {
    /// The groups: one is carried out when all before it are done.
    pub groups: Vec<PlanGroup>,
    /// Whether a design comes before the code.
    pub needs_design: bool,
}

/// Plans that are carried out together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlanGroup {
    /// How.
    pub mode: Mode,
    /// The plans.
    pub plans: Vec<PlanVersion>,
}

/// A plan, and what it says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlanVersion {
    /// Its number.
    pub plan: PlanIndex,
    /// The hash of what it says: one that says something else is another plan.
    pub hash: Hash,
}

/// The plans that have been carried out, each as it was then.
pub type Done = BTreeMap<PlanIndex, Hash>;

impl PlanVersion {
    /// Returns whether it has been carried out as it is.
    pub fn is_done(&self, done: &Done) -> bool {
        done.get(&self.plan) == Some(&self.hash)
    }
}

impl PlanOrder {
    /// Lists the plans that are due next: those of the first group that is not done.
    pub fn due(&self, done: &Done) -> Option<(Mode, Vec<PlanIndex>)> {
        self.groups.iter().find_map(|batch| {
            let open = batch.plans.iter().filter(|unit| !unit.is_done(done));
            let open: Vec<_> = open.map(|unit| unit.plan).collect();
            (!open.is_empty()).then_some((batch.mode, open))
        })
    }

    /// Lists every plan, in order.
    pub fn units(&self) -> impl Iterator<Item = &PlanVersion> {
        self.groups.iter().flat_map(|batch| &batch.plans)
    }

    /// Returns how a plan is carried out.
    pub fn mode_of(&self, plan: PlanIndex) -> Option<Mode> {
        let has_it = |batch: &&PlanGroup| batch.plans.iter().any(|unit| unit.plan == plan);
        self.groups.iter().find(has_it).map(|batch| batch.mode)
    }

    /// Finds a plan by its number.
    pub fn unit(&self, plan: PlanIndex) -> Option<&PlanVersion> {
        self.units().find(|unit| unit.plan == plan)
    }
}
