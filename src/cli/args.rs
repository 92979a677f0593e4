//! The command line: global options and the list of commands.

use std::path::PathBuf;

use clap::{ArgAction, Args, ColorChoice, CommandFactory as _, FromArgMatches as _, Parser};
use log::LevelFilter;

use super::commands::commands;
use super::{
    call, change, completions, config, doctor, flows, guard, init, markers, offline_agent, pane,
    preferences, prompt, schedule, templates, trust,
};
use crate::cli::{Outcome, PathContext as _};
use crate::output::logger;
use crate::template::Phase;

/// Runs coding agents through a spec-driven workflow, on prompts that are compiled and checked.
#[derive(Debug, Parser)]
#[command(name = "agentd", version = env!("AGENTD_VERSION"), propagate_version = true, disable_help_subcommand = true)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

impl Cli {
    /// Parses the command line. Help and errors are reported with every command described.
    pub(super) fn read() -> Result<Self, clap::Error> {
        Self::try_parse().or_else(|_| {
            let mut command = Self::command();
            command.build();
            Self::from_arg_matches(&command.try_get_matches()?)
        })
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Global {
    /// Print more on standard error; twice for details.
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
    /// Print errors only.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Use colours (`NO_COLOR` is respected).
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// Run as if started in this folder.
    #[arg(short = 'C', global = true, value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl Global {
    pub(super) fn apply(&self) -> Outcome {
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
            Some(folder) => std::env::set_current_dir(folder).or_fail("cannot enter", folder),
            None => Ok(()),
        }
    }
}

commands! {
    Command {
        Demo(change::demo::Demo),
        Init(init::Init),
        Run(Box<change::run::RunChange>),
        /// Plan a change, if that is the next step.
        Plan(change::phases::OnePhase) with Phase::Plan,
        /// Challenge the plan of a change, if that is the next step.
        Challenge(change::phases::OnePhase) with Phase::Challenge,
        /// Implement a change, if that is the next step.
        Implement(change::phases::OnePhase) with Phase::Implement,
        /// Review the code of a change, if that is the next step.
        Review(change::phases::OnePhase) with Phase::Review,
        /// Archive a change, if that is the next step.
        Archive(change::phases::OnePhase) with Phase::Archive,
        Approve(change::decide::Approve),
        Reject(change::decide::Reject),
        Cancel(change::cancel::Cancel),
        List(change::list::List),
        Status(change::status::Status),
        Log(change::log::Log),
        Show(change::show::Show),
        Diff(change::diff::Diff),
        Merge(change::merge::Merge),
        Rebase(change::rebase::RebaseChange),
        Discard(change::discard::DiscardChange),
        Prune(change::prune::PruneChanges),
        Usage(change::usage::Usage),
        Call(Box<call::Call>),
        Doctor(doctor::Doctor),
        Prompt(Box<prompt::Prompt>),
        Markers(markers::Markers),
        OfflineAgent(offline_agent::OfflineAgent),
        Mcp(change::mcp::Mcp),
        #[command(name = "__guard")]
        Guard(guard::Guard),
        #[command(name = "__pane")]
        Pane(pane::Pane),
        #[command(subcommand)]
        Schedule(schedule::Schedule),
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
}
