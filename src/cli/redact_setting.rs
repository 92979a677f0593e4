//! A setting as it may be shown: without secrets, and without what a terminal would obey.

use crate::config::Listed;
use crate::models::secrets::names_a_secret;
use crate::output::redact::redact_in;
use crate::output::sanitize::safe;

/// What stands in place of a value whose name is a secret's.
const HIDDEN: &str = "***";

/// Returns whether a setting is a variable whose name is a secret's.
fn is_secret(setting: &Listed) -> bool {
    setting.key.contains(".env.") && names_a_secret(&setting.name)
}

/// Shows the value of a setting, as TOML on one line.
pub(super) fn value(setting: &Listed) -> String {
    if is_secret(setting) {
        return format!("\"{HIDDEN}\"");
    }
    safe(&setting.value).into_owned()
}

/// Shows the value of a setting as JSON.
pub(super) fn json(setting: &Listed) -> serde_json::Value {
    if is_secret(setting) {
        return HIDDEN.into();
    }
    let value = setting.value.parse::<toml::Value>().ok();
    let mut value = value.and_then(|value| serde_json::to_value(value).ok()).unwrap_or_default();
    redact_in(&mut value);
    value
}
