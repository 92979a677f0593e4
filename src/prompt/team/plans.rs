//! The plans of a change as a coder gets them: one, which must be complete, or all of them in one prompt.

use std::num::NonZeroU32;

use super::error::TeamPromptError;
use super::session::TeamSession;
use crate::models::plan::PlanIndex;
use crate::prompt::session::Session;
use crate::template::{IncludeFault, Includes as _};

/// The folder of plans, below the change's folder.
pub(super) const PLANNING: &str = "04_planning";

/// What most plans take with their tasks.
const ROOM_FOR_PLAN: usize = 8 << 10;

/// Gives the path of a plan, below the change's folder.
pub(super) fn plan_file(number: NonZeroU32) -> String {
    format!("{PLANNING}/plan_{number}.md")
}

/// Gives the path of a plan's tasks, below the change's folder.
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

/// Lists the plans of a change, which count from 1 without a gap, as far as a schedule does.
pub(super) fn numbers(
    session: &TeamSession,
    files: &Session,
) -> Result<Vec<NonZeroU32>, TeamPromptError> {
    let names = files.folder().list(PLANNING, ".md").map_err(unusable(session, PLANNING))?;
    let number = |name: &String| NonZeroU32::new(PlanIndex::of_plan_file(name)?.get());
    let mut numbers: Vec<_> = names.iter().filter_map(number).collect();
    numbers.sort_unstable();
    let expected = || (1..).filter_map(NonZeroU32::new);
    let missing = match expected().zip(&numbers).find(|(expected, number)| expected != *number) {
        Some((missing, _)) => Some(missing),
        None if numbers.is_empty() => expected().next(),
        None => None,
    };
    match missing {
        Some(missing) => Err(TeamPromptError::MissingPlanFile { file: plan_file(missing) }),
        None => Ok(numbers),
    }
}

/// Inlines every plan with its tasks. They are most of a prompt, so that each is read straight into its place.
pub(super) fn inlined(
    session: &TeamSession,
    files: &Session,
    numbers: &[NonZeroU32],
) -> Result<String, TeamPromptError> {
    let mut text = String::with_capacity(numbers.len() * ROOM_FOR_PLAN);
    for number in numbers {
        let number = number.to_string();
        for (title, name) in [("Sub-plan", "plan"), ("Tasks of sub-plan", "tasks")] {
            let file = format!("{PLANNING}/{name}_{number}.md");
            let gap = if text.is_empty() { "" } else { "\n\n" };
            text.extend([gap, "### ", title, " ", &number, " (", &file, ")\n\n"]);
            text.extend(["<", name, "_", &number, "_md>\n"]);
            if !files.append(&file, &mut text).map_err(unusable(session, &file))? {
                return Err(TeamPromptError::MissingPlanFile { file });
            }
            text.extend(["\n</", name, "_", &number, "_md>"]);
        }
    }
    Ok(text)
}

fn unusable(session: &TeamSession, file: &str) -> impl FnOnce(IncludeFault) -> TeamPromptError {
    move |fault| TeamPromptError::Unusable { path: session.feature_dir.join(file), fault }
}
