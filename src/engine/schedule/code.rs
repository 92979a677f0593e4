//! The table of the faults that plans can have. `docs/schedule.md` explains each; a test holds the two together.

use crate::compile::code::codes;

codes! {
    /// What a fault of the plans is about. The spelling is stable.
    pub enum ScheduleCode {
        /// There is no execution plan.
        NoExecutionPlan = "no-execution-plan" Error,
        /// The execution plan is not YAML, or more than is read.
        PlanSyntax = "plan-syntax" Error,
        /// The execution plan has a key that does not exist.
        PlanKey = "plan-key" Error,
        /// The execution plan lacks a key that it must have.
        PlanField = "plan-field" Error,
        /// A value of the execution plan is not what its key asks for.
        PlanValue = "plan-value" Error,
        /// A plan's file has a name that no plan has.
        PlanFileName = "plan-file-name" Error,
        /// A path is no path below the project's root, or one that no plan may own.
        Path = "path" Error,
        /// Two groups have the same id.
        DuplicateGroup = "duplicate-group" Error,
        /// A plan is scheduled twice.
        DuplicatePlan = "duplicate-plan" Error,
        /// The numbers of the plans have a gap.
        PlanGap = "plan-gap" Error,
        /// A plan that is scheduled has no file.
        MissingPlan = "missing-plan" Error,
        /// A plan that is scheduled has no checklist.
        MissingTasks = "missing-tasks" Error,
        /// A plan's file is in no group.
        UnscheduledPlan = "unscheduled-plan" Error,
        /// Documents are needed, and none is named, or the other way round.
        NoDocFiles = "no-doc-files" Error,
        /// A file is not UTF-8.
        NotUtf8 = "not-utf8" Error,
        /// A code fence is never closed.
        UnclosedFence = "unclosed-fence" Error,
        /// A plan lacks a section.
        MissingSection = "missing-section" Error,
        /// A plan has a section twice.
        DuplicateSection = "duplicate-section" Error,
        /// A section holds nothing.
        EmptySection = "empty-section" Error,
        /// The files that a plan owns are no list with one path an item.
        OwnedFiles = "owned-files" Error,
        /// The dependencies of a plan are neither a list of plans nor `none`.
        Dependencies = "dependencies" Error,
        /// A plan depends on one that is not scheduled.
        UnknownDependency = "unknown-dependency" Error,
        /// A plan depends on itself.
        SelfDependency = "self-dependency" Error,
        /// A plan depends on one that is not done before it.
        DependencyOrder = "dependency-order" Error,
        /// A checklist holds no task.
        NoTasks = "no-tasks" Error,
        /// Two plans that are carried out at the same time own the same file.
        Overlap = "overlap" Error,
    }
}
