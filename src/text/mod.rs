//! Texts whose parts know their places: YAML and TOML as values, fields as data, and the outline of Markdown. What they should say is for others to
//! decide; nothing here reads files. `build.rs` mounts this folder as it stands.

pub(crate) mod excerpt;
pub(crate) mod field;
pub(crate) mod node;
pub(crate) mod outline;
pub(crate) mod toml;
pub(crate) mod yaml;
