//! The plans of a change as they stand in prompts: one, which must be complete, or all of them, for one coder that does
//! them all and for those who look at the whole.

use std::num::NonZeroU32;

use log::warn;

use super::error::TeamPromptError;
use super::facts::ScheduledGroup;
use super::session::TeamSession;
use crate::catalog::CATALOG;
use crate::models::plan::{Mode, PlanIndex};
use crate::prompt::session::Session;
use crate::template::{IncludeFault, Includes as _, OwnText};

/// The folder of plans, below the change's folder.
pub(super) const PLANNING: &str = "04_planning";

/// What most plans take with their tasks.
const ROOM_FOR_PLAN: usize = 8 << 10;

/// How much of all plans and tasks goes into the prompt of somebody who can do without some of them.
const MOST_FOR_READERS: usize = 256 << 10;

/// Who gets all plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// Carries them out, and needs every file.
    Coder,
    /// Holds code against them: gets what is there, and opens the files that are too much for a prompt.
    Judge,
}

/// Returns the path of a plan, below the change's folder.
pub(super) fn plan_file(number: NonZeroU32) -> String {
    format!("{PLANNING}/plan_{number}.md")
}

/// Returns the path of a plan's tasks, below the change's folder.
pub(super) fn tasks_file(number: NonZeroU32) -> String {
    format!("{PLANNING}/tasks_{number}.md")
}

/// Demands that a plan and its tasks were there when the prompt was made, whatever else came of it.
pub(super) fn ensure_complete(files: &Session, number: NonZeroU32) -> Result<(), TeamPromptError> {
    match [plan_file(number), tasks_file(number)].into_iter().find(|file| files.lacks(file)) {
        Some(file) => Err(TeamPromptError::MissingPlanFile { file }),
        None => Ok(()),
    }
}

/// Lists the groups of plans in the order of the schedule. Where none is known, all plans are one serial group.
pub(super) fn groups(
    session: &TeamSession,
    files: &Session,
) -> Result<Vec<ScheduledGroup>, TeamPromptError> {
    if !session.facts.groups.is_empty() {
        return Ok(session.facts.groups.clone());
    }
    let plans = present(session, files)?;
    let expected = || (1..=PlanIndex::LARGEST).filter_map(PlanIndex::new);
    let missing = match expected().zip(&plans).find(|(expected, plan)| expected != *plan) {
        Some((missing, _)) => Some(missing),
        None if plans.is_empty() => Some(PlanIndex::FIRST),
        None => None,
    };
    match missing {
        Some(missing) => Err(TeamPromptError::MissingPlanFile {
            file: format!("{PLANNING}/{}", missing.plan_file()),
        }),
        None => Ok(vec![ScheduledGroup { mode: Mode::Serial, plans }]),
    }
}

/// The frames of plans and tasks, as the coder's template has them.
const FRAMES: [(&str, &str, &str); 2] =
    [("Sub-plan", "plan", "plan_md"), ("Tasks of sub-plan", "tasks", "tasks_md")];

/// Lists the plans whose files are there, in the order of their numbers.
fn present(session: &TeamSession, files: &Session) -> Result<Vec<PlanIndex>, TeamPromptError> {
    let names = files.folder().list(PLANNING, ".md").map_err(unusable(session, PLANNING))?;
    let mut plans: Vec<_> = names.iter().filter_map(|name| PlanIndex::of_plan_file(name)).collect();
    plans.sort_unstable();
    Ok(plans)
}

/// Inlines the plans of a change with their tasks, for somebody who holds its code against them.
pub(super) fn for_judges(
    session: &TeamSession,
    files: &Session,
) -> Result<OwnText, TeamPromptError> {
    let plans = match session.facts.groups.as_slice() {
        [] => present(session, files)?,
        groups => groups.iter().flat_map(|group| &group.plans).copied().collect(),
    };
    inlined(session, files, &plans, Reader::Judge)
}

/// Inlines plans, each with its tasks in a frame that nothing in it can close. They are most of a prompt, so that each is
/// read straight into its place.
pub(super) fn inlined(
    session: &TeamSession,
    files: &Session,
    plans: &[PlanIndex],
    reader: Reader,
) -> Result<OwnText, TeamPromptError> {
    let mut text = String::with_capacity(plans.len() * ROOM_FOR_PLAN);
    for plan in plans {
        let number = plan.get().to_string();
        for (title, name, frame) in FRAMES {
            let file = format!("{PLANNING}/{name}_{number}.md");
            let before = text.len();
            let gap = if text.is_empty() { "" } else { "\n\n" };
            text.extend([gap, "### ", title, " ", &number, " (", &file, ")\n\n"]);
            let heading = text.len();
            text.extend(["<", frame, ">\n"]);
            let start = text.len();
            let is_there = files.append(&file, &mut text).map_err(unusable(session, &file))?;
            CATALOG.tags.guard_from(start, &mut text);
            text.extend(["\n</", frame, ">"]);
            match reader {
                Reader::Coder if !is_there => {
                    return Err(TeamPromptError::MissingPlanFile { file });
                }
                Reader::Judge if !is_there => text.truncate(before),
                Reader::Judge if text.len() > MOST_FOR_READERS => {
                    warn!("`{file}` is too large for the prompt, which only names it");
                    text.truncate(heading);
                    text.push_str("It is too long to be included here: open the file.");
                }
                Reader::Coder | Reader::Judge => {}
            }
        }
    }
    Ok(OwnText::trusted(text))
}

fn unusable(session: &TeamSession, file: &str) -> impl FnOnce(IncludeFault) -> TeamPromptError {
    move |fault| TeamPromptError::Unusable { path: session.feature_dir.join(file), fault }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frames_of_plans_are_among_the_tags_that_nothing_can_make() {
        assert!(FRAMES.iter().all(|(_, _, frame)| CATALOG.tags.contains(frame)));
    }
}
