//! `agentd offline-agent`: an agent without a model, in this binary. agentd starts it like any other agent if an
//! option, a variable or the configuration names it, and never otherwise.

mod script;

use std::ffi::OsString;
use std::io::{self, BufRead, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::input;
use crate::cli::{Failure, Kind, Outcome, PathContext as _};
use crate::files::{make_folder, own};
use crate::orchestrator::offline::speak::{self, CLIS, Cli, Spoken};
use crate::orchestrator::offline::team::named_file;
use crate::orchestrator::offline::{Played, play};
use script::Performance;

/// Play a phase, or a member of a team, without a model: read agentd's prompt on standard input, or from the file that
/// it names, write the requested files, and answer.
///
/// It plans, implements and archives the same small command for every request, finds one gap in its own first plan and
/// one in its own first code, and states in everything it writes that no model was used. The whole workflow can be
/// tried with it: no key, no network, no cost.
///
/// With `--speak` it prints the output format of another CLI; the arguments of that CLI are accepted and ignored.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd call plan add-login \"Add login\" --agent offline
  agentd call plan add-login \"Add login\" --agent offline --dry-run | agentd offline-agent --speak claude")]
pub(super) struct OfflineAgent {
    /// The output format: text, claude, gemini, codex or copilot.
    #[arg(long, value_name = "CLI", value_parser = cli, default_value = "text")]
    speak: Cli,
    /// Read lines from a terminal, as the screens of other CLIs do, and play each prompt that a line names.
    #[arg(long, conflicts_with = "script")]
    interactive: bool,
    /// Follow a script instead, line by line; for tests of agents that misbehave.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Arguments of the imitated CLI.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

impl OfflineAgent {
    pub(super) fn run(&self) -> Outcome {
        if self.interactive {
            return converse(io::stdin().lock(), io::stdout().lock());
        }
        if let Some(path) = &self.script {
            let steps = script::read(&input::text_file(path)?)?;
            return Performance::new(self).follow(&steps);
        }
        self.play(&input::instructions("-")?)
    }

    /// Plays the phase that the prompt asks for.
    fn play(&self, prompt: &str) -> Outcome {
        let answer = perform(prompt)?;
        self.say(&speak::answer(self.speak, prompt, &answer))
    }

    /// Prints what a CLI prints, and exits as it does.
    fn say(&self, spoken: &Spoken) -> Outcome {
        if let (Some(report), Some(path)) = (&spoken.report, self.report_file()) {
            write(path, report)?;
        }
        let mut stdout = io::stdout().lock();
        for line in &spoken.lines {
            writeln!(stdout, "{line}")?;
        }
        stdout.flush()?;
        io::stderr().lock().write_all(spoken.stderr.as_bytes())?;
        match spoken.code {
            0 => Ok(()),
            code => Err(Failure::new(Kind::Exit(code), "")),
        }
    }

    /// Returns the file that Copilot must write its usage to.
    fn report_file(&self) -> Option<&Path> {
        let mut words = self.words.iter();
        words.find(|word| *word == "--usage-output-file")?;
        words.next().map(Path::new)
    }
}

/// Reads lines until the input ends: a line that names a file is played, any other is acknowledged.
fn converse(lines: impl BufRead, mut screen: impl io::Write) -> Outcome {
    writeln!(screen, "Offline agent: there is no model.")?;
    write!(screen, "> ")?;
    screen.flush()?;
    for line in lines.lines() {
        let line = line?;
        match named_file(&line) {
            Some(_) => match perform(&line) {
                Ok(answer) => writeln!(screen, "{}", answer.trim_end())?,
                Err(failure) => writeln!(screen, "{}", failure.message)?,
            },
            None if line.trim().is_empty() => {}
            None => writeln!(screen, "Noted: {line}")?,
        }
        write!(screen, "> ")?;
        screen.flush()?;
    }
    Ok(())
}

/// Plays a prompt, writes its files and returns the answer.
fn perform(prompt: &str) -> Outcome<String> {
    let named = named_file(prompt).map(|path| input::text_file(&path)).transpose()?;
    let Played { answer, files } = play(named.as_deref().unwrap_or(prompt)).map_err(|error| {
        Failure::new(Kind::Exit(1), error.to_string()).help(
            "the offline agent reads the document that `agentd call` sends, on standard input",
        )
    })?;
    for (path, text) in &files {
        write(path, text)?;
    }
    Ok(answer)
}

/// Writes a file and creates its parent folders. No link is followed: a repository may contain one.
fn write(path: &Path, text: &str) -> Outcome {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder
        .map_or(Ok(()), make_folder)
        .and_then(|()| own::open_to_replace(path))
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .or_fail("cannot write", path)
}

fn cli(word: &str) -> Result<Cli, String> {
    let named = CLIS.into_iter().find(|cli| cli.name == word);
    named.ok_or_else(|| format!("the formats are {}", CLIS.map(|cli| cli.name).join(", ")))
}
