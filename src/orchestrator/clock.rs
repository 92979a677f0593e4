//! The time as it is kept in records.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the time in milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    in_ms(SystemTime::now())
}

/// Returns a time in milliseconds since 1970; a clock that is set to before that gives 0.
pub(super) fn in_ms(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
