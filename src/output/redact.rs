//! Redacts secrets in output: those of the environment, which are collected on the first output, and those that the
//! configuration adds.

use std::borrow::Cow;
use std::env;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::models::agent::AgentSettings;
use crate::models::secrets::Secrets;

static KNOWN: Mutex<Option<Secrets>> = Mutex::new(None);

/// Adds variables to those of the environment: values of variables with the name of a secret are redacted from now on.
pub(crate) fn add<'a>(variables: impl IntoIterator<Item = (&'a String, &'a String)>) {
    let mut variables = variables.into_iter().peekable();
    if variables.peek().is_some() {
        with_known(|known| known.add(variables));
    }
}

/// Adds the secrets that agents are given: they are redacted from now on.
pub(crate) fn add_agents<'a>(agents: impl IntoIterator<Item = &'a AgentSettings>) {
    let environment: Vec<_> = env::vars_os().collect();
    with_known(|known| known.add_agents(agents, &environment));
}

/// Redacts secrets in a text.
pub(crate) fn redact(text: &str) -> Cow<'_, str> {
    with_known(|known| known.hide(text))
}

/// Redacts secrets in every string of a JSON value.
pub(crate) fn redact_in(value: &mut Value) {
    with_known(|known| known.hide_in(value));
}

fn with_known<T>(action: impl FnOnce(&mut Secrets) -> T) -> T {
    // A thread that panicked with the lock has not left half a secret.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    action(known.get_or_insert_with(|| Secrets::of(env::vars_os())))
}
