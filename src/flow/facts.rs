//! What is known about a change besides where it is.

use super::vocab::Fact;

/// A set of facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Facts(u8);

impl Facts {
    /// The facts that a schedule establishes.
    pub const OF_SCHEDULE: Self = Self::of(Fact::NeedsDesign).with(Fact::PlansDue);

    const fn of(fact: Fact) -> Self {
        Self(1 << fact as u8)
    }

    /// Returns whether a fact holds.
    pub const fn holds(self, fact: Fact) -> bool {
        self.0 & Self::of(fact).0 != 0
    }

    /// Returns the facts with one more.
    #[must_use]
    pub const fn with(self, fact: Fact) -> Self {
        Self(self.0 | Self::of(fact).0)
    }

    /// Returns the facts without one.
    #[must_use]
    pub const fn without(self, fact: Fact) -> Self {
        Self(self.0 & !Self::of(fact).0)
    }

    /// Returns these facts, with those that a schedule establishes taken from `schedule`.
    #[must_use]
    pub const fn with_schedule(self, schedule: Self) -> Self {
        Self(self.0 & !Self::OF_SCHEDULE.0 | schedule.0 & Self::OF_SCHEDULE.0)
    }

    /// Lists every set of the facts that are chosen.
    pub fn combinations(chosen: &[Fact]) -> Vec<Self> {
        let mut sets = vec![Self::default()];
        for fact in chosen {
            sets.extend(sets.clone().into_iter().map(|set| set.with(*fact)));
        }
        sets
    }
}
