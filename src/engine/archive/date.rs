//! The day on which a change is put away. It comes from outside: there is no clock here.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::models::checked_text;

/// A day, written `YYYY-MM-DD`.
///
/// ```
/// use agentd::engine::archive::Date;
///
/// assert_eq!("2026-01-31".parse::<Date>().unwrap().to_string(), "2026-01-31");
/// assert!("31.1.2026".parse::<Date>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date(String);

/// A word that is no day.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{}` is not a date of the form `YYYY-MM-DD`", .0.escape_debug())]
pub struct InvalidDate(pub String);

checked_text!(Date, InvalidDate);

impl Date {
    fn is_valid(text: &str) -> bool {
        let is_shaped = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        is_shaped && ("01"..="12").contains(&&text[5..7]) && ("01"..="31").contains(&&text[8..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_day_is_refused() {
        for word in [
            "",
            "2026-1-31",
            "2026-13-01",
            "2026-00-01",
            "2026-01-32",
            "2026-01-00",
            "../../x-01",
            "2026-01-31 ",
            "é26-01-31",
        ] {
            assert_eq!(word.parse::<Date>(), Err(InvalidDate(word.to_owned())), "{word}");
        }
    }
}
