//! Preference memory: what people want of a role, kept as bullets in the project's own prompt files, so that every
//! later prompt of that role says it.
//!
//! Pure: `bullet` and `entry` (what may be said, and to whom), `key` (what is the same), `document` (the Markdown file).
//! With files: `workplace` (one at a time, within the project), `memory` (what is approved), `pending` (what is proposed).
//! Nobody here reads a clock or prints.

mod bullet;
mod document;
mod entry;
mod error;
mod key;
mod memory;
mod pending;
mod proposal;
mod workplace;

pub use bullet::{Bullet, BulletFault, LONGEST};
pub use entry::{EntryFault, Preference, PreferenceEntry, Wrong, read_entries};
pub use error::PreferenceError;
pub use memory::{Applied, Approved, Which, Written, apply_preference_entries, approved, remove};
pub use pending::{FILE as PENDING, Proposed, Selection, approve, pending, propose, reject};
pub use proposal::{InvalidProposalId, Origin, Proposal, ProposalId};
