//! `agentd demo`: the whole workflow in a scratch repository, with the offline agent.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use super::agents::still_needed;
use super::drive::{RunScope, drive};
use super::flow::has_roles;
use super::live::{self, LiveOptions};
use super::setup::{Needed, set_up};
use crate::cli::agent_options::AgentOptions;
use crate::cli::agent_selection::typed_name;
use crate::cli::flows::load::find_flow;
use crate::cli::{EventFormat, Failure, Kind, Outcome, PathContext as _, ProjectContext};
use crate::engine::change::{Change, NewChange};
use crate::engine::entry::Entry;
use crate::models::change::ChangeId;
use crate::models::command::{CommandLine, quoted};
use crate::models::settings::Handover;
use crate::output::human::Tone;
use crate::output::screen::Screen;
use crate::process::{self, Haste};

/// The request of the demo.
const REQUEST: &str = "Add a script that greets everyone named on its command line";
/// How long git may take among three files.
const GIT_TIME_LIMIT: Duration = Duration::from_mins(1);
/// The change's id.
const ID: &str = "add-greeting";

/// Run the whole workflow in a scratch repository, with the offline agent in every step.
///
/// No network, no installed agent and no key is needed: the offline agent has no model and gives fixed answers.
/// Everything else is real: the prompts, the processes, the workspace, the commits, the checks and the archive.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd demo              in a new folder, whose name is printed
  agentd demo /tmp/demo    in this folder
  agentd demo --flow quick a small change: implement, review, archive
  agentd demo --flow team  by a team of roles, with coders working in parallel
  agentd demo --flow team --tmux   the same, with every member in a window of a tmux session")]
pub(crate) struct Demo {
    /// The folder to create the scratch repository in [default: a new one in the temporary folder].
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The flow: sdd, team or quick.
    #[arg(long, value_name = "FLOW", default_value = "sdd")]
    flow: String,
    /// Show the team at work in a tmux session.
    #[arg(long)]
    tmux: bool,
    #[command(flatten)]
    format: EventFormat,
}

impl Demo {
    pub(crate) fn run(&self) -> Outcome {
        let flow = find_flow(Path::new(""), &self.flow)?;
        if !has_roles(&flow.flow) {
            LiveOptions { tmux: self.tmux, keep_session: false }.reject_without_roles()?;
        }
        let folder = self.scratch()?;
        let repository = folder.join("repository");
        prepare(&repository)?;
        std::env::set_current_dir(&repository).or_fail("cannot enter", &repository)?;
        let screen = self.format.screen();
        let place = format!("a scratch repository in {}", repository.display());
        screen.line("demo", &place, Tone::Plain);
        screen.line("request", REQUEST, Tone::Plain);
        let options = AgentOptions::of_all("offline");
        let new = NewChange { request: REQUEST, flow: flow.copy(), product_manager: false };
        let steps = still_needed(&flow.flow, None, &new, None, None);
        let needed = Needed { steps, begun: None };
        let mut setup = set_up(ProjectContext::find()?, &options, &flow, needed)?;
        // No `--agent` option was typed.
        setup.reasons.clear();
        if self.tmux {
            setup.team.delivery = Handover::Tmux;
        }
        live::check(&setup)?;
        setup.workspaces = setup.project.root.with_file_name("workspaces");
        setup.verify.commands = vec![CommandLine::Shell("sh run-tests.sh".to_owned())];
        let id: ChangeId =
            ID.parse().map_err(|_| Failure::new(Kind::Bug, "the demo's change id is invalid"))?;
        let change = Change::create(&id, &setup.project, new)?;
        let scope = RunScope::default();
        drive(&setup, change, &screen, scope, LiveOptions::default())?;
        let folder = setup.project.change(&id);
        if folder.exists() {
            screen.line("approved", "as you would with `agentd approve`", Tone::Plain);
            let mut change = Change::hold(&id, &setup.project)?;
            change.happened(Entry::Approved { note: None })?;
            drive(&setup, change, &screen, scope, LiveOptions::default())?;
        }
        show_around(&screen, &repository);
        Ok(())
    }

    fn scratch(&self) -> Outcome<PathBuf> {
        let Some(folder) = &self.folder else {
            let made = tempfile::Builder::new().prefix("agentd-demo-").tempdir();
            return made
                .map(tempfile::TempDir::keep)
                .or_fail("cannot create a folder in", &std::env::temp_dir());
        };
        let folder = std::path::absolute(folder).or_fail("cannot find", folder)?;
        if folder.join("repository").exists() {
            let message = format!("`{}` already holds a demo", folder.display());
            return Err(Failure::precondition(message, "name another folder"));
        }
        Ok(folder)
    }
}

/// The check of the scratch repository: runs every test in it.
const RUN_TESTS: &str = "\
#!/bin/sh
# Runs every test of this repository; the first failure stops the run.
for test in $(git ls-files '*.test.sh'); do
    sh \"$test\" || exit 1
done
";

/// Shows where to look at the results, as commands that can be typed as shown.
fn show_around(screen: &Screen, repository: &Path) {
    let agentd = quoted(&typed_name());
    let line = |label, text: String| screen.line(label, &text, Tone::Plain);
    line("explore", format!("cd {}", quoted(&repository.to_string_lossy())));
    for (words, what) in [
        ("log", "every call of an agent: prompt, template, verdict, cost"),
        ("show", "what was planned, found, built and judged"),
        ("diff", "the code"),
        ("merge", "merge the code into `main`"),
    ] {
        line(
            "",
            format!("{agentd} {words} {ID:<width$}  # {what}", width = ID.len() + 5 - words.len()),
        );
    }
}

/// The files of the scratch repository.
const FILES: [(&str, &str); 3] = [
    ("README.md", "# Greetings\n\nA project for trying agentd.\n"),
    ("run-tests.sh", RUN_TESTS),
    (
        "agentd/project.md",
        "# Project\n\nGreetings: POSIX shell scripts, each with a test that `sh` runs.\n",
    ),
];

/// Creates a repository with one commit.
#[expect(clippy::disallowed_methods, reason = "a scratch project that can be deleted")]
fn prepare(folder: &Path) -> Outcome {
    fs::create_dir_all(folder.join("agentd")).or_fail("cannot create", folder)?;
    for (name, text) in FILES {
        fs::write(folder.join(name), text).or_fail("cannot write", folder)?;
    }
    for words in [
        "init --quiet --initial-branch=main",
        "add --all",
        "-c commit.gpgsign=false commit --quiet --message Begin",
    ] {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=agentd demo", "-c", "user.email=demo@localhost"])
            .args(words.split(' '))
            .current_dir(folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        let run = process::output(&mut git, GIT_TIME_LIMIT, Haste::Soon);
        let (output, _) = run.map_err(|error| {
            Failure::precondition(format!("cannot run `git`: {error}"), "install git")
        })?;
        if !output.status.success() {
            let reason = String::from_utf8_lossy(&output.stderr);
            let message = format!("`git {words}` failed: {}", reason.trim());
            return Err(Failure::new(Kind::Precondition, message));
        }
    }
    Ok(())
}
