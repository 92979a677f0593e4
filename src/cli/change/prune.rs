//! `agentd prune`: removes the leftovers of finished changes.

use clap::Args;
use serde_json::{Value, json};

use crate::cli::{Format, Outcome, ProjectContext};
use crate::engine::prune::{Prune, Pruned, Removed};
use crate::output::format;

/// Remove what finished changes left: workspaces, merged branches, and the state of changes that no longer exist.
///
/// A change is finished when it is archived and merged, or cancelled. Unmerged code and files that no commit contains
/// are kept.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd prune --dry-run   what would be removed, and its size
  agentd prune             remove it")]
pub(crate) struct PruneChanges {
    /// Only list what would be removed.
    #[arg(short = 'n', long)]
    dry_run: bool,
    #[command(flatten)]
    format: Format,
}

impl PruneChanges {
    pub(crate) fn run(&self) -> Outcome {
        let context = ProjectContext::find()?;
        let workspaces = &context.workspaces()?;
        let (project, repository) = (&context.project, &context.repository);
        let pruned =
            Prune { project, repository, workspaces, is_dry: self.dry_run, only: None }.run()?;
        self.format.report(self.object(&pruned), &self.text(&pruned))
    }

    fn object(&self, Pruned { removed, kept }: &Pruned) -> Value {
        let removal = |Removed { what, name, bytes }: &Removed| json!({ "what": what, "name": name, "bytes": bytes });
        let keep = |(name, reason): &(String, &str)| json!({ "name": name, "reason": reason });
        json!({
            "dry_run": self.dry_run, "bytes": bytes(removed),
            "removed": removed.iter().map(removal).collect::<Value>(),
            "kept": kept.iter().map(keep).collect::<Value>(),
        })
    }

    fn text(&self, pruned: &Pruned) -> String {
        let label = if self.dry_run { "to remove" } else { "removed" };
        let text = pruned_text(pruned, label);
        let removed = &pruned.removed;
        let all = if self.dry_run { "all" } else { "freed" };
        text + &match (removed.is_empty(), bytes(removed)) {
            (true, _) => "Nothing to remove.\n".to_owned(),
            (false, 0) => String::new(),
            (false, bytes) => format!("{all:<10} {}\n", format::bytes(bytes)),
        }
    }
}

/// Lists what was removed, or would be, and what stays.
pub(super) fn pruned_text(Pruned { removed, kept }: &Pruned, label: &str) -> String {
    let mut text = String::new();
    for Removed { what, name, bytes } in removed {
        let size = match *what {
            "branch" => String::new(),
            _ => format!(" ({})", format::bytes(*bytes)),
        };
        text.push_str(&format!("{label:<10} {what} {name}{size}\n"));
    }
    for (name, reason) in kept {
        text.push_str(&format!("{:<10} {name}: {reason}\n", "stays"));
    }
    text
}

fn bytes(removed: &[Removed]) -> u64 {
    removed.iter().map(|one| one.bytes).sum()
}
