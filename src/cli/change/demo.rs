//! `agentd demo`: the whole workflow in a scratch repository, with the offline agent.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// What the demo asks for.
const REQUEST: &str = "Add a script that greets whoever is named on its command line";
/// The change's id.
const ID: &str = "add-greeting";

/// See the whole workflow at work: a scratch repository, a request, and the offline agent in every phase.
///
/// No network, no agent and no key is needed: the offline agent has no model behind it and plays its part by rote.
/// Everything else is real: the prompts, the processes, the worktree, the commits, the checks and the archive.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd demo              in a new folder, which it names
  agentd demo /tmp/demo    in this one
  agentd demo --flow quick a small change: implement, review, archive
  agentd demo --flow team  by a team of roles, with coders at work side by side
  agentd demo --flow team --tmux   the same, with every member in a window of a tmux session")]
pub(crate) struct Demo {
    /// The folder to make the scratch repository in; a new one in the temporary folder unless given.
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
        // Nobody has typed `--agent`.
        setup.reasons.clear();
        if self.tmux {
            setup.team.delivery = Handover::Tmux;
        }
        live::check(&setup)?;
        setup.worktrees = setup.project.root.with_file_name("worktrees");
        setup.verify.commands = vec![CommandLine::Shell("sh run-tests.sh".to_owned())];
        let id: ChangeId =
            ID.parse().map_err(|_| Failure::new(Kind::Bug, "the demo's id is none"))?;
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
                .or_fail("cannot make a folder in", &std::env::temp_dir());
        };
        let folder = std::path::absolute(folder).or_fail("cannot find", folder)?;
        if folder.join("repository").exists() {
            let message = format!("`{}` holds a demo already", folder.display());
            return Err(Failure::precondition(message, "name another folder"));
        }
        Ok(folder)
    }
}

/// The check of the scratch repository: runs every test that is there.
const RUN_TESTS: &str = "\
#!/bin/sh
# Runs every test of this repository; one that fails ends it.
for test in $(git ls-files '*.test.sh'); do
    sh \"$test\" || exit 1
done
";

/// Shows where to look at what was made, with commands that can be typed as they are shown.
fn show_around(screen: &Screen, repository: &Path) {
    let agentd = quoted(&typed_name());
    let line = |label, text: String| screen.line(label, &text, Tone::Plain);
    line("look round", format!("cd {}", quoted(&repository.to_string_lossy())));
    for (words, what) in [
        ("log", "every call of an agent: prompt, template, verdict, cost"),
        ("show", "what was planned, found, built and judged"),
        ("diff", "the code"),
        ("merge", "take the code into `main`"),
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
#[expect(clippy::disallowed_methods, reason = "a scratch project that nobody misses")]
fn prepare(folder: &Path) -> Outcome {
    fs::create_dir_all(folder.join("agentd")).or_fail("cannot make", folder)?;
    for (name, text) in FILES {
        fs::write(folder.join(name), text).or_fail("cannot write", folder)?;
    }
    for words in [
        "init --quiet --initial-branch=main",
        "add --all",
        "-c commit.gpgsign=false commit --quiet --message Begin",
    ] {
        let output = Command::new("git")
            .args(["-c", "user.name=agentd demo", "-c", "user.email=demo@localhost"])
            .args(words.split(' '))
            .current_dir(folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .map_err(|error| {
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
