//! How a command about preferences fails.

use super::super::failure::{Failure, Kind, io_kind};
use crate::prompt::preferences::PreferenceError;

impl From<PreferenceError> for Failure {
    fn from(error: PreferenceError) -> Self {
        let kind = match &error {
            PreferenceError::Entries(_) => Kind::Usage,
            PreferenceError::Outside(_)
            | PreferenceError::NotAFile(_)
            | PreferenceError::Shared(_) => Kind::Outside,
            PreferenceError::NotText(_)
            | PreferenceError::Unclosed(_)
            | PreferenceError::Proposals { .. }
            | PreferenceError::NotPending(_)
            | PreferenceError::NoSuchPreference { .. }
            | PreferenceError::GoesOn { .. } => Kind::Precondition,
            PreferenceError::TooLarge { .. } => Kind::Limit,
            PreferenceError::Io { source, .. } => io_kind(source),
        };
        let failure = Self::new(kind, error.to_string());
        match error.help() {
            Some(help) => failure.help(help),
            None => failure,
        }
    }
}
