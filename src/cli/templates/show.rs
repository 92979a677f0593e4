//! `agentd templates show`: prints the text of one template.

use std::io::{self, Write as _};

use clap::Args;

use crate::catalog::TEAM;
use crate::cli::Outcome;
use crate::cli::template_lookup::served;
use crate::cli::value_parsers::{command, role};
use crate::template::{Command, Role, TeamPrompt};

/// Print the template for an agent in a phase, or a prompt of the team, with its shared fragments.
#[derive(Debug, Args)]
#[command(override_usage = "agentd templates show <AGENT> <PHASE>\n       \
                            agentd templates show --role <ROLE>|--command <COMMAND>|--context")]
pub(crate) struct Show {
    /// claude, gemini, codex or base.
    #[arg(required_unless_present_any = ["role", "command", "context"], requires = "phase")]
    agent: Option<String>,
    /// plan, challenge, implement, review or archive.
    phase: Option<String>,
    /// The prompt of a role: architect, planner, product-manager, reviewer, coder, code-researcher, web-researcher or
    /// designer.
    #[arg(long, value_parser = role, conflicts_with = "agent")]
    role: Option<Role>,
    /// The prompt of a command: review, fix, summary or change.
    #[arg(long, value_parser = command, conflicts_with_all = ["agent", "role"])]
    command: Option<Command>,
    /// The context that all prompts of the team share.
    #[arg(long, conflicts_with_all = ["agent", "role", "command"])]
    context: bool,
}

impl Show {
    pub(crate) fn run(&self) -> Outcome {
        io::stdout().lock().write_all(self.text()?.as_bytes())?;
        Ok(())
    }

    fn text(&self) -> Outcome<&'static str> {
        let prompt = match (self.role, self.command) {
            (Some(role), _) => TeamPrompt::Role(role),
            (None, Some(command)) => TeamPrompt::Command(command),
            (None, None) if self.context => TeamPrompt::Context,
            (None, None) => {
                let word = |word: &Option<String>| word.clone().unwrap_or_default();
                return Ok(served(&word(&self.agent), &word(&self.phase))?.text);
            }
        };
        Ok(TEAM.get(prompt).text)
    }
}
