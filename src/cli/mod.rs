//! The command line: what was typed becomes a command, the command runs, its result becomes an exit code.
//! One file a command.

mod call;
mod completions;
mod config;
mod configuration;
mod doctor;
mod failure;
mod guard;
mod hidden;
mod init;
mod input;
mod installed;
mod markers;
mod offline_agent;
mod prompt;
mod question;
mod run_failure;
mod runtime;
mod state_folder;
mod templates;
mod trust;
mod words;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgAction, Args, ColorChoice, Parser, Subcommand};
use log::LevelFilter;

use crate::output::logger;
use failure::{Failure, Outcome};

/// Runs coding agents through a spec-driven workflow, on prompts that are compiled and checked.
#[derive(Debug, Parser)]
#[command(name = "agentd", version = env!("AGENTD_VERSION"), propagate_version = true, disable_help_subcommand = true)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
struct Global {
    /// Say more on standard error; twice for details.
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
    /// Say nothing but errors.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Use colours (`NO_COLOR` is respected).
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// Run as if started in this folder.
    #[arg(short = 'C', global = true, value_name = "DIR")]
    directory: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Init),
    Call(Box<call::Call>),
    Doctor(doctor::Doctor),
    Prompt(Box<prompt::Prompt>),
    Markers(markers::Markers),
    #[command(subcommand)]
    Templates(templates::Templates),
    OfflineAgent(offline_agent::OfflineAgent),
    #[command(subcommand)]
    Config(config::Config),
    Trust(trust::Trust),
    Completions(completions::Completions),
    #[command(name = "__guard")]
    Guard(guard::Guard),
}

/// Runs the program and gives its exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too; clap knows where to print and how to exit.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(cli: &Cli) -> Outcome {
    cli.global.apply()?;
    match &cli.command {
        Some(Command::Init(init)) => init.run(),
        Some(Command::Call(call)) => call.run(),
        Some(Command::Doctor(doctor)) => doctor.run(),
        Some(Command::Prompt(prompt)) => prompt.run(),
        Some(Command::Markers(markers)) => markers.run(),
        Some(Command::Templates(templates)) => templates.run(),
        Some(Command::OfflineAgent(agent)) => agent.run(),
        Some(Command::Config(config)) => config.run(),
        Some(Command::Trust(trust)) => trust.run(),
        Some(Command::Completions(completions)) => completions.run(),
        Some(Command::Guard(guard)) => guard.run(),
        None => welcome(),
    }
}

impl Global {
    fn apply(&self) -> Outcome {
        let color = match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        color.write_global();
        logger::start(match (self.quiet, self.verbose) {
            (true, _) => LevelFilter::Error,
            (false, 0) => LevelFilter::Warn,
            (false, 1) => LevelFilter::Info,
            (false, _) => LevelFilter::Debug,
        });
        match &self.directory {
            Some(directory) => std::env::set_current_dir(directory)
                .map_err(|error| Failure::io("cannot enter", directory, &error)),
            None => Ok(()),
        }
    }
}

/// Says what this is and what to try next.
fn welcome() -> Outcome {
    let text = "\
agentd runs coding agents (Claude Code, Gemini CLI, Codex CLI) through a spec-driven workflow:
plan -> challenge -> implement -> review -> archive. Its prompts are compiled into this binary.

Try next:
  agentd prompt plan --agent claude \"Add login\"   the exact prompt that would be sent
  agentd templates list                           which template serves which agent and phase
  agentd doctor                                   which agents can be used here
  agentd --help                                   every command
";
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(())
}
