//! A setting as shown: without secrets and control characters.

use crate::config::Listed;
use crate::models::secrets::names_a_secret;
use crate::output::redact::redact_in;
use crate::output::sanitize::safe;

/// The placeholder for a secret value.
const HIDDEN: &str = "***";

/// Returns whether a setting is a variable with the name of a secret.
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
