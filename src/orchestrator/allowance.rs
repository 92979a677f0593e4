//! What a change may still cost: asked before every call, and told after it what the call used. The runs of a change are
//! added up once; from then on this keeps the sum, however many calls are under way.

use std::sync::{Mutex, PoisonError};

use super::error::RunError;
use crate::models::settings::Limits;
use crate::models::usage::UsageMetrics;

/// What a change may still cost; without limits, as much as it takes.
#[derive(Debug, Default)]
pub struct Allowance {
    max_tokens: Option<u64>,
    max_cost_usd: Option<f64>,
    spent: Mutex<Spent>,
}

/// What is known to be spent.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    tokens: u64,
    /// Of calls whose cost is not known nothing is counted here, so that it is no more than was spent.
    cost_usd: f64,
}

impl Allowance {
    /// Allows what the limits say, of which nothing is spent yet.
    pub fn of(limits: &Limits) -> Self {
        let Limits { max_tokens, max_cost_usd, .. } = *limits;
        Self { max_tokens, max_cost_usd, spent: Mutex::default() }
    }

    /// Says whether there is no limit, so that nothing need be added up.
    pub const fn is_unlimited(&self) -> bool {
        self.max_tokens.is_none() && self.max_cost_usd.is_none()
    }

    /// Takes notice of what a call used.
    pub fn add(&self, usage: &UsageMetrics) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.tokens = spent.tokens.saturating_add(usage.total());
        spent.cost_usd += usage.cost_usd.unwrap_or_default();
    }

    /// Refuses a further call once what is allowed is spent.
    pub fn check(&self) -> Result<(), RunError> {
        let Spent { tokens, cost_usd } = *self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(most) = self.max_tokens.filter(|most| tokens >= *most) {
            let (spent, limit) = (format!("{tokens} tokens"), format!("{most} tokens"));
            return Err(RunError::OverBudget { spent, limit });
        }
        if let Some(most) = self.max_cost_usd.filter(|most| cost_usd >= *most) {
            let (spent, limit) = (format!("{cost_usd:.4} USD"), format!("{most} USD"));
            return Err(RunError::OverBudget { spent, limit });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance(max_tokens: Option<u64>, max_cost_usd: Option<f64>) -> Allowance {
        Allowance { max_tokens, max_cost_usd, ..Allowance::default() }
    }

    fn used(input: u64, cost_usd: Option<f64>) -> UsageMetrics {
        UsageMetrics { input, cost_usd, ..UsageMetrics::default() }
    }

    #[test]
    fn a_call_is_refused_once_the_limit_is_reached_and_not_before() {
        let tokens = allowance(Some(10), None);
        tokens.add(&used(9, None));
        tokens.check().expect("one is left");
        tokens.add(&used(1, None));
        let refused = tokens.check().expect_err("none is left").to_string();
        assert_eq!(refused, "change has used 10 tokens, and 10 tokens is the limit");
        let unlimited = Allowance::default();
        unlimited.add(&used(u64::MAX, Some(1e9)));
        unlimited.check().expect("there is no limit");
    }

    #[test]
    fn a_call_whose_cost_is_not_known_does_not_lift_the_limit_on_the_cost() {
        let cost = allowance(None, Some(1.0));
        cost.add(&used(1, Some(1.5)));
        cost.add(&used(1, None));
        let refused = cost.check().expect_err("all is spent").to_string();
        assert_eq!(refused, "change has used 1.5000 USD, and 1 USD is the limit");
    }
}
