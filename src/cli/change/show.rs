//! `agentd show`: the files of a change, and the exact bytes that went to an agent and came back.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Kind as Failed, Outcome};
use super::super::run_failure::unusable;
use super::super::{print_exactly, print_json, say};
use super::ids::id;
use super::workshop::Room;
use crate::engine::change::read_file;
use crate::files::own::{self, Kind};
use crate::models::change::ChangeId;
use crate::orchestrator::Errand;
use crate::orchestrator::run_folder::runs_from;
use crate::prompt::confined::ConfinedFolder;

/// The largest prompt or answer that is printed.
const LARGEST: u64 = 256 << 20;

/// The files that are shown, in this order.
const FILES: [&str; 7] = [
    "request.md",
    "proposal.md",
    "tasks.md",
    "CHALLENGE.md",
    "IMPLEMENTATION.md",
    "REVIEW.md",
    "CHECKS.md",
];

/// Show the files of a change, or the exact prompt or answer of a call.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd show add-login                  the files of the change, one after the other
  agentd show add-login --prompt 3       the prompt of the third run, byte for byte
  agentd show add-login --response 3     its answer")]
pub(in super::super) struct Show {
    /// The change's id.
    #[arg(value_parser = id)]
    change: ChangeId,
    /// The prompt of this run.
    #[arg(long, value_name = "N", conflicts_with = "response")]
    prompt: Option<u32>,
    /// The answer of this run.
    #[arg(long, value_name = "N")]
    response: Option<u32>,
    /// Print the files as JSON.
    #[arg(long, conflicts_with_all = ["prompt", "response"])]
    json: bool,
}

impl Show {
    pub(in super::super) fn run(&self) -> Outcome {
        let folder = Room::find()?.folder(&self.change)?;
        match (self.prompt, self.response) {
            (Some(number), _) => {
                // What a team was sent names the prompt's file, and it is the prompt that is asked for.
                self.bytes(&folder, number, &[Errand::PROMPT, "prompt.xml"])
            }
            (None, Some(number)) => self.bytes(&folder, number, &["response.txt"]),
            (None, None) => self.files(&folder),
        }
    }

    fn files(&self, folder: &Path) -> Outcome {
        let files = files(folder)?;
        if self.json {
            let files: Vec<_> = files
                .iter()
                .map(|(name, content)| json!({ "name": name, "content": content }))
                .collect();
            return print_json(&json!({ "version": 1, "change": self.change, "files": files }));
        }
        let text: String = files
            .iter()
            .map(|(name, content)| format!("==> {name} <==\n{}\n\n", content.trim_end()))
            .collect();
        say(&text)
    }

    /// Prints the first of these files that a run has.
    fn bytes(&self, folder: &Path, number: u32, names: &[&str]) -> Outcome {
        let runs = runs_from(folder, 1)
            .map_err(|error| Failure::io("cannot read the runs of", folder, &error))?;
        let Some(run) = runs.iter().find(|run| run.number == number) else {
            let message = format!("change `{}` has no run {number}", self.change);
            return Err(Failure::new(Failed::Precondition, message)
                .help(format!("`agentd log {}` lists its runs", self.change)));
        };
        let mut found = None;
        for path in names.iter().map(|name| run.path.join(name)) {
            found = own::read(&path, LARGEST)
                .map_err(|error| Failure::io("cannot read", &path, &error))?;
            if found.is_some() {
                break;
            }
        }
        let is_prompt = names.contains(&"prompt.xml");
        // A check is sent nothing, while an answer may be empty.
        let Some(bytes) = found.filter(|bytes| !(is_prompt && bytes.is_empty())) else {
            let what = if is_prompt { "prompt" } else { "answer" };
            let message = format!("run {number} has left no {what}");
            return Err(Failure::new(Failed::Precondition, message)
                .help(format!("`agentd log {}` says what came of it", self.change)));
        };
        print_exactly(&bytes)
    }
}

/// Lists the files that are there, with their contents.
fn files(folder: &Path) -> Outcome<Vec<(String, String)>> {
    let mut names: Vec<String> = FILES.iter().map(|name| (*name).to_owned()).collect();
    names.extend(of_team(folder)?);
    let specs = documents(&folder.join("specs"))?.into_iter();
    names.splice(2..2, specs.map(|name| format!("specs/{name}")));
    let confined =
        ConfinedFolder::open(folder).map_err(|error| Failure::io("cannot open", folder, &error))?;
    if let Err(fault) = confined.size_together(&names, 0) {
        return Err(unusable(&fault, format!("cannot show `{}`: {fault}", folder.display())));
    }
    let mut files = Vec::new();
    for name in names {
        files.extend(read_file(folder, &name)?.map(|text| (name, text)));
    }
    Ok(files)
}

/// Lists what a team has made, in the order of its steps: what is in the folders `01_…` to `08_…`, but for prompts.
fn of_team(folder: &Path) -> Outcome<Vec<String>> {
    let mut names = vec!["requirements.md".to_owned()];
    let mut steps = entries(folder, |_, kind| kind != Kind::File)?;
    steps.retain(|name| name.starts_with('0') && name.contains('_'));
    for step in steps {
        let files = documents(&folder.join(&step))?.into_iter();
        let files = files.filter(|name| !name.contains("prompt") && name.contains('.'));
        names.extend(files.map(|name| format!("{step}/{name}")));
    }
    Ok(names)
}

/// Lists the names of documents in a folder, whatever stands there.
fn documents(folder: &Path) -> Outcome<Vec<String>> {
    let is_named_so = |name: &str| {
        Path::new(name).extension().is_some_and(|ending| ending == "md" || ending == "yaml")
    };
    entries(folder, |name, kind| kind != Kind::Folder || is_named_so(name))
}

/// Lists the names in a folder that are chosen, sorted; a folder that is not there is empty.
fn entries(folder: &Path, is_chosen: impl Fn(&str, Kind) -> bool) -> Outcome<Vec<String>> {
    let entries =
        own::entries(folder).map_err(|error| Failure::io("cannot read", folder, &error))?;
    let named =
        entries.into_iter().filter_map(|(name, kind)| Some((name.into_string().ok()?, kind)));
    Ok(named.filter(|(name, kind)| is_chosen(name, *kind)).map(|(name, _)| name).collect())
}
