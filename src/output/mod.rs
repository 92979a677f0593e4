//! What people read: messages on standard error, and text from elsewhere that must not command a terminal.

pub(crate) mod amount;
pub(crate) mod events;
pub(crate) mod json_line;
mod lanes;
pub(crate) mod logger;
pub(crate) mod screen;
pub(crate) mod secrets;
pub(crate) mod shown;
pub(crate) mod spinner;
pub(crate) mod stopped;
pub(crate) mod story;
pub(crate) mod visible;
