//! The command line: parses the arguments, runs the command, and turns its result into an exit code. One file per
//! command.

mod agent_options;
mod agent_selection;
mod args;
mod assignment;
mod call;
mod change;
mod commands;
mod completions;
mod config;
mod configuration;
mod confirm;
mod doctor;
mod errors;
mod exit_codes;
mod failure;
mod flows;
mod guard;
mod init;
mod input;
mod markers;
mod offline_agent;
mod pane;
mod person_only;
mod preferences;
mod print;
mod project_context;
mod prompt;
mod redact_setting;
mod runtime;
mod schedule;
mod state_dir;
mod template_lookup;
mod templates;
mod trust;
mod value_parsers;

use std::io::Write as _;
use std::process::ExitCode;

use anstyle::AnsiColor;
use args::{Cli, Command};
use failure::{Advice, Advise, Failure, Kind, Outcome, PathContext, after_io};
use print::{EventFormat, Format, print_exactly, print_json, print_raw, print_text, report};
use project_context::{
    ProjectContext, ReadChange, archived, current_dir, ensure_nameable, given_up, no_such_change,
    read_history, reject_link, reject_links,
};

use crate::output::label::label;
use crate::output::{logger, spinner};
use crate::process;

/// Runs the program and returns its exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version arrive here too; clap knows where to print and how to exit.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    process::keep_descriptors();
    process::answer_signals(acknowledge);
    // Without this, exceeding the limit would kill agentd.
    let _ = process::survive_size_limit();
    // The offline agent imitates other programs, whose writes are not limited.
    #[cfg(debug_assertions)]
    if !matches!(cli.command, Some(Command::OfflineAgent(_)))
        && let Some(order) = std::env::var_os("AGENTD_FAULT")
    {
        crate::files::faults::arm(&order);
    }
    let done = cli
        .global
        .apply()
        .and_then(|()| person_only::check(cli.command.as_ref()))
        .and_then(|()| cli.command.as_ref().map_or_else(change::overview::print, Command::run));
    match (done, process::first_signal()) {
        (Ok(()), _) => ExitCode::SUCCESS,
        (Err(failure), Some(signal)) => failure.interrupted_by(signal.exit_code()).report(),
        (Err(failure), None) => failure.report(),
    }
}

/// Says that agentd was asked to end, before what is under way has ended.
fn acknowledge() {
    if !logger::is_quiet() {
        let label = label("interrupted", AnsiColor::Yellow);
        // Nothing can be done about a standard error that is gone.
        spinner::above(|| {
            let _ = writeln!(anstream::stderr(), "{label} what is under way is brought to an end");
        });
    }
}
