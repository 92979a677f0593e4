//! `agentd demo`: the whole workflow in a scratch repository, with the offline agent.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use clap::Args;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::installed;
use super::super::words::flow;
use super::drive::{Course, drive};
use super::live::{self, Afterwards, LiveOptions};
use super::team;
use super::workshop::{AgentOptions, Room, set_up, set_up_team};
use crate::engine::change::Change;
use crate::engine::driver::Way;
use crate::engine::entry::Entry;
use crate::engine::flow::Flow;
use crate::engine::setup::Setup;
use crate::engine::team::{TeamStep, TeamWay};
use crate::models::change::ChangeId;
use crate::models::command::{CommandLine, quoted};
use crate::models::settings::Handover;
use crate::output::screen::{Audience, Screen};
use crate::output::story::Tone;
use crate::template::{Phase, Role};

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
  agentd demo --flow team  by a team of roles, with coders at work side by side
  agentd demo --flow team --tmux   the same, with every member in a window of a tmux session")]
pub(in super::super) struct Demo {
    /// The folder to make the scratch repository in; a new one in the temporary folder unless given.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Who brings the change on: phases with specs (`sdd`), or a team of roles (`team`).
    #[arg(long, value_name = "FLOW", value_parser = flow, default_value = "sdd")]
    flow: Flow,
    /// Show the team at work in a tmux session.
    #[arg(long)]
    tmux: bool,
    /// Print events as JSON lines.
    #[arg(long)]
    json: bool,
}

impl Demo {
    pub(in super::super) fn run(&self) -> Outcome {
        if self.flow != Flow::Team {
            LiveOptions { tmux: self.tmux, keep_session: false }.refuse_without_team()?;
        }
        let folder = self.scratch()?;
        let repository = folder.join("repository");
        prepare(&repository)?;
        std::env::set_current_dir(&repository)
            .map_err(|error| Failure::io("cannot enter", &repository, &error))?;
        let screen =
            Arc::new(Screen::new(if self.json { Audience::Programs } else { Audience::people() }));
        let place = format!("a scratch repository in {}", repository.display());
        screen.line("demo", &place, Tone::Plain);
        screen.line("request", REQUEST, Tone::Plain);
        let options =
            AgentOptions { agents: vec!["offline".to_owned()], ..AgentOptions::default() };
        let room = Room::find()?;
        let mut setup = match self.flow {
            Flow::Sdd => set_up(room, &options, Phase::ALL)?,
            Flow::Team => set_up_team(room, &options, Role::ALL, Role::ALL)?,
        };
        if self.tmux {
            setup.team.delivery = Handover::Tmux;
        }
        live::check(&setup)?;
        setup.worktrees = setup.project.root.with_file_name("worktrees");
        setup.verify.commands = vec![CommandLine::Shell("sh run-tests.sh".to_owned())];
        let id: ChangeId =
            ID.parse().map_err(|_| Failure::new(Kind::Bug, "the demo's id is none"))?;
        match self.flow {
            Flow::Sdd => {
                let change = Change::create(&id, &setup.project, REQUEST)?;
                drive(&setup, change, &screen, &Course::Way(Way::default()))?;
            }
            Flow::Team => show_team(&setup, &id, &screen)?,
        }
        show_around(&screen, &repository);
        Ok(())
    }

    fn scratch(&self) -> Outcome<PathBuf> {
        let Some(folder) = &self.folder else {
            let made = tempfile::Builder::new().prefix("agentd-demo-").tempdir();
            return made.map(tempfile::TempDir::keep).map_err(|error| {
                Failure::io("cannot make a folder in", &std::env::temp_dir(), &error)
            });
        };
        let folder = std::path::absolute(folder)
            .map_err(|error| Failure::io("cannot find", folder, &error))?;
        if folder.join("repository").exists() {
            let message = format!("`{}` holds a demo already", folder.display());
            return Err(Failure::new(Kind::Precondition, message).help("name another folder"));
        }
        Ok(folder)
    }
}

/// Has a team bring the change on, and approves it as a person would.
fn show_team(setup: &Setup, id: &ChangeId, screen: &Arc<Screen>) -> Outcome {
    let change = Change::create_for_team(id, &setup.project, REQUEST, TeamStep::Architect)?;
    team::drive(setup, change, screen, &TeamWay::default(), Afterwards::Closed)?;
    screen.line("approved", "as you would with `agentd approve`", Tone::Plain);
    let mut change = Change::hold(id, &setup.project.change(id))?;
    change.happened(Entry::Approved { note: None })?;
    team::drive(setup, change, screen, &TeamWay::default(), Afterwards::Closed)
}

/// The check of the scratch repository: runs every test that is there.
const RUN_TESTS: &str = "\
#!/bin/sh
# Runs every test of this repository; one that fails ends it.
for test in $(git ls-files '*.test.sh'); do
    sh \"$test\" || exit 1
done
";

/// Says where to look at what was made, with commands that can be typed as they are shown.
fn show_around(screen: &Screen, repository: &Path) {
    let agentd = quoted(&installed::typed_name());
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

/// Makes a repository with one commit.
#[expect(clippy::disallowed_methods, reason = "a scratch project that nobody misses")]
fn prepare(folder: &Path) -> Outcome {
    let io = |error: std::io::Error| Failure::io("cannot write", folder, &error);
    fs::create_dir_all(folder.join("agentd")).map_err(io)?;
    fs::write(folder.join("README.md"), "# Greetings\n\nA project for trying agentd.\n")
        .map_err(io)?;
    fs::write(folder.join("run-tests.sh"), RUN_TESTS).map_err(io)?;
    let project = "# Project\n\nGreetings: POSIX shell scripts, each with a test that `sh` runs.\n";
    fs::write(folder.join("agentd/project.md"), project).map_err(io)?;
    let identity = [
        "-c",
        "user.name=agentd demo",
        "-c",
        "user.email=demo@localhost",
        "-c",
        "commit.gpgsign=false",
    ];
    for words in [
        &["init", "--quiet", "--initial-branch=main"][..],
        &["add", "--all"],
        &["commit", "--quiet", "--message", "Begin"],
    ] {
        let output = Command::new("git")
            .args(identity)
            .args(words)
            .current_dir(folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output();
        let output = output.map_err(|error| {
            Failure::new(Kind::Precondition, format!("cannot run `git`: {error}"))
                .help("install git")
        })?;
        if !output.status.success() {
            let message = format!(
                "`git {}` failed: {}",
                words.join(" "),
                String::from_utf8_lossy(&output.stderr).trim()
            );
            return Err(Failure::new(Kind::Precondition, message));
        }
    }
    Ok(())
}
