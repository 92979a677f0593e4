//! `agentd diff`: what a change does to the code.

use clap::Args;
use log::warn;
use serde_json::json;

use crate::cli::{Failure, Format, Outcome, ProjectContext, print_exactly, print_text};
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;

/// The size limit of the diff that is shown.
const LARGEST: usize = 64 << 20;

/// Show what a change does to the code, as a diff of its branch.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd diff add-login
  agentd diff add-login --stat")]
pub(crate) struct Diff {
    /// The change's id.
    change: ChangeId,
    /// Only count lines.
    #[arg(long)]
    stat: bool,
    #[command(flatten)]
    format: Format,
}

/// Reports that a change has no branch.
pub(super) fn no_code(id: &ChangeId) -> Failure {
    Failure::precondition(
        format!("no code was written for `{id}` yet, or its branch is gone"),
        format!("`agentd status {id}` shows where it is"),
    )
}

impl Diff {
    pub(crate) fn run(&self) -> Outcome {
        let context = ProjectContext::find()?;
        let (repository, id) = (&context.repository, &self.change);
        let history = context.read(id)?.history;
        let branch = Setup::branch(id);
        let (Some(base), Some(tip)) = (history.base, repository.branch_commit(&branch)?) else {
            return Err(no_code(id));
        };
        let stat = repository.stat(&base, &tip)?;
        if self.stat && !self.format.json {
            return print_text(&stat.text);
        }
        let diff = repository.diff(&base, &tip, LARGEST)?;
        for path in repository.paths(&base, &tip)? {
            if path.ends_with(".gitattributes") {
                let path = path.display();
                warn!("`{path}` is changed: git may treat other files differently after a merge");
            }
        }
        for path in &diff.left_out {
            warn!("the part for `{}` is left out: the diff is too large", path.display());
        }
        if !self.format.json {
            return print_exactly(diff.text.as_bytes());
        }
        let object = json!({
            "change": id, "branch": branch, "base": base, "tip": tip, "files": stat.files,
            "insertions": stat.insertions, "deletions": stat.deletions,
            "diff": (!self.stat).then_some(&diff.text),
        });
        self.format.print(object, "")
    }
}
