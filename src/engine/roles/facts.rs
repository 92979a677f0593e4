//! What the prompts of a team say of a change beyond its files, from the settings and the journal.

use super::files::papers_of;
use super::plans::scheduled;
use crate::engine::change::ChangeError;
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::engine::history::History;
use crate::engine::instructions::answers;
use crate::engine::journal;
use crate::engine::lanes::LaneRecords;
use crate::engine::plan_order::PlanGroup;
use crate::engine::project::Location;
use crate::engine::schedule::{Lane, LaneGroup, Schedule};
use crate::handoff::Approval;
use crate::models::change::ChangeId;
use crate::models::plan::PlanIndex;
use crate::models::settings::Handover;
use crate::prompt::team::{Audience, Facts, RefusedWork, ScheduledGroup};

/// Returns who can answer an agent that gets its prompt in this way.
pub(super) const fn audience(handover: Handover) -> Audience {
    match handover {
        Handover::File | Handover::Stdin => Audience::Nobody,
        Handover::Tmux => Audience::Person,
    }
}

/// Returns whether preferences that come from a run with this audience are approved: a person who is there was asked.
pub(super) const fn approval(audience: Audience) -> Approval {
    match audience {
        Audience::Nobody => Approval::Pending,
        Audience::Person => Approval::Given,
    }
}

impl Driver<'_> {
    /// Collects what every prompt of the change may say.
    pub(in crate::engine) fn facts(&self) -> Facts {
        facts(&self.change.history, audience(self.setup.team.delivery))
    }
}

/// Collects what is known of a change that nobody need be at work on, for the prompt of a plan's coder or any other. The
/// change may have no journal yet.
pub fn read_facts(
    id: &ChangeId,
    Location { folder, state }: &Location,
    plan: Option<PlanIndex>,
) -> Result<Facts, EngineError> {
    let mut known = Facts::default();
    if state.is_dir() {
        let (records, _) = journal::read(state).map_err(ChangeError::from)?;
        let broken = |broken| ChangeError::Broken { folder: state.clone(), broken };
        if let Some(history) = History::of(&records).map_err(broken)? {
            known = facts(&history, Audience::Nobody);
            if let Some(plan) = plan {
                known = known_of_plan(&known, &history.lanes, plan);
            }
        }
    }
    if known.groups.is_empty() {
        let schedule = scheduled(&format!("agentd/changes/{id}"), &papers_of(folder)?)?;
        // Plans that cannot be scheduled are reported by `agentd schedule check`.
        let groups = schedule.iter().flat_map(Schedule::groups);
        known.groups = groups.map(of_schedule).collect();
    }
    Ok(known)
}

/// Adds what is known of one plan.
pub(in crate::engine) fn known_of_plan(
    facts: &Facts,
    lanes: &LaneRecords,
    plan: PlanIndex,
) -> Facts {
    let refused = lanes.refused(plan).map(|refused| RefusedWork {
        start: refused.start.to_string(),
        commit: refused.commit.to_string(),
        files: refused.files.clone(),
    });
    Facts { refused, ..facts.clone() }
}

fn facts(history: &History, audience: Audience) -> Facts {
    let groups = history.schedule.iter().flat_map(|order| &order.groups);
    Facts {
        audience,
        base: history.base.as_ref().map(ToString::to_string),
        groups: groups.map(of_group).collect(),
        refused: None,
        answers: answers(history),
        checks: history.expected_of_checks(),
    }
}

fn of_group(group: &PlanGroup) -> ScheduledGroup {
    let plans = group.plans.iter().map(|unit| unit.plan).collect();
    ScheduledGroup { mode: group.mode, plans }
}

fn of_schedule(group: &LaneGroup) -> ScheduledGroup {
    ScheduledGroup { mode: group.mode(), plans: group.lanes().iter().map(Lane::index).collect() }
}
