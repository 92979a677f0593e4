//! Putting away a change that is done, as one step that can be done again after a crash.
//!
//! The agent writes only below `changes/ID/archive/`. [`plan()`] checks that, refuses a main spec that others changed
//! since planning ([`baseline()`]), and says what will be written and moved: data, to be kept in the journal before
//! [`apply()`] does it. Each step knows the file before and after it, so that it is done once however often it is
//! tried; a file that is neither is somebody else's work, and nothing is overwritten.
//!
//! The changelog is `agentd/CHANGELOG.md`, also where the project has one at its root: agentd touches nothing of the
//! user's checkout but `agentd/`.
//!
//! When [`apply()`] says that a file changed under a plan, a new plan can be made at once: a spec that already is what
//! the change makes of it is no conflict, and an entry that the changelog already holds is not added again.

mod apply;
pub mod baseline;
mod changelog;
mod date;
mod error;
mod place;
mod plan;
mod take_back;
mod version;

pub use apply::{apply, apply_watched};
pub use baseline::{Baseline, Conflict, baseline, conflicts};
pub use changelog::merge;
pub use date::{Date, InvalidDate};
pub use error::ArchiveError;
pub use place::{CHANGELOG, Found, look};
pub use plan::{ArchivePlan, Change, FileStep, SpecStep, Step, plan, plan_move};
pub use take_back::{TakenBack, keep_replaced, move_back, take_back};
