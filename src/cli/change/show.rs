//! `agentd show`: the files of a change, and the exact bytes that were sent to an agent and received.

use std::path::Path;

use clap::Args;
use serde_json::json;

use crate::cli::value_parsers::known;
use crate::cli::{Failure, Format, Outcome, PathContext as _, ProjectContext, print_exactly};
use crate::engine::change::read_file;
use crate::engine::project::Location;
use crate::files::own::{self, Kind};
use crate::models::change::ChangeId;
use crate::orchestrator::AgentMessage;
use crate::orchestrator::run_folder::runs_from;
use crate::prompt::confined::ConfinedFolder;

/// The size limit of a prompt or answer that is printed.
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
  agentd show add-login proposal.md      one of them
  agentd show add-login --prompt 3       the prompt of the third run, byte for byte
  agentd show add-login --response 3     its answer")]
pub(crate) struct Show {
    /// The change's id.
    change: ChangeId,
    /// Show only this file.
    #[arg(value_name = "FILE", conflicts_with_all = ["prompt", "response"])]
    file: Option<String>,
    /// Print the prompt of this run.
    #[arg(long, value_name = "N", conflicts_with_all = ["response", "json"])]
    prompt: Option<u32>,
    /// Print the answer of this run.
    #[arg(long, value_name = "N", conflicts_with = "json")]
    response: Option<u32>,
    #[command(flatten)]
    format: Format,
}

impl Show {
    /// Describes the command for all files of a change.
    pub(super) const fn of(change: ChangeId) -> Self {
        Self { change, file: None, prompt: None, response: None, format: Format { json: false } }
    }

    pub(crate) fn run(&self) -> Outcome {
        let Location { folder, state } = ProjectContext::find()?.location(&self.change)?;
        match (self.prompt, self.response) {
            (Some(number), _) => {
                // The message to a team member only names the prompt's file; print the prompt.
                self.bytes(&state, number, &[AgentMessage::PROMPT, "prompt.xml"])
            }
            (None, Some(number)) => self.bytes(&state, number, &["response.txt"]),
            (None, None) => self.files(&folder),
        }
    }

    fn files(&self, folder: &Path) -> Outcome {
        let (mut objects, mut text) = (Vec::new(), String::new());
        let mut files = files(folder)?;
        if let Some(wanted) = &self.file {
            let names: Vec<_> = files.iter().map(|(name, _)| name.clone()).collect();
            files.retain(|(name, _)| name == wanted);
            let Some((name, content)) = files.pop() else {
                return Err(Failure::precondition(
                    format!("change `{}` has no file `{wanted}`", self.change),
                    known("files", wanted, names.iter().map(String::as_str)),
                ));
            };
            let object =
                json!({ "change": self.change, "files": [{ "name": name, "content": content }] });
            return self.format.print(object, &content);
        }
        for (name, content) in files {
            text.push_str(&format!("==> {name} <==\n{}\n\n", content.trim_end()));
            objects.push(json!({ "name": name, "content": content }));
        }
        self.format.print(json!({ "change": self.change, "files": objects }), &text)
    }

    /// Prints the first of these files that a run has.
    fn bytes(&self, state: &Path, number: u32, names: &[&str]) -> Outcome {
        let id = &self.change;
        let runs = runs_from(state, 1).or_fail("cannot read the runs of", state)?;
        let run = runs.iter().find(|run| run.number == number).ok_or_else(|| {
            Failure::precondition(
                format!("change `{id}` has no run {number}"),
                format!("`agentd log {id}` lists its runs"),
            )
        })?;
        let mut found = None;
        for path in names.iter().map(|name| run.path.join(name)) {
            found = found.or(own::read(&path, LARGEST).or_fail("cannot read", &path)?);
        }
        let is_prompt = names.contains(&"prompt.xml");
        // A check receives no prompt, while an answer may be empty.
        let found = found.filter(|bytes| !(is_prompt && bytes.is_empty()));
        let bytes = found.ok_or_else(|| {
            let what = if is_prompt { "prompt" } else { "answer" };
            Failure::precondition(
                format!("run {number} has no {what}"),
                format!("`agentd log {id}` shows its result"),
            )
        })?;
        print_exactly(&bytes)
    }
}

/// Lists the existing files, with their contents.
fn files(folder: &Path) -> Outcome<Vec<(String, String)>> {
    let mut names: Vec<String> = FILES.iter().map(|name| (*name).to_owned()).collect();
    names.extend(team_documents(folder)?);
    let specs = documents(&folder.join("specs"))?.into_iter();
    names.splice(2..2, specs.map(|name| format!("specs/{name}")));
    let confined = ConfinedFolder::open(folder).or_fail("cannot open", folder)?;
    if let Err(fault) = confined.size_together(&names, 0) {
        return Err(Failure::fault(&fault, format!("cannot show `{}`: {fault}", folder.display())));
    }
    let mut files = Vec::new();
    for name in names {
        files.extend(read_file(folder, &name)?.map(|text| (name, text)));
    }
    Ok(files)
}

/// Lists the documents of a team, in the order of its steps: the files in the folders `01_…` to `08_…`, except prompts.
fn team_documents(folder: &Path) -> Outcome<Vec<String>> {
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

/// Lists the names of all documents in a folder.
fn documents(folder: &Path) -> Outcome<Vec<String>> {
    let is_named_so = |name: &str| {
        Path::new(name).extension().is_some_and(|ending| ending == "md" || ending == "yaml")
    };
    entries(folder, |name, kind| kind != Kind::Folder || is_named_so(name))
}

/// Lists the chosen names in a folder, sorted; a missing folder counts as empty.
fn entries(folder: &Path, is_chosen: impl Fn(&str, Kind) -> bool) -> Outcome<Vec<String>> {
    let entries = own::entries(folder).or_fail("cannot read", folder)?;
    let named =
        entries.into_iter().filter_map(|(name, kind)| Some((name.into_string().ok()?, kind)));
    Ok(named.filter(|(name, kind)| is_chosen(name, *kind)).map(|(name, _)| name).collect())
}
