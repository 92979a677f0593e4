//! What people read: messages on standard error, and how long results look.

pub(crate) mod logger;
pub(crate) mod visible;
