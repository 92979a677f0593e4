//! The day that it is, from the time in milliseconds since 1970, as UTC counts days.

use super::archive::Date;

const MILLISECONDS_A_DAY: u64 = 24 * 60 * 60 * 1000;

/// Returns the day of a time. None is given only for years with more than four digits.
pub(super) fn day_of(milliseconds: u64) -> Option<Date> {
    // Counted from the first of March of the year 0, leap days come last, every 4 years but for 3 of 4 centuries.
    let days = milliseconds / MILLISECONDS_A_DAY + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}").parse().ok()
}

/// Returns a time as people read it, to the second: `2026-01-31 09:15:00 UTC`.
pub fn moment(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let day = day_of(milliseconds).map(|day| day.to_string()).unwrap_or_default();
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{day} {hours:02}:{minutes:02}:{:02} UTC", seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let shown = |seconds: u64| day_of(seconds * 1000).unwrap().to_string();
        let seconds = [0, 951_782_400, 951_868_800, 1_709_164_800, 1_767_225_599, 4_107_542_400];
        let days =
            ["1970-01-01", "2000-02-29", "2000-03-01", "2024-02-29", "2025-12-31", "2100-03-01"];
        assert_eq!(seconds.map(shown), days);
    }

    #[test]
    fn a_moment_has_its_day_and_time() {
        assert_eq!(moment(1_709_164_799_999), "2024-02-28 23:59:59 UTC");
        assert_eq!(moment(0), "1970-01-01 00:00:00 UTC");
    }
}
