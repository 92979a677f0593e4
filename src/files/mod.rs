//! Files as everyone here reads and writes them: small ones are read within bounds, and what is written is whole.

#[cfg(feature = "cli")]
mod atomic;
#[cfg(feature = "cli")]
pub(crate) mod faults;
#[cfg(feature = "cli")]
mod machine;
mod small;

#[cfg(feature = "cli")]
pub(crate) use atomic::{
    create_atomically, make_folder, replace_atomically, sync_file, sync_folder, write_atomically,
};
#[cfg(feature = "cli")]
pub(crate) use machine::is_of_the_machine;
pub(crate) use small::read_small;
