//! What is proposed and not yet decided: kept in a file of the project until a person approves or rejects it.

use std::collections::{HashMap, HashSet};

use std::path::{Path, PathBuf};

use super::entry::{Preference, PreferenceEntry, read_entries};
use super::error::PreferenceError;
use super::memory::{Applied, apply, known_to};
use super::proposal::{self, Origin, Proposal, ProposalId};
use super::workplace::{Held, Workplace};
use crate::files::OrFailed as _;

/// The file, below the project's root.
pub const FILE: &str = "agentd/preferences.pending.json";

/// What became of preferences that were proposed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposed {
    /// Those that wait for a person now.
    pub pending: Vec<Proposal>,
    /// Those that are approved or pending already, or were handed in twice.
    pub known: Vec<Preference>,
}

/// Which of the proposals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All there are.
    All,
    /// Those with these ids.
    These(Vec<ProposalId>),
}

/// Keeps preferences until a person has decided on them; `now` is in milliseconds since 1970. If one entry is wrong
/// nothing is kept.
pub fn propose(
    project_dir: &Path,
    entries: &[PreferenceEntry],
    from: &Origin,
    now: u64,
) -> Result<Proposed, PreferenceError> {
    let preferences = read_entries(entries).map_err(PreferenceError::Entries)?;
    if preferences.is_empty() {
        return Ok(Proposed::default());
    }
    let held = Held::take(project_dir)?;
    let mut all = read(held.place())?;
    let mut known = HashMap::new();
    for Preference { role, .. } in &preferences {
        known.insert(*role, known_to(held.place(), *role)?);
    }
    for Proposal { preference: Preference { role, bullet }, .. } in &all {
        known.entry(*role).or_default().insert(bullet.key());
    }
    let mut proposed = Proposed::default();
    for preference in preferences {
        let is_new = known.entry(preference.role).or_default().insert(preference.bullet.key());
        let proposal = Proposal::new(preference, from.clone(), now);
        // Two that say something else and share an id were made so on purpose; who approves one must not get both.
        if is_new && all.iter().all(|other| other.id != proposal.id) {
            proposed.pending.push(proposal.clone());
            all.push(proposal);
        } else {
            proposed.known.push(proposal.preference);
        }
    }
    if !proposed.pending.is_empty() {
        write(&held, &all)?;
    }
    Ok(proposed)
}

/// Lists what waits for a person, the oldest first.
pub fn pending(project_dir: &Path) -> Result<Vec<Proposal>, PreferenceError> {
    read(&Workplace::open(project_dir)?)
}

/// Writes proposals to the files of their roles; they are pending no longer.
pub fn approve(project_dir: &Path, which: &Selection) -> Result<Applied, PreferenceError> {
    let held = Held::take(project_dir)?;
    let (chosen, rest) = select(read(held.place())?, which)?;
    let preferences = chosen.iter().map(|proposal| proposal.preference.clone()).collect();
    // In this order a crash between the two leaves them pending, and to approve them again does no harm.
    let applied = apply(&held, preferences)?;
    if !chosen.is_empty() {
        write(&held, &rest)?;
    }
    Ok(applied)
}

/// Drops proposals, and gives them back.
pub fn reject(project_dir: &Path, which: &Selection) -> Result<Vec<Proposal>, PreferenceError> {
    let held = Held::take(project_dir)?;
    let (chosen, rest) = select(read(held.place())?, which)?;
    if !chosen.is_empty() {
        write(&held, &rest)?;
    }
    Ok(chosen)
}

/// Parts proposals into those that are meant and the others.
fn select(
    all: Vec<Proposal>,
    which: &Selection,
) -> Result<(Vec<Proposal>, Vec<Proposal>), PreferenceError> {
    let Selection::These(ids) = which else { return Ok((all, Vec::new())) };
    let ids: HashSet<_> = ids.iter().collect();
    let known: HashSet<_> = all.iter().map(|proposal| &proposal.id).collect();
    let mut unknown: Vec<_> = ids.difference(&known).map(|id| (*id).clone()).collect();
    if !unknown.is_empty() {
        unknown.sort_by(|left, right| left.as_str().cmp(right.as_str()));
        return Err(PreferenceError::NotPending(unknown));
    }
    Ok(all.into_iter().partition(|proposal| ids.contains(&proposal.id)))
}

fn read(place: &Workplace) -> Result<Vec<Proposal>, PreferenceError> {
    let Some(file) = place.read(FILE)? else { return Ok(Vec::new()) };
    proposal::read(&file.text)
        .map_err(|why| PreferenceError::Proposals { path: PathBuf::from(FILE), why })
}

fn write(held: &Held, all: &[Proposal]) -> Result<(), PreferenceError> {
    let text = proposal::write(all).or_failed("write", FILE)?;
    held.write(FILE, &text)
}
