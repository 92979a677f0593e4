//! `agentd log`: every call of an agent for a change.

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Outcome};
use super::super::{print_json, say};
use super::ids::id;
use super::status::{history, holder};
use super::workshop::Room;
use crate::engine::spent::{self, Run};
use crate::models::change::ChangeId;
use crate::models::meta::RunMeta;
use crate::output::amount;

/// Show every call of an agent for a change: who, with what prompt and template, how long, how much, what came of it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd log add-login             each call, in order
  agentd log add-login --json      for scripts, with the whole hashes
  agentd show add-login --prompt 3   what the third call was sent, byte for byte")]
pub(in super::super) struct Log {
    /// The change's id.
    #[arg(value_parser = id)]
    change: ChangeId,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Log {
    pub(in super::super) fn run(&self) -> Outcome {
        let folder = Room::find()?.folder(&self.change)?;
        let history = history(&folder)?;
        // What was begun before is not of those who are at work now.
        let first = holder(&folder, &history)?.and_then(|_| history.first_run());
        let runs = spent::runs(&folder)
            .map_err(|error| Failure::io("cannot read the runs of", &folder, &error))?;
        if self.json {
            let told = |run| json!({ "run": name(run), "meta": run.meta, "under_way": is_under_way(run, &runs, first) });
            let runs: Vec<_> = runs.iter().map(told).collect();
            return print_json(&json!({ "version": 1, "change": self.change, "runs": runs }));
        }
        if runs.is_empty() {
            return say("no agent was called yet\n");
        }
        let told = |run| told(run, is_under_way(run, &runs, first));
        say(&runs.iter().map(told).collect::<String>())
    }
}

fn name(run: &Run) -> String {
    run.folder.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Says whether a run is under way: of those since a number, for as long as somebody is at work, it has no record yet, and
/// nothing was begun in its place.
fn is_under_way(run: &Run, runs: &[Run], first: Option<u32>) -> bool {
    let task = |run: &Run| name(run).split_once('-').map(|(_, task)| task.to_owned());
    let is_later =
        |other: &Run| other.folder.number > run.folder.number && task(other) == task(run);
    run.meta.is_none()
        && first.is_some_and(|first| run.folder.number >= first)
        && !runs.iter().any(is_later)
}

fn told(run: &Run, is_under_way: bool) -> String {
    let name = name(run);
    let Some(meta) = &run.meta else {
        let what = match (name.ends_with("-verify"), is_under_way) {
            (true, _) => "a check",
            (false, true) => "under way",
            (false, false) => "cut off before its end",
        };
        return format!("{name}\n  {what}\n");
    };
    let RunMeta { agent, model, template, template_hash, prompt_bytes, prompt_sha256, .. } = meta;
    let model = model.as_ref().map(|model| format!(" ({model})")).unwrap_or_default();
    let outcome = match (&meta.verdict, &meta.error) {
        (_, Some(error)) => format!("failed: {error}"),
        (Some(verdict), None) => verdict.clone(),
        (None, None) => "answered".to_owned(),
    };
    let short = |hash: &str| hash.get(..12).unwrap_or(hash).to_owned();
    let used =
        meta.usage.as_ref().map_or_else(|| "nothing known of its use".to_owned(), amount::usage);
    let mut text = format!(
        "{name}\n  agent {agent}{model}: {outcome}\n  prompt {prompt_bytes} bytes, sha256 {}; template {template} {}\n",
        short(prompt_sha256),
        short(template_hash),
    );
    for (label, names) in [("left out of it", &meta.left_out), ("not allowed", &meta.denied)] {
        if !names.is_empty() {
            text.push_str(&format!("  {label}: {}\n", names.join(", ")));
        }
    }
    text.push_str(&format!("  {used}\n"));
    text
}
