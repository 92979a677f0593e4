//! Numbers as people read them: durations, tokens, money.

use std::time::Duration;

use crate::models::usage::UsageMetrics;

/// Shows a duration: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", duration.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3600.. => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// Shows a count with thousands separators: `1,234,567`.
pub(crate) fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Shows a size: `812 bytes`, `1.2 kB`, `3.4 MB`, `5.6 GB`.
pub(crate) fn bytes(bytes: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", tenths(1_000)),
        1_000_000..1_000_000_000 => format!("{} MB", tenths(1_000_000)),
        1_000_000_000.. => format!("{} GB", tenths(1_000_000_000)),
    }
}

/// Shows the cost of what was used: `0.0123 USD`, `at least 12.30 USD`, or nothing where it is not known.
pub(crate) fn cost(usage: &UsageMetrics) -> Option<String> {
    let at_least = if usage.unpriced > 0 { "at least " } else { "" };
    usage.cost_usd.map(|cost| format!("{at_least}{}", usd(cost)))
}

/// Shows US dollars: `0.0123 USD`, `12.30 USD`.
pub(crate) fn usd(usd: f64) -> String {
    let digits = if usd < 1.0 { 4 } else { 2 };
    format!("{usd:.digits$} USD")
}

/// Shows what a run used.
pub(crate) fn usage(usage: &UsageMetrics) -> String {
    let time = duration(usage.duration);
    if usage.total() == 0 {
        return time;
    }
    let cost = cost(usage).unwrap_or_else(|| "cost unknown".to_owned());
    format!("{time}, {} tokens, {cost}", count(usage.total()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let shown = |milliseconds| duration(Duration::from_millis(milliseconds));
        let shown = [40, 9_960, 12_900, 200_000, 7_500_000].map(shown);
        assert_eq!(shown, ["0.0 s", "10.0 s", "12 s", "3 min 20 s", "2 h 5 min"]);
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        let sizes = [0, 999, 1_250, 3_490_000, 5_000_000_000].map(bytes);
        assert_eq!(sizes, ["0 bytes", "999 bytes", "1.2 kB", "3.4 MB", "5.0 GB"]);
        let used =
            |cost_usd, unpriced| UsageMetrics { cost_usd, unpriced, ..UsageMetrics::default() };
        assert_eq!(cost(&used(Some(0.01234), 0)).unwrap(), "0.0123 USD");
        assert_eq!(cost(&used(Some(12.3), 7)).unwrap(), "at least 12.30 USD");
        assert_eq!(cost(&used(None, 0)), None);
    }
}
