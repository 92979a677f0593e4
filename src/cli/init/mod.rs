//! `agentd init`: creates the agentd folder of a project.

mod draft;
mod settings;
mod survey;

use std::io;
use std::path::Path;

use clap::Args;
use log::warn;
use serde_json::json;

use super::configuration;
use super::confirm;
use super::trust;
use crate::cli::{Format, Outcome, PathContext as _, ProjectContext};
use crate::config::{Config, Inputs, Layer, PROJECT_FILE, Source};
use crate::files::{create_atomically, make_folder};
use crate::models::command::CommandLine;
use crate::models::sandbox::SandboxMode;
use crate::output::json::path_text;
use crate::output::sanitize::safe;
use crate::process::{self, Support};
use settings::Decided;
use survey::{Part, Survey};

/// What git must not track: exact prompts and raw answers may hold secrets, the rest is derived or temporary.
const IGNORED: &str = "\
# Exact prompts and raw answers may hold secrets: they stay on this machine.
/changes/*/runs/
/archive/*/runs/
# Derived, or temporary.
/changes/*/state.json
/archive/*/state.json
/preferences.pending.json
.*.new
.tmp*
";

/// Set up this project: create the folder agentd/ in it.
///
/// The folder holds config.toml (how the project is set up and tested, as far as its files show), project.md (drafted
/// from the same files; every agent reads it, so edit it), and the folders of specs and changes. Existing files are not
/// changed. On a terminal you are asked whether to use the commands that were found. The files written here are
/// trusted; see `agentd trust --help`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd init
  agentd init --yes                    use what is found without asking
  agentd -C ../shop init
  agentd init --json | jq .verify")]
pub(super) struct Init {
    /// Use the commands that are found without asking.
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    format: Format,
}

/// A file, and whether it was created now or already existed.
struct Placed {
    path: &'static str,
    is_new: bool,
}

impl Init {
    pub(super) fn run(&self) -> Outcome {
        let root = ProjectContext::find()?.project.root;
        let survey = Survey::of(&root);
        let is_new = !root.join(PROJECT_FILE).exists();
        let decided = if is_new { self.decide(&survey)? } else { Decided::default() };
        let settings = decided.text();
        let placed = [
            place(&root, PROJECT_FILE, &settings)?,
            place(&root, "agentd/project.md", &draft::project(&survey))?,
            place(&root, "agentd/.gitignore", IGNORED)?,
            place(&root, "agentd/specs/.gitkeep", "")?,
            place(&root, "agentd/changes/.gitkeep", "")?,
        ];
        if placed[0].is_new {
            trust_own(&root, settings)?;
        }
        let made = |file: &Placed| json!({ "path": file.path, "made": file.is_new });
        let lines =
            |commands: &[CommandLine]| commands.iter().map(ToString::to_string).collect::<Vec<_>>();
        let unignored = if decided.is_empty() { &[][..] } else { &survey.unignored };
        let object = json!({
            "root": path_text(&root), "files": placed.iter().map(made).collect::<Vec<_>>(),
            "setup": lines(&decided.setup), "verify": lines(&decided.verify),
            "unignored": unignored,
        });
        self.format.report(object, &describe(&root, &placed, &decided)?)?;
        if placed[0].is_new {
            warn_of(&survey, &decided, unignored);
        }
        Ok(())
    }

    /// Decides whether to use the commands that were found; a person at the terminal can decline.
    fn decide(&self, survey: &Survey) -> Outcome<Decided> {
        let decided = Decided { setup: survey.setup(), verify: survey.verify() };
        if decided.is_empty() || self.yes || self.format.json || !confirm::is_possible() {
            return Ok(decided);
        }
        let mut question = "agentd found how this project is set up and tested:\n".to_owned();
        for (what, commands) in [("setup", &decided.setup), ("check", &decided.verify)] {
            for command in commands {
                question.push_str(&format!("  {what}  {command}\n"));
            }
        }
        question.push_str("Use these commands? You can change them in agentd/config.toml. [Y/n]");
        let answer = confirm::ask(&safe(&question))?;
        let is_taken = ["", "y", "yes"].contains(&answer.as_str());
        Ok(if is_taken { decided } else { Decided::default() })
    }
}

/// Reports what the project needs before its first change.
fn warn_of(survey: &Survey, decided: &Decided, unignored: &[String]) {
    let notes = |part: &Part| {
        part.notes.iter().map(|note| format!("{}: {note}", part.path())).collect::<Vec<_>>()
    };
    for note in survey.parts.iter().flat_map(notes) {
        warn!("{note}");
    }
    if survey.left_out > 0 {
        warn!("{} more packages were not examined", survey.left_out);
    }
    if !unignored.is_empty() {
        warn!(
            "git does not ignore {}, which setup or checks create: add them to .gitignore, or commit a lock file, before the first change",
            unignored.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ")
        );
    }
    if decided.verify.is_empty() {
        let found = if survey.verify().is_empty() { "were found" } else { "were used" };
        warn!(
            "no checks {found}: agentd cannot see whether a change works. Name the commands that test this project in \
             {PROJECT_FILE}, such as\n  [verify]\n  commands = [\"make test\"]"
        );
    }
}

/// Creates a file unless one with its name exists.
fn place(root: &Path, path: &'static str, text: &str) -> Outcome<Placed> {
    let full = root.join(path);
    let folder = full.parent().unwrap_or(root);
    make_folder(folder).or_fail("cannot create", folder)?;
    let is_new = match create_atomically(&full, text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
        created => created.map(|()| true).or_fail("cannot write", &full)?,
    };
    Ok(Placed { path, is_new })
}

/// Trusts the files that were just written, with their current content.
fn trust_own(root: &Path, text: String) -> Outcome {
    let source = Source { layer: Layer::Project, name: PROJECT_FILE.to_owned(), text };
    let executable = configuration::locations()?.executable;
    let inputs =
        Inputs { files: vec![source], overrides: Vec::new(), root, executable: &executable };
    let guarded = Config::new(&inputs)?.guarded();
    if guarded.is_empty() { Ok(()) } else { trust::remember(root, guarded.fingerprint()) }
}

fn describe(root: &Path, placed: &[Placed], decided: &Decided) -> Outcome<String> {
    let mut text = format!("in {}:\n", root.display());
    for Placed { path, is_new } in placed {
        text.push_str(&format!("  {}  {path}\n", if *is_new { "made" } else { "kept" }));
    }
    for command in &decided.setup {
        text.push_str(&format!("copies of the code are set up with: {command}\n"));
    }
    for command in &decided.verify {
        text.push_str(&format!("changes are verified with: {command}\n"));
    }
    if may_run_commands()? {
        text.push_str("agents may run commands where they write code, in the sandbox\n");
    }
    if placed.iter().any(|file| file.path == PROJECT_FILE && !file.is_new) {
        text.push_str(PROJECT_FILE);
        text.push_str(" already exists: `agentd trust` shows what it would run\n");
    }
    Ok(text + "\nNext: read and correct agentd/project.md; every agent reads it first.\n")
}

/// Returns whether agents run commands although nobody configured it.
fn may_run_commands() -> Outcome<bool> {
    if process::support() != Support::Full {
        return Ok(false);
    }
    // Errors in the configuration are reported by the code that needs it.
    let config = configuration::read(&configuration::locations()?, Vec::new());
    Ok(config.is_ok_and(|config| config.sandbox.mode != SandboxMode::Off))
}
