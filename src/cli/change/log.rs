//! `agentd log`: every call of an agent for a change.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use clap::Args;
use serde_json::json;

use crate::cli::{Format, Outcome, PathContext as _, ProjectContext};
use crate::engine::history::History;
use crate::engine::today::moment;
use crate::models::change::ChangeId;
use crate::models::meta::RunMeta;
use crate::orchestrator::run_folder::{RunFolder, runs_from};
use crate::output::format;

/// Show every call of an agent for a change: agent, prompt, template, duration, cost and result.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd log add-login             each call, in order
  agentd log add-login --json      for scripts, with the whole hashes
  agentd show add-login --prompt 3   what the third call was sent, byte for byte")]
pub(crate) struct Log {
    /// The change's id.
    change: ChangeId,
    #[command(flatten)]
    format: Format,
}

impl Log {
    pub(crate) fn run(&self) -> Outcome {
        let change = ProjectContext::find()?.read(&self.change)?;
        // Runs that started earlier do not belong to the current process.
        let first = change.holder()?.and_then(|_| change.history.first_run());
        let runs = runs(&change.state, &change.history);
        let runs = runs.or_fail("cannot read the runs of", &change.state)?;
        let (mut objects, mut text) = (Vec::new(), String::new());
        for run in &runs {
            let is_under_way = is_under_way(run, &runs, first);
            objects.push(json!({ "run": run.name, "meta": run.meta, "under_way": is_under_way }));
            text.push_str(&describe(run, is_under_way));
        }
        if runs.is_empty() {
            text.push_str("no agent was called yet\n");
        }
        self.format.print(json!({ "change": self.change, "runs": objects }), &text)
    }
}

/// A run of a change, with the record of its call in the journal. An interrupted call has no record, and neither has a
/// check.
struct Run {
    name: String,
    number: u32,
    meta: Option<RunMeta>,
}

/// Lists the runs of a change, in order.
fn runs(state: &Path, history: &History) -> io::Result<Vec<Run>> {
    let of_folder = |folder: RunFolder| ((folder.number, folder.name().into_owned()), None);
    let mut runs: BTreeMap<_, _> = runs_from(state, 1)?.into_iter().map(of_folder).collect();
    for call in history.calls.iter() {
        runs.insert((call.number(), call.run.clone()), Some(call.record.clone()));
    }
    let run = |((number, name), meta)| Run { name, number, meta };
    Ok(runs.into_iter().map(run).collect())
}

/// Returns whether a run is in progress: it belongs to the runs since `first`, another process works on the change, the
/// run has no record yet, and no later run replaced it.
fn is_under_way(run: &Run, runs: &[Run], first: Option<u32>) -> bool {
    let task = |run: &Run| run.name.split_once('-').map(|(_, task)| task.to_owned());
    let is_later = |other: &Run| other.number > run.number && task(other) == task(run);
    run.meta.is_none()
        && first.is_some_and(|first| run.number >= first)
        && !runs.iter().any(is_later)
}

fn describe(run: &Run, is_under_way: bool) -> String {
    let name = &run.name;
    let Some(meta) = &run.meta else {
        let what = match (name.ends_with("-verify"), is_under_way) {
            (true, _) => "a check",
            (false, true) => "running",
            (false, false) => "interrupted",
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
    let (prompt, template_hash) = (short(prompt_sha256), short(template_hash));
    let started = moment(meta.started_ms);
    let mut text = format!(
        "{name}  {started}\n  agent {agent}{model}: {outcome}\n  prompt {prompt_bytes} bytes, sha256 {prompt}; template {template} {template_hash}\n",
    );
    for (label, names) in [("left out", &meta.left_out), ("not allowed", &meta.denied)] {
        if !names.is_empty() {
            text.push_str(&format!("  {label}: {}\n", names.join(", ")));
        }
    }
    let used = meta.usage.as_ref().map(format::usage);
    text + &format!("  {}\n", used.as_deref().unwrap_or("usage unknown"))
}
