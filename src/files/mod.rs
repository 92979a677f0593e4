//! Files as everyone here reads and writes them: small ones are read within bounds, what is written is whole, and what lies
//! below a project's `agentd/` is reached through no link.

#[cfg(feature = "cli")]
mod atomic;
#[cfg(feature = "cli")]
mod failed;
#[cfg(feature = "cli")]
pub(crate) mod faults;
#[cfg(feature = "cli")]
mod machine;
#[cfg(feature = "cli")]
pub(crate) mod own;
#[cfg(feature = "cli")]
mod real_path;
mod small;

#[cfg(feature = "cli")]
pub(crate) use atomic::{
    Unnamed, create_atomically, make_folder, make_private_folder, move_within, replace_atomically,
    replace_in, sync_folder, write_atomically,
};
#[cfg(feature = "cli")]
pub(crate) use failed::{Failed, OrFailed};
#[cfg(feature = "cli")]
pub(crate) use machine::is_of_the_machine;
#[cfg(feature = "cli")]
pub(crate) use real_path::real_path;
#[cfg(feature = "cli")]
pub(crate) use small::is_small;
pub(crate) use small::read_small;
#[cfg(feature = "compiler")]
pub(crate) use small::read_small_own;
