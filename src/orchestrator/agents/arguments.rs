//! What a configuration must not pass to an agent: whatever would continue a session, bring in a system prompt, change
//! the prompt or the output, or allow more than `permissions` does.
//!
//! Each CLI lists its options; one that is not listed is passed on, unless its name tells what it is about. That way
//! a new option of a CLI can be used at once, and a new way to resume a session cannot.

use crate::models::agent::{AgentSettings, Protocol};

use super::environment;
use super::{AgentError, claude, codex, copilot, gemini};

/// Why an argument or variable is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
            Self::Output => "agentd reads the output in a format of its own choice",
            Self::Permission => "what an agent may do is set by `permissions`",
            Self::Mode => "an agent answers one prompt, in the folder that agentd runs it in",
        }
    }
}

/// The options of a CLI. Those that are not listed may take any number of values.
pub(super) struct Options {
    /// The name of its program.
    pub(super) program: &'static str,
    /// Options that take no value.
    pub(super) flags: &'static [&'static str],
    /// Options that take one value.
    pub(super) single: &'static [&'static str],
    /// Options that are refused.
    pub(super) refused: &'static [(Reason, &'static [&'static str])],
    /// Says why a value of an option is refused, if so.
    pub(super) value: fn(option: &str, value: &str) -> Option<Reason>,
}

/// The options of a program of which nothing is known.
const UNKNOWN: Options =
    Options { program: "", flags: &[], single: &[], refused: &[], value: any_value };

/// What is in the name of an option, without hyphens and in small letters, and tells that it must be refused.
const TELLING: [(&str, Reason); 9] = [
    ("resume", Reason::Session),
    ("continue", Reason::Session),
    ("session", Reason::Session),
    ("systemprompt", Reason::SystemPrompt),
    ("instructions", Reason::SystemPrompt),
    ("dangerously", Reason::Permission),
    ("permission", Reason::Permission),
    ("allowall", Reason::Permission),
    ("yolo", Reason::Permission),
];

/// Allows every value.
pub(super) fn any_value(_: &str, _: &str) -> Option<Reason> {
    None
}

/// Refuses arguments and variables of a configuration that an agent must not get.
pub fn check(settings: &AgentSettings) -> Result<(), AgentError> {
    let options = match &settings.protocol {
        Protocol::Claude => &claude::OPTIONS,
        Protocol::Gemini => &gemini::OPTIONS,
        Protocol::Codex => &codex::OPTIONS,
        Protocol::Copilot => &copilot::OPTIONS,
        Protocol::Offline => return Ok(()),
        Protocol::Described(_) => &UNKNOWN,
    };
    let refuse = |what: &str, reason: Reason| {
        let message =
            format!("`{what}` must not be passed to agent `{}`: {}", settings.name, reason.words());
        Err(AgentError::Misconfigured { message })
    };
    let named = options.end_of_name(&settings.command);
    let (launcher, command) = settings.command.split_at(named.unwrap_or(settings.command.len()));
    let in_launcher = launcher.iter().find_map(|word| {
        let name = word.split('=').next()?;
        // Short options before the program's name are the launcher's own.
        let is_own = named.is_some() && !name.starts_with("--");
        let found = if is_own { None } else { options.by_name(name) };
        Some((word.as_str(), found.or_else(|| environment::refusal(name))?))
    });
    let words: Vec<&str> = command.iter().chain(&settings.args).map(String::as_str).collect();
    if let Some((word, reason)) = in_launcher.or_else(|| options.first_refused(&words)) {
        return refuse(word, reason);
    }
    for name in settings.env.keys() {
        if let Some(reason) = environment::refusal(name) {
            return refuse(name, reason);
        }
    }
    Ok(())
}

/// What may follow an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Nothing,
    OneValue,
    Values,
}

impl Options {
    /// Finds where a command has named this program, be it by its path, its package or, after that, once more: what
    /// follows are the program's own words, and what comes before are those of a launcher such as `npx -y`.
    fn end_of_name(&self, command: &[String]) -> Option<usize> {
        let name = |word: &String| word.rsplit('/').next().unwrap_or_default().to_owned();
        let is_it = |word: &String| {
            !word.starts_with('-') && !word.contains('=') && name(word).starts_with(self.program)
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
                self.by_name(name).or_else(|| (self.value)(name, value?))
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
                (self.value)(&option, word)
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
                    return ((self.value)(&name, value), name, Follows::Nothing);
                }
            }
        }
        (None, String::new(), Follows::Nothing)
    }

    /// Says why an option is refused by its name, if so.
    fn by_name(&self, name: &str) -> Option<Reason> {
        if let Some((reason, _)) = self.refused.iter().find(|(_, names)| listed(names, name)) {
            return Some(*reason);
        }
        let plain = plain(name.strip_prefix("--")?);
        if listed(self.flags, name) || listed(self.single, name) || plain.starts_with("no") {
            return None;
        }
        TELLING.iter().find(|(words, _)| plain.contains(words)).map(|(_, reason)| *reason)
    }

    fn follows(&self, name: &str) -> Follows {
        if listed(self.flags, name) {
            Follows::Nothing
        } else if listed(self.single, name) {
            Follows::OneValue
        } else {
            Follows::Values
        }
    }
}

/// Looks a name up. Long names are compared without hyphens and case, as some CLIs do.
fn listed(names: &[&str], name: &str) -> bool {
    names.iter().any(|listed| match (listed.strip_prefix("--"), name.strip_prefix("--")) {
        (Some(listed), Some(name)) => plain(listed) == plain(name),
        (None, None) => *listed == name,
        (Some(_), None) | (None, Some(_)) => false,
    })
}

fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
