//! Durations and sizes as people write them.

use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Longer than this no run takes.
const LONGEST: Duration = Duration::from_hours(365 * 24);

/// Reads `90s`, `30m`, `2h` or `1h30m`.
pub fn duration(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let (number, after) = leading_number(rest)?;
        let unit = after.chars().next()?;
        let seconds = match unit {
            's' => 1,
            'm' => 60,
            'h' => 60 * 60,
            _ => return None,
        };
        total = total.checked_add(Duration::from_secs(number.checked_mul(seconds)?))?;
        rest = &after[unit.len_utf8()..];
    }
    bounded(total)
}

/// Takes a plain number for seconds.
pub fn seconds(number: u64) -> Option<Duration> {
    bounded(Duration::from_secs(number))
}

/// Reads `450 KB`, `2MB`, `512 KiB` or a plain number of bytes.
pub fn size(text: &str) -> Option<u64> {
    let (number, unit) = leading_number(text)?;
    let factor = match unit.trim_start() {
        "" | "B" => 1,
        "KB" => 1_000,
        "MB" => 1_000_000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        _ => return None,
    };
    number.checked_mul(factor).filter(|bytes| *bytes > 0)
}

/// Reads a duration for serde.
pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(from)?;
    duration(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is not a duration")))
}

/// Writes a duration as it can be read again.
pub fn shown(duration: Duration) -> String {
    match duration.as_secs() {
        seconds if seconds % 3600 == 0 => format!("{}h", seconds / 3600),
        seconds if seconds % 60 == 0 => format!("{}m", seconds / 60),
        seconds => format!("{seconds}s"),
    }
}

fn leading_number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

fn bounded(duration: Duration) -> Option<Duration> {
    (duration > Duration::ZERO && duration <= LONGEST).then_some(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_and_shown() {
        let read = |text| duration(text).map(|duration| duration.as_secs());
        assert_eq!(read("90s"), Some(90));
        assert_eq!(read("30m"), Some(1_800));
        assert_eq!(read("2h"), Some(7_200));
        assert_eq!(read("1h30m"), Some(5_400));
        for wrong in [
            "",
            "m",
            "30",
            "30 m",
            "30x",
            "-5m",
            "1.5h",
            "0s",
            "99999999999h",
            "18446744073709551615h",
            "3é",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        for text in ["90s", "30m", "2h", "61s"] {
            assert_eq!(duration(text).map(shown).as_deref(), Some(text));
        }
        assert_eq!(seconds(0), None);
        assert_eq!(seconds(u64::MAX), None);
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(size("450 KB"), Some(450_000));
        assert_eq!(size("2MB"), Some(2_000_000));
        assert_eq!(size("1 MiB"), Some(1_048_576));
        assert_eq!(size("512"), Some(512));
        for wrong in ["", "KB", "-1", "0", "1.5 MB", "2 mb", "3 GB", "18446744073709551615 KB"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
