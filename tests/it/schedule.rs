//! The plans of a change: what is checked, what is refused, and what a schedule that passed can be relied on for.

mod cases;
mod commands;
mod growth;
mod properties;
mod seed_002;

use agentd::engine::schedule::{PlanningFiles, ScheduleCode, check};

/// Demands that exactly these faults are found, and gives them as they are shown.
fn refused(files: &PlanningFiles, codes: &[ScheduleCode]) -> String {
    let faults = check(files).expect_err("the plans are refused");
    assert_eq!(faults.codes(), codes, "{faults}");
    faults.to_string()
}
