//! What a run cost: tokens, money and time, meaning the same for every agent.

use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What a run used. The parts do not overlap, but for `reasoning`, which is a part of `output`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UsageMetrics {
    /// Tokens read anew: neither from a cache nor into one.
    pub input: u64,
    /// Tokens read from a cache.
    pub cache_read: u64,
    /// Tokens read and written to a cache.
    pub cache_write: u64,
    /// Tokens written, reasoning among them.
    pub output: u64,
    /// Tokens of reasoning, as far as they are told apart.
    pub reasoning: u64,
    /// What it cost: as reported, else by the prices, else unknown. Of several runs, what those cost whose cost is known.
    pub cost_usd: Option<f64>,
    /// How many of the tokens belong to runs whose cost is not known, where that of others is: the cost is more than `cost_usd`.
    #[serde(skip_serializing_if = "is_zero")]
    pub unpriced: u64,
    /// How long it took.
    pub duration: Duration,
}

/// What a model costs, in US dollars for a million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens read anew.
    pub input: f64,
    /// Tokens written.
    pub output: f64,
    /// Tokens read from a cache; as much as any other unless given.
    #[serde(default)]
    pub cache_read: Option<f64>,
    /// Tokens written to a cache; as much as any other unless given.
    #[serde(default)]
    pub cache_write: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Price {
    /// Returns what a run costs at this price, to a billionth of a dollar.
    #[expect(clippy::cast_precision_loss, reason = "no run reads 2^52 tokens")]
    pub fn of(&self, usage: &UsageMetrics) -> f64 {
        let part = |tokens: u64, price: f64| tokens as f64 * price / 1e6;
        let sum = part(usage.input, self.input)
            + part(usage.cache_read, self.cache_read.unwrap_or(self.input))
            + part(usage.cache_write, self.cache_write.unwrap_or(self.input))
            + part(usage.output, self.output);
        (sum * 1e9).round() / 1e9
    }
}

impl UsageMetrics {
    /// Returns how many of the tokens have a cost that is not known.
    const fn without_cost(&self) -> u64 {
        if self.cost_usd.is_some() { self.unpriced } else { self.total() }
    }

    /// Adds up all tokens.
    pub const fn total(&self) -> u64 {
        self.input + self.cache_read + self.cache_write + self.output
    }
}

/// Adds another run.
impl AddAssign<&Self> for UsageMetrics {
    fn add_assign(&mut self, other: &Self) {
        let unpriced = self.without_cost() + other.without_cost();
        self.cost_usd = match (self.cost_usd, other.cost_usd) {
            (Some(mine), Some(theirs)) => Some(mine + theirs),
            (mine, theirs) => mine.or(theirs),
        };
        self.unpriced = if self.cost_usd.is_some() { unpriced } else { 0 };
        self.input += other.input;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
        self.output += other.output;
        self.reasoning += other.reasoning;
        self.duration += other.duration;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_covers_every_kind_of_token_once() {
        let usage = UsageMetrics {
            input: 1_000_000,
            cache_read: 2_000_000,
            cache_write: 500_000,
            output: 100_000,
            reasoning: 50_000,
            ..UsageMetrics::default()
        };
        let price = Price { input: 3.0, output: 15.0, cache_read: Some(0.3), cache_write: None };
        assert!((price.of(&usage) - (3.0 + 0.6 + 1.5 + 1.5)).abs() < 1e-9);
        assert_eq!(usage.total(), 3_600_000);
    }

    #[test]
    fn a_sum_says_how_much_of_it_has_no_cost() {
        let run = |input, cost_usd| UsageMetrics { input, cost_usd, ..UsageMetrics::default() };
        let sum = |runs: [UsageMetrics; 2]| {
            let mut sum = UsageMetrics::default();
            for run in &runs {
                sum += run;
            }
            (sum.cost_usd, sum.unpriced)
        };
        assert_eq!(sum([run(1, Some(0.5)), run(2, Some(0.25))]), (Some(0.75), 0));
        assert_eq!(sum([run(1, Some(0.5)), run(2, None)]), (Some(0.5), 2));
        assert_eq!(sum([run(1, None), run(2, Some(0.5))]), (Some(0.5), 1));
        assert_eq!(sum([run(0, None), run(2, Some(0.5))]), (Some(0.5), 0));
        assert_eq!(sum([run(1, None), run(2, None)]), (None, 0));
    }
}
