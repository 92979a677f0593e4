//! A change from its request to its archive, through the commands: what a crash, a signal, a second run, a full disk and
//! a damaged journal come to.

#[cfg(target_os = "linux")]
mod attacks;
mod corpus;
mod crafted;
mod ends;
mod first_change;
mod hostile;
mod journals;
mod kills;
mod locks;
pub(crate) mod scene;
mod tools;
