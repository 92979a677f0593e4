//! The number of a plan, from which the names of its files follow.

use std::fmt;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The number of a plan: from 1 on, written without leading zeros.
///
/// ```
/// use agentd::models::plan::PlanIndex;
///
/// let index = PlanIndex::of_plan_file("plan_3.md").unwrap();
/// assert_eq!(index.tasks_file(), "tasks_3.md");
/// assert_eq!(PlanIndex::of_plan_file("plan_03.md"), None);
/// assert_eq!(PlanIndex::of_plan_file("../plan_3.md"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct PlanIndex(NonZeroU32);

/// A number that no plan has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} is not the number of a plan")]
pub struct NoPlanIndex(u32);

impl TryFrom<u32> for PlanIndex {
    type Error = NoPlanIndex;

    fn try_from(number: u32) -> Result<Self, NoPlanIndex> {
        Self::new(number).ok_or(NoPlanIndex(number))
    }
}

impl From<PlanIndex> for u32 {
    fn from(index: PlanIndex) -> Self {
        index.get()
    }
}

impl PlanIndex {
    /// The first plan.
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// The largest number.
    pub const LARGEST: u32 = 999;

    /// Takes a number from 1 to [`Self::LARGEST`].
    pub fn new(number: u32) -> Option<Self> {
        NonZeroU32::new(number).filter(|number| number.get() <= Self::LARGEST).map(Self)
    }

    /// Reads `plan_3.md`.
    pub fn of_plan_file(name: &str) -> Option<Self> {
        Self::of_word(name.strip_suffix(".md")?)
    }

    /// Reads `tasks_3.md`.
    pub fn of_tasks_file(name: &str) -> Option<Self> {
        Self::of_digits(name.strip_prefix("tasks_")?.strip_suffix(".md")?)
    }

    /// Reads `plan_3`.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::of_digits(word.strip_prefix("plan_")?)
    }

    fn of_digits(digits: &str) -> Option<Self> {
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        digits.parse().ok().filter(|_| plain).and_then(Self::new)
    }

    /// Returns the number.
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// Returns the name of the plan's file.
    pub fn plan_file(self) -> String {
        format!("plan_{}.md", self.0)
    }

    /// Returns the name of the file with the plan's tasks.
    pub fn tasks_file(self) -> String {
        format!("tasks_{}.md", self.0)
    }
}

/// Shows `plan_3`.
impl fmt::Display for PlanIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("plan_{}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_from_one_on_without_zeros_before_them_are_indexes() {
        for word in
            ["plan_0", "plan_01", "plan_", "plan_+1", "plan_1000", "Plan_1", "plan_1 ", "plan_٣"]
        {
            assert_eq!(PlanIndex::of_word(word), None, "{word}");
        }
        let index = PlanIndex::of_word("plan_999").unwrap();
        assert_eq!((index.get(), index.plan_file().as_str()), (999, "plan_999.md"));
        assert_eq!(PlanIndex::of_tasks_file("tasks_999.md"), Some(index));
        assert_eq!(index.to_string(), "plan_999");
    }
}
