//! Secrets that are known by the names of their variables, and what is derived from a run without them.

use std::borrow::Cow;
use std::ffi::OsStr;

use serde_json::Value;

pub(crate) use super::redact::names_a_secret;
use super::redact::redact;

/// The values of secret variables. They cannot be shown, only hidden.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    values: Vec<String>,
}

impl Secrets {
    /// Takes the values of those variables whose names are a secret's.
    pub(crate) fn of<N: AsRef<OsStr>, V: AsRef<OsStr>>(
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let mut secrets = Self::default();
        secrets.add(variables);
        secrets
    }

    /// Takes more of them.
    pub(crate) fn add<N: AsRef<OsStr>, V: AsRef<OsStr>>(
        &mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) {
        for (name, value) in variables {
            if names_a_secret(&name.as_ref().to_string_lossy()) {
                self.add_value(&value.as_ref().to_string_lossy());
            }
        }
    }

    /// Takes a value, line by line, as it is and as JSON writes it.
    fn add_value(&mut self, value: &str) {
        for line in value.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let quoted = Value::from(line).to_string();
            let escaped = &quoted[1..quoted.len() - 1];
            if escaped != line {
                self.values.push(escaped.to_owned());
            }
            self.values.push(line.to_owned());
        }
    }

    /// Hides these secrets in a text, and whatever can be told to be a key or token.
    pub(crate) fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        redact(text, &self.values)
    }

    /// Hides them in every text of a JSON value.
    pub(crate) fn hide_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(hidden) = self.hide(text) {
                    *text = hidden;
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.hide_in(value)),
            Value::Object(values) => values.values_mut().for_each(|value| self.hide_in(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_values_of_secret_variables_are_hidden() {
        let secrets = Secrets::of([("DB_PASSWORD", "correct horse"), ("EDITOR", "battery staple")]);
        assert_eq!(secrets.hide("correct horse, battery staple"), "***, battery staple");
    }

    #[test]
    fn a_secret_of_several_lines_is_hidden_line_by_line_and_as_json_writes_it() {
        let secrets = Secrets::of([("SSH_KEY", "-----BEGIN-----\nabc\"def\n\n")]);
        assert_eq!(secrets.hide("at abc\"def or \"abc\\\"def\""), "at *** or \"***\"");
        assert_eq!(secrets.hide("x -----BEGIN-----"), "x ***");
    }

    #[test]
    fn json_keeps_its_shape() {
        let secrets = Secrets::of([("API_KEY", "hunter2!")]);
        let mut value =
            json!({ "a": ["hunter2!", 1], "b": { "c": "is hunter2!" }, "hunter2!": null });
        secrets.hide_in(&mut value);
        assert_eq!(value, json!({ "a": ["***", 1], "b": { "c": "is ***" }, "hunter2!": null }));
    }
}
