//! `agentd init`: the agentd folder of a project.

mod draft;
mod survey;

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::json;

use super::change::refuse_links;
use super::configuration;
use super::failure::{Failure, Kind, Outcome};
use super::trust;
use crate::config::{self, Config, Inputs, Layer, PROJECT_FILE, Source};
use crate::engine::project::Project;
use crate::files::{create_atomically, make_folder};
use crate::models::command::CommandLine;
use crate::output::json_line::path_text;
use survey::Survey;

/// What git is not to keep: exact prompts and raw answers may hold secrets, the rest is derived or passing.
const IGNORED: &str = "\
# Exact prompts and raw answers may hold secrets: they stay on this machine.
/changes/*/runs/
/archive/*/runs/
# Derived, or of use only while agentd runs.
/changes/*/state.json
/archive/*/state.json
/changes/*/.lock
/archive/*/.lock
/changes/*/.before
/archive/*/.before
/preferences.pending.json
.*.new
.tmp*
";

/// Set up this project: make the folder agentd/ in it.
///
/// It holds config.toml (every key with its default, and commands proposed to verify changes by), project.md (drafted
/// from the build files that are there; every agent reads it, so edit it), and the folders of specs and changes. Nothing
/// that is already there is changed. What this writes is trusted; see `agentd trust --help`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd init
  agentd -C ../shop init
  agentd init --json | jq .verify")]
pub(super) struct Init {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A file, and whether it was made now or was there already.
struct Placed {
    path: &'static str,
    fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Made,
    Kept,
}

impl Init {
    pub(super) fn run(&self) -> Outcome {
        let start = configuration::locations()?.root;
        let root = repository(&start)?;
        refuse_links(&Project::at(&root))?;
        let survey = Survey::of(&root);
        let verify = survey.verify();
        let settings = config::starter(&verify);
        let placed = [
            place(&root, PROJECT_FILE, &settings)?,
            place(&root, "agentd/project.md", &draft::project(&survey))?,
            place(&root, "agentd/.gitignore", IGNORED)?,
            place(&root, "agentd/specs/.gitkeep", "")?,
            place(&root, "agentd/changes/.gitkeep", "")?,
        ];
        let made_settings = placed[0].fate == Fate::Made;
        if made_settings {
            trust_own(&root, settings)?;
        }
        let verify = if made_settings { verify } else { Vec::new() };
        if self.json { report(&root, &placed, &verify) } else { tell(&root, &placed, &verify) }
    }
}

/// Finds the root of the git repository that a folder is in. Git itself is asked: it knows whom not to trust.
fn repository(start: &Path) -> Outcome<PathBuf> {
    let output = Command::new("git")
        .args(["rev-parse", "--show-toplevel"])
        .current_dir(start)
        .output()
        .map_err(|error| {
            Failure::new(Kind::Precondition, format!("cannot run `git`: {error}"))
                .help("install git: agentd keeps each change on a branch")
        })?;
    let root = output.stdout.strip_suffix(b"\n").filter(|_| output.status.success());
    root.map(|root| PathBuf::from(OsStr::from_bytes(root))).ok_or_else(|| {
        let reason = String::from_utf8_lossy(&output.stderr);
        let reason = reason.lines().next().unwrap_or_default().trim_start_matches("fatal: ");
        let message = format!("`{}` is in no git repository: {reason}", start.display());
        Failure::new(Kind::Precondition, message).help(
            "agentd keeps each change on a branch: run `git init` here, or go to a repository",
        )
    })
}

/// Makes a file unless there is something of its name.
fn place(root: &Path, path: &'static str, text: &str) -> Outcome<Placed> {
    let full = root.join(path);
    let folder = full.parent().unwrap_or(root);
    make_folder(folder).map_err(|error| Failure::io("cannot make", folder, &error))?;
    match create_atomically(&full, text.as_bytes()) {
        Ok(()) => Ok(Placed { path, fate: Fate::Made }),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Ok(Placed { path, fate: Fate::Kept })
        }
        Err(error) => Err(Failure::io("cannot write", &full, &error)),
    }
}

/// Trusts what was just written, as it was written.
fn trust_own(root: &Path, text: String) -> Outcome {
    let source = Source { layer: Layer::Project, name: PROJECT_FILE.to_owned(), text };
    let executable = configuration::locations()?.executable;
    let inputs =
        Inputs { files: vec![source], overrides: Vec::new(), root, executable: &executable };
    let guarded = Config::new(&inputs)?.guarded();
    if guarded.is_empty() { Ok(()) } else { trust::remember(root, guarded.fingerprint()) }
}

fn tell(root: &Path, placed: &[Placed], verify: &[CommandLine]) -> Outcome {
    let mut text = format!("in {}:\n", root.display());
    for file in placed {
        let word = match file.fate {
            Fate::Made => "made",
            Fate::Kept => "kept",
        };
        text.push_str(&format!("  {word}  {}\n", file.path));
    }
    for command in verify {
        text.push_str(&format!("changes are verified with: {command}\n"));
    }
    if placed.iter().any(|file| file.path == PROJECT_FILE && file.fate == Fate::Kept) {
        text.push_str(PROJECT_FILE);
        text.push_str(" was there already: `agentd trust` shows what it would run\n");
    }
    text.push_str(
        "\nNext: read agentd/project.md and make it right; every agent reads it first.\n",
    );
    super::tell(&text)
}

fn report(root: &Path, placed: &[Placed], verify: &[CommandLine]) -> Outcome {
    let files: Vec<_> = placed
        .iter()
        .map(|file| json!({ "path": file.path, "made": file.fate == Fate::Made }))
        .collect();
    let verify: Vec<_> = verify.iter().map(ToString::to_string).collect();
    let report = json!({ "version": 1, "root": path_text(root), "files": files, "verify": verify });
    Ok(writeln!(io::stdout().lock(), "{report:#}")?)
}
