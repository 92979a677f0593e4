//! Secrets that are known by the names of their variables, and what is derived from a run without them.

mod contexts;
mod families;
mod names;
mod private_keys;
mod redact;
mod text;
mod values;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

use serde_json::Value;

pub(crate) use names::names_a_secret;
use redact::redact;
use text::is_word;
use values::Values;

use super::agent::AgentSettings;

/// The values of secret variables. They cannot be shown, only hidden.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    values: Values,
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

    /// Takes those of agents: what the configuration gives to them, and what `env_pass` lets through to them. Such a value
    /// is a secret also where only it looks like one, and not its name.
    pub(crate) fn add_agents<'a>(
        &mut self,
        agents: impl IntoIterator<Item = &'a AgentSettings>,
        environment: &[(OsString, OsString)],
    ) {
        for agent in agents {
            let passed = environment.iter().filter_map(|(name, value)| {
                let (name, value) = (name.to_str()?, value.to_str()?);
                agent.lets_through(name).then_some((name, value))
            });
            let given = agent.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            for (name, value) in given.chain(passed) {
                if names_a_secret(name) || looks_like_a_key(value) {
                    self.add_value(value);
                }
            }
        }
    }

    /// Takes a value, line by line, as it is and as JSON writes it.
    fn add_value(&mut self, value: &str) {
        for line in value.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let quoted = Value::from(line).to_string();
            let escaped = &quoted[1..quoted.len() - 1];
            if escaped != line {
                self.values.add(escaped);
            }
            self.values.add(line);
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

/// Returns whether a value may be a key: one word of letters and digits, and no option, path, number or address.
fn looks_like_a_key(value: &str) -> bool {
    const LEAST: usize = 8;
    let has = |wanted: fn(&u8) -> bool| value.as_bytes().iter().any(wanted);
    value.len() >= LEAST
        && value.bytes().all(|byte| is_word(byte) || b"._~+/=%!@#$^&*".contains(&byte))
        && !value.starts_with(['-', '/', '.', '~'])
        && has(u8::is_ascii_alphabetic)
        && has(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::models::agent::Protocol;

    #[test]
    fn only_the_values_of_secret_variables_are_hidden() {
        let secrets = Secrets::of([("DB_PASSWORD", "correct horse"), ("EDITOR", "battery staple")]);
        assert_eq!(secrets.hide("correct horse, battery staple"), "***, battery staple");
    }

    #[test]
    fn what_an_agent_is_given_is_a_secret_where_it_looks_like_a_key() {
        let mut agent = AgentSettings::new("x", Protocol::Offline);
        let given = [("LICENCE", "9Qz7-kk21-Tx0"), ("NODE_OPTIONS", "--max-old-space-size=4096")];
        let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
        agent.env = given.into();
        agent.env_pass = vec!["SHOP_*".to_owned()];
        let environment = [
            ("SHOP_ID", "p4ssw0rd!"),
            ("SHOP_MODE", "production"),
            ("SHOP_HOME", "/srv/shop-2"),
            ("OTHER_ID", "0th3rvalue"),
        ];
        let environment = environment.map(|(name, value)| (name.into(), value.into()));
        let mut secrets = Secrets::default();
        secrets.add_agents([&agent], &environment);
        assert_eq!(
            secrets.hide("9Qz7-kk21-Tx0 --max-old-space-size=4096 p4ssw0rd! production /srv/shop-2 0th3rvalue"),
            "*** --max-old-space-size=4096 *** production /srv/shop-2 0th3rvalue"
        );
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
