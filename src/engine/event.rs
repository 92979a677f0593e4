//! What happens while a change goes on, for those who watch: typed events, which others render.

use std::path::Path;

use super::evidence::Checked;
use super::expected::FileFault;
use super::git::Commit;
use super::lanes::LaneEvent;
use super::machine::{Check, Evidence, Outcome, Stage};
use super::team::{ResearchEvent, StepResult, TeamStep};
use crate::models::plan::{Mode, PlanIndex};
use crate::models::usage::UsageMetrics;
use crate::orchestrator::watch as call;
use crate::template::Phase;

/// Something that happens while a change goes on.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A phase begins.
    PhaseStarted {
        /// The phase.
        phase: Phase,
        /// Which time it is.
        round: u32,
        /// The agent.
        agent: &'a str,
        /// Its model, if one was asked for.
        model: Option<&'a str>,
        /// Whether it was begun before and is gone on with.
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
    },
    /// Files that the agent had no business with were put back.
    PutBack {
        /// The files.
        files: &'a [String],
    },
    /// Plans or tasks that said something else than was planned were put back.
    PlansMended {
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
    /// A phase came to its end.
    PhaseFinished {
        /// The phase.
        phase: Phase,
        /// What it came to.
        outcome: Outcome,
        /// What it cost.
        usage: &'a UsageMetrics,
        /// Where the change is now.
        next: Stage,
    },
    /// A step of the team begins.
    StepStarted {
        /// The step.
        step: TeamStep,
        /// Which time it is.
        round: u32,
        /// The agent.
        agent: &'a str,
        /// Its model, if one was asked for.
        model: Option<&'a str>,
        /// Whether it was begun before and is gone on with.
        resumed: bool,
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
    /// A step of the team came to its end.
    StepFinished {
        /// The step.
        step: TeamStep,
        /// What it came to.
        result: StepResult,
        /// What it cost.
        usage: &'a UsageMetrics,
        /// Where the change is now, in a word.
        next: &'a str,
    },
    /// The checks begin.
    ChecksStarted {
        /// When.
        check: Check,
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
        /// What they came to.
        evidence: Evidence,
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
