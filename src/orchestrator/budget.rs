//! What a change may still cost: asked before every call, and told after it what the call used. The calls of a change are
//! added up once; from then on this keeps the sum, however many calls are under way.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::RunError;
use crate::models::meta::RunMeta;
use crate::models::settings::Limits;
use crate::models::usage::UsageMetrics;

/// What a change may still cost; without limits, as much as it takes.
#[derive(Debug, Default)]
pub struct Budget {
    max_tokens: Option<u64>,
    max_cost_usd: Option<f64>,
    spent: Mutex<Spent>,
    ledger: Option<Arc<dyn Ledger>>,
}

/// Keeps what is known of calls where no agent can rewrite it, so that a limit cannot be lifted by editing a run's folder.
pub trait Ledger: fmt::Debug + Send + Sync {
    /// Returns whether the record of a call is kept, named by its run's folder.
    fn knows(&self, run: &str) -> bool;

    /// Keeps the record of a call. Returns whether it was not known before.
    fn keep(&self, run: &str, record: &RunMeta) -> io::Result<bool>;
}

/// What is known to be spent.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    tokens: u64,
    /// Of calls whose cost is not known nothing is counted here, so that it is no more than was spent.
    cost_usd: f64,
}

impl Budget {
    /// Allows what the limits say, of which nothing is spent yet.
    pub fn new(limits: &Limits) -> Self {
        let Limits { max_tokens, max_cost_usd, .. } = *limits;
        Self { max_tokens, max_cost_usd, spent: Mutex::default(), ledger: None }
    }

    /// Keeps the record of every call in a ledger.
    #[must_use]
    pub fn with_ledger(self, ledger: Arc<dyn Ledger>) -> Self {
        Self { ledger: Some(ledger), ..self }
    }

    /// Returns whether the ledger, if there is one, has the record of a call.
    pub(super) fn knows(&self, run: &str) -> bool {
        self.ledger.as_ref().is_none_or(|ledger| ledger.knows(run))
    }

    /// Keeps the record of a call, and adds what it used unless that was known before.
    pub(super) fn keep(&self, run: &str, record: &RunMeta) -> io::Result<()> {
        let is_new = self.ledger.as_ref().map_or(Ok(true), |ledger| ledger.keep(run, record))?;
        if let Some(usage) = record.usage.as_ref().filter(|_| is_new) {
            self.add(usage);
        }
        Ok(())
    }

    /// Adds what a call used.
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

    fn budget(max_tokens: Option<u64>, max_cost_usd: Option<f64>) -> Budget {
        Budget { max_tokens, max_cost_usd, ..Budget::default() }
    }

    fn used(input: u64, cost_usd: Option<f64>) -> UsageMetrics {
        UsageMetrics { input, cost_usd, ..UsageMetrics::default() }
    }

    #[test]
    fn a_call_is_refused_once_the_limit_is_reached_and_not_before() {
        let tokens = budget(Some(10), None);
        tokens.add(&used(9, None));
        tokens.check().expect("one is left");
        tokens.add(&used(1, None));
        let refused = tokens.check().expect_err("none is left").to_string();
        assert_eq!(refused, "change has used 10 tokens, and 10 tokens is the limit");
        let unlimited = Budget::default();
        unlimited.add(&used(u64::MAX, Some(1e9)));
        unlimited.check().expect("there is no limit");
    }

    #[test]
    fn a_call_whose_cost_is_not_known_does_not_lift_the_limit_on_the_cost() {
        let cost = budget(None, Some(1.0));
        cost.add(&used(1, Some(1.5)));
        cost.add(&used(1, None));
        let refused = cost.check().expect_err("all is spent").to_string();
        assert_eq!(refused, "change has used 1.5000 USD, and 1 USD is the limit");
    }
}
