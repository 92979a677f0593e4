//! Steps that roles do: a role finds its prompt and the change's files in folders, and hands its work in by tools or files.

pub(super) mod done_marker;
mod facts;
pub(super) mod files;
mod hand_in;
mod live;
mod novelty;
pub(super) mod plans;
mod result;
mod review;
mod server;
mod turn;

pub(super) use facts::known_of_plan;
pub use facts::read_facts;
pub(super) use files::is_kept_review;
pub(super) use hand_in::Requests;
pub(super) use turn::{RoleCall, Turn};
