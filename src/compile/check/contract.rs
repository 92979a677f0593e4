//! What a system template is held to besides its sections: the variables it uses and the markers it teaches.

use crate::template::{Phase, TaskStatus, Variable, Verdict};

/// The contract of one template: that of a phase, or of a step with a template of its own.
pub(in super::super) struct SystemContract {
    /// What it is the contract of, as messages call it.
    pub(in super::super) name: String,
    /// The variables that it must use.
    pub(in super::super) required: Vec<Variable>,
    /// The variables that have a value.
    pub(in super::super) known: Vec<Variable>,
    /// The verdicts that it must teach; no others.
    pub(in super::super) verdicts: Vec<Verdict>,
    /// The task statuses that it must teach; no others.
    pub(in super::super) statuses: Vec<TaskStatus>,
    /// What to do about a variable that has no value.
    pub(in super::super) help_unknown: String,
}

impl SystemContract {
    /// Returns the contract of a phase.
    pub(super) fn of_phase(phase: Phase) -> Self {
        let known = Variable::ALL.iter().copied().filter(|variable| phase.allows(*variable));
        // Of all variables, only the tasks are not known everywhere.
        let phases = Phase::ALL.iter().filter(|phase| phase.allows(Variable::Tasks));
        let phases: Vec<_> = phases.map(|phase| format!("`{phase}`")).collect();
        Self {
            name: format!("phase `{phase}`"),
            required: phase.required_variables().to_vec(),
            known: known.collect(),
            verdicts: phase.verdicts().to_vec(),
            statuses: phase.task_statuses().to_vec(),
            help_unknown: format!(
                "it has a value only in {}: remove it here",
                phases.join(" and ")
            ),
        }
    }
}
