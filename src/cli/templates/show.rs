//! `agentd templates show`: the text of one template.

use std::io::{self, Write as _};

use clap::Args;

use super::super::failure::Outcome;
use crate::orchestrator::prompts::load_system_template;

/// Print the template that serves an agent in a phase, with its shared fragments in place.
#[derive(Debug, Args)]
pub(in super::super) struct Show {
    /// claude, gemini, codex or base.
    agent: String,
    /// plan, challenge, implement, review or archive.
    phase: String,
}

impl Show {
    pub(in super::super) fn run(&self) -> Outcome {
        let text = load_system_template(&self.agent, &self.phase)?;
        io::stdout().lock().write_all(text.as_bytes())?;
        Ok(())
    }
}
