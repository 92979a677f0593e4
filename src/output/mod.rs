//! The output for people and programs: events as lines or JSON, and external text, which must show no secret and not
//! control a terminal.

pub(crate) mod escape_control;
pub(crate) mod events;
pub(crate) mod format;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod label;
mod lanes;
pub(crate) mod logger;
pub(crate) mod redact;
pub(crate) mod run_result;
pub(crate) mod sanitize;
pub(crate) mod screen;
pub(crate) mod spinner;
pub(crate) mod table;
