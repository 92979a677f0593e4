//! The environment that an agent runs in: agentd's own, but for what would lead the agent astray or is none of its
//! business.
//!
//! - What would give it a system prompt, a session or more leave never reaches it.
//! - What marks a running agent does not either: an agent that finds itself inside another behaves differently.
//! - It sees the variables of its own vendor only, and of the others just those that `env_pass` names. Claude Code on
//!   Vertex AI also sees Google's, but for the keys of the Gemini API. Those of clouds and companies that make no
//!   CLI of ours, such as `AWS_*`, all agents see.
//! - Under `env_clear` it sees nothing but the base that every program needs and what `env_pass` names, keys included.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use super::Request;
use super::facts::{Borrowed, COMMON, Facts};
use super::refusal::{self, Reason};
use crate::models::wildcard::matches;

/// A complete environment, in order.
pub(super) type Environment = BTreeMap<OsString, OsString>;

fn is_among(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| matches(pattern, name))
}

/// Returns whether a variable is for the agents of one vendor: their keys, and how they are set up.
pub fn belongs_to_agents(name: &OsStr) -> bool {
    let is_own = |name| Facts::all_variables().any(|it| is_among(&it.own, name));
    name.to_str().is_some_and(is_own)
}

/// Returns why no agent may get a variable, if so.
pub(super) fn refusal(name: &str) -> Option<Reason> {
    Facts::all_variables()
        .find_map(|variables| refusal::find(&variables.refused, |pattern| matches(pattern, name)))
}

/// Returns the environment of a run: what is passed on, then the configuration's variables, then the CLI's own.
pub(super) fn of(request: &Request<'_>, facts: &Facts) -> Environment {
    let settings = request.settings;
    let is_set = |wanted: &str| {
        settings.env.contains_key(wanted)
            || request.environment.iter().any(|(name, _)| name.to_str() == Some(wanted))
    };
    let variables = &facts.environment;
    let borrowed = variables.also.as_ref().filter(|also| is_set(&also.with));
    let is_borrowed = |also: &Borrowed, name: &str| matches(&also.names, name) && name != also.but;
    let passes = |name: &str| {
        settings.lets_through(name)
            || if settings.env_clear {
                is_among(&COMMON.base, name)
            } else {
                is_among(&variables.own, name)
                    || !Facts::all_variables().any(|other| is_among(&other.own, name))
                    || borrowed.is_some_and(|also| is_borrowed(also, name))
            }
    };
    let is_harmless = |name: &str| {
        refusal(name).is_none() && !Facts::all_variables().any(|it| is_among(&it.marks, name))
    };
    let passed = request.environment.iter().filter(|(name, _)| match name.to_str() {
        Some(name) => is_harmless(name) && passes(name),
        // No name that we know is no UTF-8.
        None => !settings.env_clear,
    });
    let is_kept = |name: &OsString| variables.keeps.iter().any(|kept| name == kept.as_str());
    let tools = request.tools.iter().filter(|(name, _)| !is_kept(name));
    let mut environment: Environment = passed.chain(tools).cloned().collect();
    let set = settings.env.iter().chain(&variables.set);
    environment.extend(set.map(|(name, value)| (name.into(), value.into())));
    environment
}
