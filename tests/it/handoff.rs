//! Handing in work: what is checked, what becomes of it, and what cannot be forged by it.

mod blocked;
mod fallback;
mod faults;
mod files;
mod hostile;
mod repeated;
pub(crate) mod scene;
mod set_aside;
