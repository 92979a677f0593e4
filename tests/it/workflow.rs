//! A change from its request to its archive, through the commands: what a crash, a signal, a second run, a full disk and
//! a damaged journal come to.

mod crafted;
mod ends;
mod journals;
mod kills;
mod locks;
pub(crate) mod scene;
