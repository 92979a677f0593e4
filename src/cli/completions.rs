//! `agentd completions`: shell completions.

use std::io::Write as _;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::args::Cli;
use crate::cli::Outcome;

/// Print the completions for a shell.
///
/// Write them to the folder where your shell looks for completions, or load them in its start-up file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd completions bash > ~/.local/share/bash-completion/completions/agentd
  agentd completions zsh > ~/.zfunc/_agentd     with ~/.zfunc in $fpath
  agentd completions fish > ~/.config/fish/completions/agentd.fish")]
pub(super) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self) -> Outcome {
        let mut command = without_internal(&Cli::command());
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "agentd", &mut script);
        Ok(std::io::stdout().lock().write_all(&script)?)
    }
}

/// Leaves out the commands that agentd itself starts.
fn without_internal(command: &clap::Command) -> clap::Command {
    let kept = clap::Command::new("agentd")
        .version(env!("AGENTD_VERSION"))
        .disable_help_subcommand(true)
        .args(command.get_arguments().cloned());
    kept.subcommands(
        command.get_subcommands().filter(|below| !below.get_name().starts_with("__")).cloned(),
    )
}
