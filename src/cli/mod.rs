//! The command line: what was typed becomes a command, the command runs, its result becomes an exit code.
//! One file a command.

mod call;
mod change;
mod completions;
mod config;
mod configuration;
mod doctor;
mod failure;
mod flows;
mod guard;
mod hidden;
mod init;
mod input;
mod installed;
mod markers;
mod offline_agent;
mod pane;
mod preferences;
mod prompt;
mod question;
mod run_failure;
mod runtime;
mod schedule;
mod served;
mod state_folder;
mod templates;
mod trust;
mod words;

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgAction, Args, ColorChoice, Parser, Subcommand};
use log::LevelFilter;

use crate::output::shown::shown;
use crate::output::visible::visible;
use crate::output::{json_line, logger};
use crate::template::Phase;
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
    Demo(change::demo::Demo),
    Init(init::Init),
    Run(Box<change::run::RunChange>),
    /// Plan a change, if that is what is next.
    Plan(change::phases::OnePhase),
    /// Challenge the plan of a change, if that is what is next.
    Challenge(change::phases::OnePhase),
    /// Implement a change, if that is what is next.
    Implement(change::phases::OnePhase),
    /// Review the code of a change, if that is what is next.
    Review(change::phases::OnePhase),
    /// Archive a change, if that is what is next.
    Archive(change::phases::OnePhase),
    Approve(change::decide::Approve),
    Reject(change::decide::Reject),
    Cancel(change::cancel::Cancel),
    List(change::list::List),
    Status(change::status::Status),
    Log(change::log::Log),
    Show(change::show::Show),
    Diff(change::diff::Diff),
    Merge(change::merge::Merge),
    Usage(change::usage::Usage),
    Call(Box<call::Call>),
    Doctor(doctor::Doctor),
    #[command(flatten)]
    Often(Often),
    #[command(subcommand)]
    Schedule(schedule::ScheduleCommand),
    #[command(subcommand)]
    Preferences(preferences::Preferences),
    #[command(subcommand)]
    Templates(templates::Templates),
    #[command(subcommand)]
    Flows(flows::Flows),
    #[command(subcommand)]
    Config(config::Config),
    Trust(trust::Trust),
    Completions(completions::Completions),
}

/// What is called often, in pipes and by agentd itself.
#[derive(Debug, Subcommand)]
enum Often {
    Prompt(Box<prompt::Prompt>),
    Markers(markers::Markers),
    OfflineAgent(offline_agent::OfflineAgent),
    Mcp(change::mcp::Mcp),
    #[command(name = "__guard")]
    Guard(guard::Guard),
    #[command(name = "__pane")]
    Pane(pane::Pane),
}

impl Often {
    const NAMES: [&str; 6] = ["prompt", "markers", "offline-agent", "mcp", "__guard", "__pane"];
}

/// The command line as far as [`Often`] goes, which is read in half the time: the other commands are not described.
#[derive(Debug, Parser)]
#[command(name = "agentd")]
struct Quick {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Often,
}

/// Reads the command line. What is wrong with it, and help, are told by the whole of it.
fn parse() -> Result<Cli, clap::Error> {
    let is_often = |word: &OsString| Often::NAMES.iter().any(|name| word == name);
    // Options of all commands may stand before the command's name.
    if std::env::args_os().skip(1).take(3).any(|word| is_often(&word))
        && let Ok(Quick { global, command }) = Quick::try_parse()
    {
        return Ok(Cli { global, command: Some(Command::Often(command)) });
    }
    Cli::try_parse()
}

/// Runs the program and gives its exit code.
pub fn main() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too; clap knows where to print and how to exit.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    // The offline agent stands for programs of others, whose writing is not ours.
    #[cfg(debug_assertions)]
    if !matches!(cli.command, Some(Command::Often(Often::OfflineAgent(_))))
        && let Some(order) = std::env::var_os("AGENTD_FAULT")
    {
        crate::files::faults::arm(&order);
    }
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(cli: &Cli) -> Outcome {
    cli.global.apply()?;
    match &cli.command {
        Some(Command::Demo(demo)) => demo.run(),
        Some(Command::Init(init)) => init.run(),
        Some(Command::Run(run)) => run.run(),
        Some(Command::Plan(one)) => one.run(Phase::Plan),
        Some(Command::Challenge(one)) => one.run(Phase::Challenge),
        Some(Command::Implement(one)) => one.run(Phase::Implement),
        Some(Command::Review(one)) => one.run(Phase::Review),
        Some(Command::Archive(one)) => one.run(Phase::Archive),
        Some(Command::Approve(approve)) => approve.run(),
        Some(Command::Reject(reject)) => reject.run(),
        Some(Command::Cancel(cancel)) => cancel.run(),
        Some(Command::List(list)) => list.run(),
        Some(Command::Status(status)) => status.run(),
        Some(Command::Log(log)) => log.run(),
        Some(Command::Show(show)) => show.run(),
        Some(Command::Diff(diff)) => diff.run(),
        Some(Command::Merge(merge)) => merge.run(),
        Some(Command::Usage(usage)) => usage.run(),
        Some(Command::Call(call)) => call.run(),
        Some(Command::Doctor(doctor)) => doctor.run(),
        Some(Command::Often(Often::Prompt(prompt))) => prompt.run(),
        Some(Command::Often(Often::Markers(markers))) => markers.run(),
        Some(Command::Often(Often::OfflineAgent(agent))) => agent.run(),
        Some(Command::Often(Often::Mcp(mcp))) => mcp.run(),
        Some(Command::Often(Often::Guard(guard))) => guard.run(),
        Some(Command::Often(Often::Pane(pane))) => pane.run(),
        Some(Command::Schedule(schedule)) => schedule.run(),
        Some(Command::Preferences(preferences)) => preferences.run(),
        Some(Command::Templates(templates)) => templates.run(),
        Some(Command::Flows(flows)) => flows.run(),
        Some(Command::Config(config)) => config.run(),
        Some(Command::Trust(trust)) => trust.run(),
        Some(Command::Completions(completions)) => completions.run(),
        None => change::here::welcome(),
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

/// Whom a result is printed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// People.
    Text,
    /// Programs.
    Json,
}

impl Form {
    /// Reads `--json`.
    const fn of(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

/// Prints text for people, fit to be shown.
fn say(text: &str) -> Outcome {
    anstream::stdout().write_all(shown(text).as_bytes())?;
    Ok(())
}

/// Tells people what was done, unless they asked for quiet.
fn tell(text: &str) -> Outcome {
    if logger::is_quiet() { Ok(()) } else { say(text) }
}

/// Prints bytes as they are to whoever reads them; a terminal is shown what it must not obey.
fn print_exactly(bytes: &[u8]) -> Outcome {
    let mut stdout = std::io::stdout().lock();
    if stdout.is_terminal() {
        stdout.write_all(visible(&String::from_utf8_lossy(bytes)).as_bytes())?;
    } else {
        stdout.write_all(bytes)?;
    }
    Ok(stdout.flush()?)
}

/// Prints JSON for programs, without secrets.
fn print_json(value: &serde_json::Value) -> Outcome {
    writeln!(std::io::stdout().lock(), "{}", json_line::written_large(value.clone()))?;
    Ok(())
}
