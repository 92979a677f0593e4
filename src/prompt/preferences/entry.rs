//! A preference as an agent hands it in, and what it becomes once it is known to be right.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::bullet::{Bullet, BulletFault};
use crate::template::Role;
use crate::template::nearest::nearest;

/// How much of a word that is no role is repeated to whoever wrote it.
const LONGEST_SHOWN: usize = 40;

/// A preference as it was handed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreferenceEntry {
    /// The role that is to heed it.
    pub target_role: String,
    /// What it says, with or without its marker.
    pub bullet: String,
}

/// A preference that may be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preference {
    /// The role that is to heed it.
    pub role: Role,
    /// What it says.
    pub bullet: Bullet,
}

/// What is wrong with one entry of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryFault {
    /// Which entry, counted from 1.
    pub number: usize,
    /// What is wrong with it.
    pub wrong: Wrong,
}

/// What can be wrong with an entry.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Wrong {
    /// There is no such role.
    #[error("`{word}` is not a role: {}", advice(*near))]
    Role {
        /// What stood there, made fit to be shown.
        word: String,
        /// The role that was likely meant.
        near: Option<&'static str>,
    },
    /// It cannot be a preference.
    #[error(transparent)]
    Bullet(#[from] BulletFault),
}

impl fmt::Display for EntryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {}: {}", self.number, self.wrong)
    }
}

/// Reads entries, or says all that is wrong with any of them.
///
/// ```
/// use agentd::prompt::preferences::{PreferenceEntry, read_entries};
///
/// let entry = |role: &str, text: &str| PreferenceEntry { target_role: role.into(), bullet: text.into() };
/// assert!(read_entries(&[entry("coder", "- Keep regression tests")]).is_ok());
/// let faults = read_entries(&[entry("../x", "a"), entry("codr", "a\nb")]).unwrap_err();
/// assert_eq!(faults[1].to_string(), "entry 2: `codr` is not a role: did you mean `coder`?");
/// assert_eq!(faults.len(), 3);
/// ```
pub fn read_entries(entries: &[PreferenceEntry]) -> Result<Vec<Preference>, Vec<EntryFault>> {
    let mut preferences = Vec::with_capacity(entries.len());
    let mut faults = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let mut wrong = |wrong| faults.push(EntryFault { number: index + 1, wrong });
        let role = role(&entry.target_role).map_err(&mut wrong).ok();
        let bullet = Bullet::read(&entry.bullet);
        let bullet =
            bullet.map_err(|all| all.into_iter().map(Wrong::from).for_each(&mut wrong)).ok();
        preferences.extend(role.zip(bullet).map(|(role, bullet)| Preference { role, bullet }));
    }
    if faults.is_empty() { Ok(preferences) } else { Err(faults) }
}

fn role(word: &str) -> Result<Role, Wrong> {
    Role::from_word(word).ok_or_else(|| {
        let shown: String = word.chars().take(LONGEST_SHOWN).collect();
        let near = nearest(word, Role::WORDS.iter().copied());
        Wrong::Role { word: shown.escape_debug().to_string(), near }
    })
}

fn advice(near: Option<&str>) -> String {
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the roles are {}", Role::WORDS.join(", ")),
    }
}
