//! Steps by number: small, copied freely, and in sets.

/// The number of a step in its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(u8);

impl StepId {
    /// The most steps that a flow has.
    pub const MOST: usize = 32;

    /// Returns the step at a place in the flow's list.
    ///
    /// # Panics
    ///
    /// Panics for a place beyond [`Self::MOST`]: the compiler refuses flows with more steps.
    pub const fn new(index: usize) -> Self {
        assert!(index < Self::MOST, "a flow has 32 steps at most");
        #[expect(clippy::cast_possible_truncation, reason = "checked just above")]
        Self(index as u8)
    }

    /// Returns the step's place in the flow's list.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepSet(u32);

impl StepSet {
    /// Returns the set with a step added.
    #[must_use]
    pub const fn with(self, step: StepId) -> Self {
        Self(self.0 | 1 << step.0)
    }

    /// Returns whether a step is in the set.
    pub const fn contains(self, step: StepId) -> bool {
        self.0 & 1 << step.0 != 0
    }

    /// Returns the set without the steps of another.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the steps of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether every step of another set is in this one.
    pub const fn includes(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }
}

impl FromIterator<StepId> for StepSet {
    fn from_iter<I: IntoIterator<Item = StepId>>(steps: I) -> Self {
        steps.into_iter().fold(Self::default(), Self::with)
    }
}
