//! What must hold of any input: one file for each target, with a function `check` that panics where it does not.
//!
//! The fuzz targets call them with what libFuzzer makes up, and `tests/it/fuzz.rs` with what is kept in `seeds/` and
//! `regressions/`. They know the library as its users do, and work out what is right in a way of their own.

pub(crate) mod envelope;
pub(crate) mod markers;
#[cfg(feature = "cli")]
pub(crate) mod mcp;
#[cfg(feature = "cli")]
pub(crate) mod paths;
#[cfg(feature = "cli")]
pub(crate) mod patterns;
#[cfg(feature = "cli")]
pub(crate) mod plans;
#[cfg(feature = "cli")]
pub(crate) mod templates;
#[cfg(feature = "cli")]
pub(crate) mod terminal;

/// Parts an input: no UTF-8 holds this byte.
const BORDER: u8 = 0xff;

/// Cuts an input into its parts, of which there is always one.
fn parts(input: &[u8]) -> Vec<&[u8]> {
    input.split(|byte| *byte == BORDER).collect()
}

/// Cuts an input into texts.
fn texts(input: &[u8]) -> Vec<String> {
    parts(input).into_iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}
