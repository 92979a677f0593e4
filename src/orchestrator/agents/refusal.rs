//! What a configuration must not pass to an agent: whatever would continue a session, bring in a system prompt, change
//! the prompt or the output, or allow more than `permissions` does.
//!
//! The facts of a CLI list its options; one that is not listed is passed on, unless its name tells what it is about. That
//! way a new option of a CLI can be used at once, and a new way to resume a session cannot.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::AgentError;
use super::environment;
use super::facts::{COMMON, Facts, Keys};
use crate::models::agent::{AgentSettings, Protocol};
use crate::models::wildcard::matches;

/// What is refused, by the reason.
pub(super) type Refused = BTreeMap<Reason, Vec<String>>;

/// Why an argument or variable is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reason {
    /// It would continue an earlier talk or keep this one.
    Session,
    /// It would bring in a system prompt.
    SystemPrompt,
    /// It would change or replace the prompt.
    Prompt,
    /// It would change what is printed.
    Output,
    /// It would allow or forbid tools.
    Permission,
    /// It would run elsewhere or do something else than answer the prompt.
    Mode,
}

impl Reason {
    fn words(self) -> &'static str {
        match self {
            Self::Session => "every run is complete in itself and belongs to no session",
            Self::SystemPrompt => "system prompts are part of the prompt's document",
            Self::Prompt => "agentd itself passes the prompt, on standard input",
            Self::Output => "agentd reads the output in a format that it sets itself",
            Self::Permission => "what an agent may do is set by `permissions`",
            Self::Mode => "an agent answers one prompt, in the folder that agentd runs it in",
        }
    }
}

/// Finds the reason for which something is refused.
pub(super) fn find(refused: &Refused, mut is_it: impl FnMut(&str) -> bool) -> Option<Reason> {
    let found = refused.iter().find(|(_, entries)| entries.iter().any(|entry| is_it(entry)));
    found.map(|(reason, _)| *reason)
}

/// Refuses arguments and variables of a configuration that an agent must not get.
pub fn check(settings: &AgentSettings) -> Result<(), AgentError> {
    // It understands whatever it is given, and resumes nothing.
    if settings.protocol == Protocol::Offline {
        return Ok(());
    }
    let facts = Facts::of(&settings.protocol);
    let named = facts.end_of_name(&settings.command);
    let (launcher, command) = settings.command.split_at(named.unwrap_or(settings.command.len()));
    let in_launcher = launcher.iter().find_map(|word| {
        let name = word.split('=').next()?;
        // Short options before the program's name are the launcher's own.
        let is_own = named.is_some() && !name.starts_with("--");
        let found = if is_own { None } else { facts.by_name(name) };
        Some((word.as_str(), found.or_else(|| environment::refusal(name))?))
    });
    let words: Vec<&str> = command.iter().chain(&settings.args).map(String::as_str).collect();
    let variable = || {
        let mut names = settings.env.keys().map(String::as_str);
        names.find_map(|name| Some((name, environment::refusal(name)?)))
    };
    let refused = in_launcher.or_else(|| facts.first_refused(&words)).or_else(variable);
    let Some((what, reason)) = refused else { return Ok(()) };
    let (agent, why) = (&settings.name, reason.words());
    let message = format!("`{what}` must not be passed to agent `{agent}`: {why}");
    Err(AgentError::Misconfigured { message })
}

/// What may follow an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Nothing,
    OneValue,
    Values,
}

impl Facts {
    /// Finds where a command has named this program, be it by its path, its package or, after that, once more: what
    /// follows are the program's own words, and what comes before are those of a launcher such as `npx -y`.
    fn end_of_name(&self, command: &[String]) -> Option<usize> {
        let name = |word: &String| word.rsplit('/').next().unwrap_or_default().to_owned();
        let is_it = |word: &String| {
            !word.starts_with('-') && !word.contains('=') && name(word).starts_with(&self.program)
        };
        let at = command.iter().position(is_it).filter(|_| !self.program.is_empty())?;
        let again = command.get(at + 1).is_some_and(|word| name(word) == self.program);
        Some(at + if again { 2 } else { 1 })
    }

