//! The check of a schedule as those need it who hand in plans: every fault with its file and its place.

use super::check;
use super::files::{PLANNING, PlanningFiles};
use crate::handoff::Fault;
use crate::models::change::ChangeId;
use crate::prompt::confined::ConfinedFolder;

/// Says all that keeps the plans of a change from being scheduled, as if some files, given below the change's folder, were
/// not there.
pub fn unschedulable(change: &ChangeId, folder: &ConfinedFolder, without: &[String]) -> Vec<Fault> {
    let mut files = match PlanningFiles::read(format!("agentd/changes/{change}"), folder) {
        Ok(files) => files,
        Err(error) => {
            let (file, message) = (Some(PLANNING.to_owned()), error.to_string());
            return vec![Fault { file, field: String::new(), message, place: None }];
        }
    };
    for path in without {
        let name = path.strip_prefix(PLANNING).unwrap_or(path);
        files = files.without(name.trim_start_matches('/'));
    }
    check(&files).err().map(|faults| faults.handed_in()).unwrap_or_default()
}
