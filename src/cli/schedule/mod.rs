//! `agentd schedule`: checks and draws the plans of a change. One file per command.

mod check;
mod graph;

use super::commands::commands;
use crate::cli::{Failure, Kind, Outcome, PathContext as _, ProjectContext};
use crate::engine::schedule::{PlanningFiles, ScheduleFaults};
use crate::models::change::ChangeId;
use crate::prompt::confined::ConfinedFolder;

commands! {
    /// Check the plans of a change, and draw their order.
    Schedule {
        Check(check::Check),
        Graph(graph::Graph),
    }
}

/// Reads the plans of a change.
fn planning_files(id: &ChangeId) -> Outcome<PlanningFiles> {
    let context = ProjectContext::find()?;
    let folder = context.location_or_folder(id)?.folder;
    let shown = folder.strip_prefix(&context.project.root).unwrap_or(&folder).to_string_lossy();
    let confined = ConfinedFolder::open(&folder).or_fail("cannot open", &folder)?;
    Ok(PlanningFiles::read(shown.into_owned(), &confined)?)
}

/// Reports everything that is wrong with plans.
fn not_right(id: &ChangeId, faults: &ScheduleFaults) -> Failure {
    let message = format!("the plans of `{id}` have faults\n{}", faults.to_string().trim_end());
    Failure::new(Kind::Precondition, message)
}