    /// Finds the first word that is refused.
    fn first_refused<'w>(&self, words: &[&'w str]) -> Option<(&'w str, Reason)> {
        let known = !self.program.is_empty();
        let mut option = String::new();
        let mut follows = if known { Follows::Nothing } else { Follows::Values };
        for &word in words {
            let reason = if word == "--" && known {
                Some(Reason::Prompt)
            } else if word.starts_with("--") {
                let (name, value) = match word.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (word, None),
                };
                name.clone_into(&mut option);
                follows = if value.is_some() { Follows::Nothing } else { self.follows(name) };
                self.by_name(name).or_else(|| self.by_value(name, value?))
            } else if word.len() > 1 && word.starts_with('-') {
                let (found, last, rest) = self.short(word);
                option = last;
                follows = rest;
                found
            } else if follows == Follows::Nothing {
                Some(Reason::Prompt)
            } else {
                if follows == Follows::OneValue {
                    follows = Follows::Nothing;
                }
                self.by_value(&option, word)
            };
            if let Some(reason) = reason {
                return Some((word, reason));
            }
        }
        None
    }

    /// Reads short options, of which several may share a word: why one of them is refused, the name of the last,
    /// and what may follow it.
    fn short(&self, word: &str) -> (Option<Reason>, String, Follows) {
        let letters = &word[1..];
        for (at, letter) in letters.char_indices() {
            let name = format!("-{letter}");
            if let Some(reason) = self.by_name(&name) {
                return (Some(reason), name, Follows::Nothing);
            }
            let after = &letters[at + letter.len_utf8()..];
            match self.follows(&name) {
                Follows::Nothing => {}
                follows if after.is_empty() => return (None, name, follows),
                Follows::OneValue | Follows::Values => {
                    let value = after.strip_prefix('=').unwrap_or(after);
                    return (self.by_value(&name, value), name, Follows::Nothing);
                }
            }
        }
        (None, String::new(), Follows::Nothing)
    }

    /// Returns why an option is refused by its name, if so.
    fn by_name(&self, name: &str) -> Option<Reason> {
        let options = &self.options;
        if let Some(reason) = find(&options.refused, |listed| is_same(listed, name)) {
            return Some(reason);
        }
        let plain = plain(name.strip_prefix("--")?);
        let is_known = self.follows(name) != Follows::Values || plain.starts_with("no");
        if is_known { None } else { find(&COMMON.telling, |words| plain.contains(words)) }
    }

    /// Returns why a value of an option is refused, if so: it sets a key of the CLI's configuration.
    fn by_value(&self, option: &str, value: &str) -> Option<Reason> {
        let Keys { set_by, allowed, refused } = self.options.keys.as_ref()?;
        let is_of_key = |c: &char| !c.is_whitespace() && !"\"'".contains(*c);
        let key: String = value.split('=').next()?.chars().filter(is_of_key).collect();
        if !set_by.iter().any(|name| name == option) || key == *allowed {
            return None;
        }
        let root = key.split('.').next().unwrap_or_default();
        find(refused, |pattern| matches(pattern, &key) || matches(pattern, root))
    }

    fn follows(&self, name: &str) -> Follows {
        let is_listed = |names: &[String]| names.iter().any(|listed| is_same(listed, name));
        if is_listed(&self.options.flags) {
            Follows::Nothing
        } else if is_listed(&self.options.single) {
            Follows::OneValue
        } else {
            Follows::Values
        }
    }
}

/// Compares names of options: long ones without hyphens and case, as some CLIs do.
fn is_same(listed: &str, name: &str) -> bool {
    match (listed.strip_prefix("--"), name.strip_prefix("--")) {
        (Some(listed), Some(name)) => plain(listed) == plain(name),
        (None, None) => listed == name,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
