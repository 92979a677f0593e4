//! What people read: messages on standard error, and text from elsewhere that must not command a terminal.

pub(crate) mod logger;
pub(crate) mod secrets;
pub(crate) mod shell;
pub(crate) mod shown;
pub(crate) mod visible;
