//! What is known of installing each CLI: its package, how one logs in, the version that its adapter was checked with,
//! and how to read the version that a program prints.

use std::cmp::Ordering;

use serde::Deserialize;

use super::facts::Facts;
use crate::models::agent::Protocol;

/// How a CLI is installed, and with which version of it agentd was checked.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Its name in the npm registry.
    pub name: String,
    /// The version that the adapter was checked with.
    pub checked: [u64; 3],
    /// How one logs in, after "log in:".
    pub login: String,
}

impl Package {
    /// Returns the package of a CLI that has one.
    pub fn of(protocol: &Protocol) -> Option<&'static Self> {
        Facts::of(protocol).package.as_ref()
    }

    /// Returns the command that installs it.
    pub fn install(&self) -> String {
        format!("npm install -g {}", self.name)
    }

    /// Returns the version that the adapter was checked with, as it is written.
    pub fn checked_version(&self) -> String {
        self.checked.map(|number| number.to_string()).join(".")
    }
}

/// A version as a program prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// As it was printed.
    pub text: String,
    numbers: [u64; 3],
    is_final: bool,
}

/// How a version stands to the one that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is the one.
    Checked,
    /// It is newer.
    Newer,
    /// It is older.
    Older,
}

impl Version {
    /// Finds the first version in what a program printed: `2.1.326 (Claude Code)`, `codex-cli 0.169.0`.
    pub fn read(printed: &str) -> Option<Self> {
        printed.split_whitespace().find_map(Self::word)
    }

    fn word(word: &str) -> Option<Self> {
        let word = word.trim_start_matches(['v', '(']).trim_end_matches(['.', ',', ';', ':', ')']);
        let (numbers, rest) = word.split_at(word.find(['-', '+']).unwrap_or(word.len()));
        let mut pieces = numbers.split('.');
        let mut number = || pieces.next()?.parse::<u64>().ok();
        let (major, minor) = (number()?, number()?);
        let numbers = [major, minor, number().unwrap_or(0)];
        Some(Self { text: word.to_owned(), numbers, is_final: !rest.starts_with('-') })
    }

    /// Compares it with the version that was checked; what comes before a release is older than it.
    pub fn standing(&self, checked: [u64; 3]) -> Standing {
        match self.numbers.cmp(&checked) {
            Ordering::Greater => Standing::Newer,
            Ordering::Equal if self.is_final => Standing::Checked,
            Ordering::Equal | Ordering::Less => Standing::Older,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_found_in_what_each_program_prints() {
        for (printed, expected) in [
            ("2.1.326 (Claude Code)\n", "2.1.326"),
            ("0.61.0", "0.61.0"),
            ("codex-cli 0.169.0\n", "0.169.0"),
            ("GitHub Copilot CLI 1.0.102.\nCommit: 1a2b3c4\n", "1.0.102"),
            ("git version 2.39.5 (Apple Git-154)", "2.39.5"),
            ("tool v3.12-rc1+build.5, of today", "3.12-rc1+build.5"),
        ] {
            let version = Version::read(printed).expect(printed);
            assert_eq!(version.text, expected, "{printed}");
        }
        for printed in
            ["", "no version", "7", "a.b.c", "v", "1.x", "...", "99999999999999999999.0.0"]
        {
            assert_eq!(Version::read(printed), None, "{printed}");
        }
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let standing = |text| Version::read(text).expect("a version").standing([0, 61, 0]);
        assert_eq!(standing("0.61.0"), Standing::Checked);
        assert_eq!(standing("0.61"), Standing::Checked);
        assert_eq!(standing("0.61.0+abc"), Standing::Checked);
        assert_eq!(standing("0.100.0"), Standing::Newer);
        assert_eq!(standing("1.0.0-beta"), Standing::Newer);
        assert_eq!(standing("0.9.9"), Standing::Older);
        assert_eq!(standing("0.61.0-nightly.3"), Standing::Older);
    }
}
