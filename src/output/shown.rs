//! Text as it may be shown: no secrets, and no control characters that a terminal would obey.

use std::borrow::Cow;

use super::secrets::hide;
use super::visible::visible;

/// Makes text fit to be shown.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    match hide(text) {
        Cow::Borrowed(text) => visible(text),
        Cow::Owned(text) => Cow::Owned(visible(&text).into_owned()),
    }
}
