//! What is approved: preferences are written to the prompt files of their roles, listed from them, and taken out again.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use super::bullet::Bullet;
use super::document::{Document, GoesOn};
use super::entry::{Preference, PreferenceEntry, read_entries};
use super::error::PreferenceError;
use super::key::BulletKey;
use super::workplace::{Found, Held, Workplace};
use crate::template::Role;

/// What became of preferences that were to be kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Those that were written.
    pub written: Vec<Written>,
    /// Those that were there already, or were handed in twice.
    pub known: Vec<Preference>,
}

/// A preference that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The preference.
    pub preference: Preference,
    /// Its file, below the project's root.
    pub file: String,
}

/// A preference that stands in a role's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved {
    /// The role that heeds it.
    pub role: Role,
    /// Its number among those of the role, from 1.
    pub number: usize,
    /// What it says. People write such files too, so that it may be anything.
    pub words: String,
    /// Its file, below the project's root.
    pub file: String,
}

/// Which of a role's preferences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one with this number, from 1.
    Number(usize),
    /// The one that says this, whatever the case and spacing.
    Words(String),
}

/// Writes preferences to the prompt files of their roles, each under `## Approved Preferences`. What is there already,
/// in any bullet of the role's files, is not written again. If one entry is wrong nothing is written.
///
/// Every file is replaced as a whole, by one process at a time. The next prompt that is built has them.
///
/// ```
/// use agentd::prompt::preferences::{PreferenceEntry, apply_preference_entries};
///
/// # let folder = tempfile::tempdir()?;
/// # let project = folder.path();
/// let entry = PreferenceEntry { target_role: "coder".into(), bullet: "- Keep regression tests".into() };
/// assert_eq!(apply_preference_entries(project, &[entry.clone()])?.written.len(), 1);
/// assert_eq!(apply_preference_entries(project, &[entry])?.known.len(), 1);
/// let file = std::fs::read_to_string(project.join("agentd/prompts/agents/coder.md"))?;
/// assert_eq!(file, "## Approved Preferences\n\n- Keep regression tests\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn apply_preference_entries(
    project_dir: &Path,
    entries: &[PreferenceEntry],
) -> Result<Applied, PreferenceError> {
    let preferences = read_entries(entries).map_err(PreferenceError::Entries)?;
    if preferences.is_empty() {
        return Ok(Applied::default());
    }
    apply(&Held::take(project_dir)?, preferences)
}

/// Lists what is approved, role by role.
pub fn approved(project_dir: &Path, roles: &[Role]) -> Result<Vec<Approved>, PreferenceError> {
    let place = Workplace::open(project_dir)?;
    let mut all = Vec::new();
    for role in roles {
        all.extend(approved_of(&place, *role)?);
    }
    Ok(all)
}

/// Takes one preference out of its file, and gives it back. Nothing else in the file changes.
pub fn remove(project_dir: &Path, role: Role, which: &Which) -> Result<Approved, PreferenceError> {
    let held = Held::take(project_dir)?;
    let mut approved = approved_of(held.place(), role)?;
    let place = match which {
        Which::Number(number) => number.checked_sub(1).filter(|place| *place < approved.len()),
        Which::Words(words) => {
            let key = BulletKey::of(words);
            approved.iter().position(|other| BulletKey::of(&other.words) == key)
        }
    };
    let Some(place) = place else {
        let which = match which {
            Which::Number(number) => number.to_string(),
            Which::Words(words) => format!("`{}`", words.escape_debug()),
        };
        return Err(PreferenceError::NoSuchPreference { role, which });
    };
    let found = approved.swap_remove(place);
    for file in held.place().prompts(role)?.into_iter().filter(|file| file.path == found.file) {
        let before =
            approved.iter().filter(|other| other.file == found.file && other.number < found.number);
        let text = Document::read(&file.text).without(before.count());
        let text = text.transpose().map_err(|GoesOn| PreferenceError::GoesOn {
            role,
            number: found.number,
            path: PathBuf::from(&found.file),
        })?;
        if let Some(text) = text {
            held.write(&file.path, &text)?;
        }
    }
    Ok(found)
}

fn approved_of(place: &Workplace, role: Role) -> Result<Vec<Approved>, PreferenceError> {
    let mut all = Vec::new();
    for file in place.prompts(role)? {
        for words in Document::read(&file.text).approved() {
            let (number, words) = (all.len() + 1, words.to_owned());
            all.push(Approved { role, number, words, file: file.path.clone() });
        }
    }
    Ok(all)
}

/// Returns what the bullets of a role's files say.
pub(super) fn known_to(
    place: &Workplace,
    role: Role,
) -> Result<HashSet<BulletKey>, PreferenceError> {
    Ok(keys_in(&place.prompts(role)?))
}

fn keys_in(files: &[Found]) -> HashSet<BulletKey> {
    files.iter().flat_map(|file| Document::read(&file.text).keys().collect::<Vec<_>>()).collect()
}

/// Writes preferences. Every new text is made before the first is written, so that a file which cannot be used keeps all
/// of them as they are.
pub(super) fn apply(held: &Held, preferences: Vec<Preference>) -> Result<Applied, PreferenceError> {
    let mut by_role: BTreeMap<Role, Vec<Bullet>> = BTreeMap::new();
    for Preference { role, bullet } in preferences {
        by_role.entry(role).or_default().push(bullet);
    }
    let mut applied = Applied::default();
    // Each file as it will be.
    let mut drafts = Vec::new();
    for (role, bullets) in by_role {
        let files = held.place().prompts(role)?;
        let mut known = keys_in(&files);
        let (fresh, old): (Vec<_>, Vec<_>) =
            bullets.into_iter().partition(|bullet| known.insert(bullet.key()));
        applied.known.extend(old.into_iter().map(|bullet| Preference { role, bullet }));
        if fresh.is_empty() {
            continue;
        }
        let mut file = files.into_iter().next().unwrap_or_else(|| Workplace::new_prompt(role));
        let text = Document::read(&file.text).with_added(&fresh);
        file.text = text.ok_or_else(|| PreferenceError::Unclosed(PathBuf::from(&file.path)))?;
        Held::refuse_large(&file.path, &file.text)?;
        let written =
            |bullet| Written { preference: Preference { role, bullet }, file: file.path.clone() };
        applied.written.extend(fresh.into_iter().map(written));
        drafts.push(file);
    }
    for draft in drafts {
        held.write(&draft.path, &draft.text)?;
    }
    Ok(applied)
}
