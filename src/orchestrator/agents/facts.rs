//! What each CLI is like: a file of facts for each, compiled in and read once. Another one says what holds for all of them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Dialog;
use super::events::Printed;
use super::failure::Kind;
use super::install::Package;
use super::prompt_limit::PromptLimit;
use super::refusal::Refused;
use crate::models::agent::{Permissions, Protocol};

/// The facts about one CLI.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Facts {
    /// The name of its program.
    pub(super) program: String,
    pub(super) package: Option<Package>,
    #[serde(default)]
    pub(super) call: Call,
    #[serde(default)]
    pub(super) environment: Variables,
    #[serde(default)]
    pub(super) options: Options,
    /// Where it keeps its settings, logins and sessions: it writes there, and others do not read it.
    #[serde(default)]
    pub(super) state: Vec<String>,
    #[serde(default)]
    pub(super) printed: Printed,
}

/// How it is called.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Call {
    /// The first words where it answers one prompt.
    pub(super) headless: Vec<String>,
    /// The first words on a screen of its own.
    pub(super) interactive: Vec<String>,
    /// The option that names the model.
    pub(super) model: Option<String>,
    /// The model by whose price a call is counted that names none, where the CLI does not report what it used.
    pub(super) assumed_model: Option<String>,
    /// The option that names a further folder to write to.
    pub(super) folder: Option<String>,
    /// The variable that names the folder of its state.
    pub(super) home: Option<String>,
    pub(super) largest_prompt: Vec<PromptLimit>,
    /// The questions on its screen that are confirmed at every level.
    pub(super) dialogs: Vec<Dialog>,
    read: Level,
    write: Level,
    shell: Level,
}

/// What a level of permissions means to it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Level {
    pub(super) words: Vec<String>,
    /// The words in place of those where agentd's sandbox confines it, in which it can begin none of its own.
    pub(super) confined: Vec<String>,
    /// Words that it knows only where it answers one prompt.
    pub(super) headless: Vec<String>,
    /// The tools that it uses without asking.
    pub(super) allowed: Vec<String>,
    /// The rules that it is given in a file.
    pub(super) rules: Option<String>,
    /// The questions on its screen that are confirmed at this level alone.
    pub(super) dialogs: Vec<Dialog>,
}

impl Call {
    pub(super) const fn level(&self, permissions: Permissions) -> &Level {
        match permissions {
            Permissions::Read => &self.read,
            Permissions::Write => &self.write,
            Permissions::Shell => &self.shell,
        }
    }
}

/// Its variables; each is a pattern.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Variables {
    /// Those that no other CLI sees.
    pub(super) own: Vec<String>,
    /// Some of another CLI's that it sees too.
    pub(super) also: Option<Borrowed>,
    /// Those that it sets for the programs it starts.
    pub(super) marks: Vec<String>,
    /// Those of the user's that no folder of agentd's replaces.
    pub(super) keeps: Vec<String>,
    /// Those that are set for it.
    pub(super) set: BTreeMap<String, String>,
    /// Those that would change who an agent is, whose talk it continues or what it may do.
    pub(super) refused: Refused,
}

/// Variables of another CLI.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Borrowed {
    /// The variable with which they are seen.
    pub(super) with: String,
    pub(super) names: String,
    pub(super) but: String,
}

/// Its options. Those that are not listed may take any number of values.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Options {
    /// Those that take no value.
    pub(super) flags: Vec<String>,
    /// Those that take one value.
    pub(super) single: Vec<String>,
    pub(super) refused: Refused,
    pub(super) keys: Option<Keys>,
}

/// The keys of its configuration that an option sets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Keys {
    pub(super) set_by: Vec<String>,
    pub(super) allowed: String,
    pub(super) refused: Refused,
}

/// What holds for every CLI.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Common {
    /// The variables that every program needs.
    pub(super) base: Vec<String>,
    /// The arguments that say best what a tool is used for.
    pub(super) main_arguments: Vec<String>,
    pub(super) environment: Variables,
    /// Words in the name of an option.
    pub(super) telling: Refused,
    /// Words of error messages.
    pub(super) messages: BTreeMap<Kind, Vec<String>>,
}

pub(super) static COMMON: LazyLock<Common> = LazyLock::new(|| read(include_str!("facts.toml")));

static CLIS: LazyLock<[Facts; 4]> = LazyLock::new(|| {
    [
        read(include_str!("claude/facts.toml")),
        read(include_str!("gemini/facts.toml")),
        read(include_str!("codex/facts.toml")),
        read(include_str!("copilot/facts.toml")),
    ]
});

static OFFLINE: LazyLock<Facts> = LazyLock::new(|| read(include_str!("described/offline.toml")));

static DESCRIBED: LazyLock<Facts> = LazyLock::new(|| read(include_str!("described/facts.toml")));

impl Facts {
    /// Returns the facts about what an agent understands and prints.
    pub(super) fn of(protocol: &Protocol) -> &'static Self {
        match protocol {
            Protocol::Claude => &CLIS[0],
            Protocol::Gemini => &CLIS[1],
            Protocol::Codex => &CLIS[2],
            Protocol::Copilot => &CLIS[3],
            Protocol::Offline => &OFFLINE,
            Protocol::Described(_) => &DESCRIBED,
        }
    }

    /// Lists the CLIs that are known.
    pub(super) fn all() -> impl Iterator<Item = &'static Self> {
        CLIS.iter()
    }

    /// Lists the variables of all CLIs, and what holds for every one.
    pub(super) fn all_variables() -> impl Iterator<Item = &'static Variables> {
        CLIS.iter().map(|facts| &facts.environment).chain([&COMMON.environment])
    }
}

#[expect(clippy::expect_used, reason = "the files are compiled in, and a test reads each")]
fn read<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("the facts are valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_facts_is_in_order_and_complete() {
        assert_eq!(COMMON.messages.len(), 6);
        for (cli, name) in CLIS.iter().zip(["claude", "gemini", "codex", "copilot"]) {
            assert_eq!(cli.program, name);
            assert!(cli.package.is_some() && cli.call.model.is_some() && cli.call.folder.is_some());
            assert!(cli.call.home.is_some() && !cli.call.headless.is_empty(), "{name}");
            for level in [Permissions::Read, Permissions::Write, Permissions::Shell] {
                assert!(!cli.call.level(level).words.is_empty(), "{name} {level:?}");
            }
            assert!(!cli.environment.own.is_empty() && !cli.environment.marks.is_empty(), "{name}");
            assert!(!cli.options.refused.is_empty() && !cli.options.single.is_empty(), "{name}");
        }
        for facts in [&*OFFLINE, &*DESCRIBED] {
            assert!(facts.program.is_empty() && facts.package.is_none());
        }
    }

    #[test]
    fn no_option_is_listed_twice() {
        for Facts { program, options, .. } in CLIS.iter() {
            let refused = options.refused.values().flatten();
            let mut all: Vec<_> =
                options.flags.iter().chain(&options.single).chain(refused).collect();
            all.sort_unstable();
            assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{program}");
        }
    }
}
