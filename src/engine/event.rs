//! What happens while a change goes on, for those who watch: typed events, which others render.

use std::path::Path;

use super::check_report::{CheckResult, Checked};
use super::expected::FileFault;
use super::git::Commit;
use super::lanes::LaneEvent;
use super::research::ResearchEvent;
use crate::flow::{Outcome, Step};
use crate::models::plan::{Mode, PlanIndex};
use crate::models::settings::RedBaseline;
use crate::models::usage::UsageMetrics;
use crate::orchestrator::watch as call;

/// Something that happens while a change goes on.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A step begins, in which an agent works.
    StepStarted {
        /// The step.
        step: &'a Step,
        /// Which time it is.
        round: u32,
        /// The agent.
        agent: &'a str,
        /// Its model, if one was asked for.
        model: Option<&'a str>,
        /// Whether it began before and goes on.
        resumed: bool,
    },
    /// Something happens in a call of the agent.
    Call(&'a call::Event<'a>),
    /// Edits of a phase that was cut off, or of a person, were set aside.
    SetAside {
        /// Where they are.
        patch: &'a Path,
    },
    /// The branch of a change was set back from a commit that no work of the change has ended with.
    BranchSetBack {
        /// The branch.
        branch: &'a str,
        /// The commit.
        commit: &'a Commit,
        /// The branch that keeps it.
        kept: &'a str,
    },
    /// Documents that were gone are there again.
    DocumentsRestored {
        /// The files.
        files: &'a [String],
    },
    /// A person edited documents, which are accepted as they are now.
    DocumentsEdited {
        /// The files.
        files: &'a [String],
    },
    /// A planner has set sub-plans aside that it had handed in.
    PlansSetAside {
        /// The plans.
        plans: &'a [PlanIndex],
    },
    /// The files of the phase are not in order, and the agent is asked once more.
    FilesAskedAgain {
        /// What is wrong with them.
        faults: &'a [FileFault],
    },
    /// A round that was to revise something changed nothing, and counts as failed.
    NothingChanged {
        /// The step.
        step: &'a Step,
    },
    /// A step ended, in which an agent worked.
    StepFinished {
        /// The step.
        step: &'a Step,
        /// How.
        outcome: Outcome,
        /// What that counts as: a PASS that lacks what it needs is a `NEEDS_CHANGES`.
        counts_as: Outcome,
        /// What it cost.
        usage: &'a UsageMetrics,
        /// Where the change is now, in one word.
        next: &'a str,
    },
    /// The agent of a step needs an answer from a person.
    Blocked {
        /// The step.
        step: &'a Step,
        /// What it needs.
        reason: &'a str,
    },
    /// The plans of a group of the schedule are carried out, as many of them as are not done.
    GroupStarted {
        /// The group's id.
        group: &'a str,
        /// How.
        mode: Mode,
        /// The plans.
        plans: &'a [PlanIndex],
    },
    /// Something happens to a plan that a coder carries out.
    Lane(&'a LaneEvent),
    /// Something happens while a coder carries out a plan.
    InLane {
        /// The plan.
        plan: u32,
        /// What happens.
        event: &'a Event<'a>,
    },
    /// Something happens to a topic that the team asks about.
    Research(&'a ResearchEvent),
    /// Something happens while a topic is looked into.
    InResearch {
        /// The name of the topic's folder.
        topic: &'a str,
        /// What happens.
        event: &'a Event<'a>,
    },
    /// Setup and checks begin, on the commit that the change begins from.
    BaselineStarted {
        /// The commit.
        commit: &'a Commit,
        /// How many checks there are.
        count: usize,
    },
    /// Setup and checks ran on the commit that the change begins from.
    BaselineFinished {
        /// What the checks show.
        result: &'a CheckResult,
    },
    /// It is chosen what happens about checks that failed there.
    BaselineChosen {
        /// What happens.
        choice: RedBaseline,
    },
    /// The checks begin.
    ChecksStarted {
        /// The step.
        step: &'a Step,
        /// How many there are.
        count: usize,
    },
    /// A check is run.
    CheckStarted {
        /// The command.
        command: &'a str,
    },
    /// A check was run.
    CheckFinished(&'a Checked),
    /// The checks were run.
    ChecksFinished {
        /// The step.
        step: &'a Step,
        /// What they show.
        result: &'a CheckResult,
        /// What agents left in places that git ignores.
        ignored: &'a [String],
    },
    /// The archive was put in place.
    Archived {
        /// The change's folder now.
        folder: &'a Path,
    },
}

/// Watches a change.
pub trait Watch: Send + Sync {
    /// Takes notice of an event.
    fn event(&self, event: &Event<'_>);
}
