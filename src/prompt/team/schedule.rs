//! The order of plans for one coder that does them all: the groups of the schedule, and how each is carried out.

use std::num::NonZeroU32;

use askama::Template;

use super::facts::ScheduledGroup;
use crate::models::plan::Mode;

#[derive(Template)]
#[template(path = "blocks/schedule.md.j2", escape = "none")]
struct Schedule<'a> {
    groups: &'a [ScheduledGroup],
}

/// Lists the groups there are, in which order, and which plans may be carried out at the same time.
pub(super) fn schedule(groups: &[ScheduledGroup]) -> String {
    Schedule { groups }.to_string().trim_end().to_owned()
}

/// Lists the plans of groups, in order.
pub(super) fn numbers(groups: &[ScheduledGroup]) -> Vec<NonZeroU32> {
    let plans = groups.iter().flat_map(|group| &group.plans);
    plans.filter_map(|plan| NonZeroU32::new(plan.get())).collect()
}

impl ScheduledGroup {
    fn plans(&self) -> String {
        let numbers: Vec<_> = self.plans.iter().map(|plan| plan.get().to_string()).collect();
        let word = if self.is_alone() { "Plan" } else { "Plans" };
        format!("{word} {}", numbers.join(", "))
    }

    const fn is_alone(&self) -> bool {
        self.plans.len() == 1
    }

    const fn is_parallel(&self) -> bool {
        match self.mode {
            Mode::Parallel => true,
            Mode::Serial => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::plan::PlanIndex;

    #[test]
    fn groups_stand_in_their_order_with_how_they_are_carried_out() {
        let group = |mode, plans: &[u32]| ScheduledGroup {
            mode,
            plans: plans.iter().filter_map(|plan| PlanIndex::new(*plan)).collect(),
        };
        let groups = [
            group(Mode::Serial, &[3]),
            group(Mode::Parallel, &[1, 4]),
            group(Mode::Serial, &[2, 5]),
            group(Mode::Parallel, &[6]),
        ];
        let text = schedule(&groups);
        let listed = "\n1. Plan 3\n\
             2. Plans 1, 4: parallel, so they may be carried out at the same time\n\
             3. Plans 2, 5: serial, so one after another in this order\n\
             4. Plan 6";
        assert!(text.ends_with(listed), "{text}");
        assert_eq!(
            numbers(&groups).iter().map(|number| number.get()).collect::<Vec<_>>(),
            [3, 1, 4, 2, 5, 6]
        );
    }
}
