//! `agentd schedule`: the plans of a change, checked and drawn. One file a command.

mod check;
mod graph;

use std::path::Path;

use clap::Subcommand;

use super::change::{Room, change_folder};
use super::failure::{Failure, Kind, Outcome};
use crate::engine::schedule::{PlanningFiles, ScheduleFaults};
use crate::models::change::ChangeId;
use crate::prompt::confined::ConfinedFolder;

/// Check the plans of a change, and draw in which order they are carried out.
#[derive(Debug, Subcommand)]
pub(super) enum ScheduleCommand {
    Check(check::Check),
    Graph(graph::Graph),
}

impl ScheduleCommand {
    pub(super) fn run(&self) -> Outcome {
        match self {
            Self::Check(command) => command.run(),
            Self::Graph(command) => command.run(),
        }
    }
}

/// Reads the plans of a change.
fn planning_files(id: &ChangeId) -> Outcome<PlanningFiles> {
    let room = Room::find()?;
    let folder = change_folder(&room, id)?;
    let shown = folder.strip_prefix(&room.project.root).unwrap_or(&folder);
    let confined = ConfinedFolder::open(&folder)
        .map_err(|error| Failure::io("cannot open", &folder, &error))?;
    Ok(PlanningFiles::read(written(shown), &confined)?)
}

/// Writes a path as plans do.
fn written(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Tells everything that is wrong with plans.
fn not_right(id: &ChangeId, faults: &ScheduleFaults) -> Failure {
    let message = format!("the plans of `{id}` are not right\n{}", faults.to_string().trim_end());
    Failure::new(Kind::Precondition, message)
}
