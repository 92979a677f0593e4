//! Agents run under a guard: they end as they should, all that they print is kept, and nobody survives them.

mod ends;
mod output;
mod overlay;
mod sandbox;
pub(crate) mod scene;
mod survivors;
