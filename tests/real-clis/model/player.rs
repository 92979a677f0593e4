//! A model that plays the phases of a change: what agentd's own offline agent would write, it writes with the tools of
//! the CLI that asks it, one at a time, and then gives the same answer.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use agentd::orchestrator::offline::{Played, play};

use super::behaviour::{Mind, Script, Turn};
use super::server::Asked;
use crate::cli::Cli;

/// What a judge is tempted to write.
pub(crate) const STRAY: &str = "stray.txt";

/// How those phases behave in which nothing may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judges {
    /// They only answer.
    Answer,
    /// They try to write to the workspace first, with a tool and with a command.
    Trespass,
}

/// A model that plays the phases of a change for one CLI.
pub(crate) struct Player {
    cli: Cli,
    judges: Judges,
    /// What it does in the run that is under way.
    script: Mutex<Script>,
}

impl Player {
    pub(crate) fn new(cli: Cli, judges: Judges) -> Self {
        Self { cli, judges, script: Mutex::new(Script::new([])) }
    }

    /// Decides on a run by its first request. What cannot be played is the answer, so that it is found in the run.
    fn script(&self, asked: &Asked) -> Script {
        let played = || {
            let workspace = self.cli.workspace(&asked.body).ok_or("no folder is told")?;
            let document = self.document(asked).ok_or("no document of agentd's is sent")?;
            let played = play(&document).map_err(|error| error.to_string())?;
            Ok::<_, String>(self.turns(&played, &workspace))
        };
        Script::new(played().unwrap_or_else(|reason| vec![Turn::Say(reason)]))
    }

    /// Finds agentd's document in what the CLI sends.
    fn document(&self, asked: &Asked) -> Option<String> {
        let begins = |text: &String| text.find("<prompt").map(|start| text[start..].to_owned());
        let document = asked.user_texts.iter().find_map(begins)?;
        Some(match self.cli {
            Cli::Gemini => document.replace("\\@", "@"),
            Cli::Claude | Cli::Codex | Cli::Copilot => document,
        })
    }

    fn turns(&self, played: &Played, workspace: &Path) -> Vec<Turn> {
        let cli = self.cli;
        let mut turns = Vec::new();
        if played.files.is_empty() && self.judges == Judges::Trespass {
            let path = workspace.join(STRAY);
            turns.push(Turn::Use(cli.write(&path, "stray")));
            turns.push(Turn::Use(cli.shell(&format!("echo stray > '{}'", path.display()))));
        }
        for (path, text) in &played.files {
            let (path, in_workspace) = (workspace.join(path), path.is_relative());
            let tools = match fs::read_to_string(&path) {
                Ok(old) if old == *text => continue,
                Ok(old) => cli.replace(&path, &old, text),
                Err(_) => vec![cli.write(&path, text)],
            };
            let folder = path.parent().filter(|folder| in_workspace && !folder.exists());
            turns.extend(folder.and_then(|folder| cli.make(folder)).map(Turn::Use));
            turns.extend(tools.into_iter().map(Turn::Use));
        }
        turns.push(Turn::Say(played.answer.clone()));
        turns
    }
}

impl Mind for Player {
    fn turn(&self, asked: &Asked, results: usize) -> Turn {
        let mut script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        if results == 0 {
            *script = self.script(asked);
        }
        script.after(results).clone()
    }
}
