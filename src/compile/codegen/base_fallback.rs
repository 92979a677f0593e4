//! Which template serves an agent in a phase. Decided when the catalog is generated, so that no look-up can fail.

use crate::compile::Compilation;
use crate::template::{Agent, Phase};

/// Finds the template that serves an agent in a phase: its own, or BASE.
pub(super) fn serving(compilation: &Compilation, agent: Agent, phase: Phase) -> Option<usize> {
    let of = |agent| {
        compilation.system.iter().position(|unit| unit.agent == agent && unit.phase == phase)
    };
    of(agent).or_else(|| of(Agent::Base))
}
