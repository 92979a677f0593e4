//! Sanitized text: no secrets, and no control characters that a terminal would interpret.

use std::borrow::Cow;

use super::escape_control::escape_control;
use super::redact::redact;

/// Returns sanitized text.
pub(crate) fn safe(text: &str) -> Cow<'_, str> {
    match redact(text) {
        Cow::Borrowed(text) => escape_control(text),
        Cow::Owned(text) => Cow::Owned(escape_control(&text).into_owned()),
    }
}
