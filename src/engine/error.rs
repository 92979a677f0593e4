//! Why a change does not go on.

use std::error::Error as _;
use std::{io, iter};

use thiserror::Error;

use super::archive::ArchiveError;
use super::baseline::FailedBefore;
use super::change::ChangeError;
use super::expected::{FileFault, FilesError};
use super::git::GitError;
use crate::files::own::Refused;
use crate::files::{Failed, is_of_the_machine};
use crate::models::change::ChangeId;
use crate::orchestrator::RunError;
use crate::orchestrator::answer_files::DeliveryError;
use crate::orchestrator::prompts::materials::MaterialError;
use crate::process::ProcessError;
use crate::prompt::team::TeamPromptError;
use crate::template::{IncludeFault, RenderError};

/// Why a change does not go on. Nothing that was done is lost: it goes on from there.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The change cannot be held, or its journal cannot be written.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The agent could not be called, or gave no usable answer.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Something is wrong with the repository or a workspace.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A command could not be supervised.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The archive cannot be put in place.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The files of a step cannot be read.
    #[error(transparent)]
    FilesUnreadable(#[from] FilesError),
    /// The result of a step is not right, also after the agent was asked once more.
    #[error("{step} by agent `{agent}` did not leave the required files: {}", listed(faults))]
    Files {
        /// The step.
        step: String,
        /// The agent.
        agent: String,
        /// What is wrong with them.
        faults: Vec<FileFault>,
    },
    /// The plans are no longer as they were when they were made, and cannot be carried out.
    #[error("the plans of `{id}` are no longer valid: {}", listed(faults))]
    Schedule {
        /// The change.
        id: ChangeId,
        /// What is wrong with them.
        faults: Vec<FileFault>,
    },
    /// A command that sets up a workspace failed.
    #[error("`{command}`, which sets up the workspace, failed: {reason}{}", indented(lines))]
    WorkspaceSetup {
        /// The command.
        command: String,
        /// How.
        reason: String,
        /// The last lines that it printed.
        lines: String,
    },
    /// Checks fail before the change begins, and a person must choose what happens.
    #[error("checks fail before the change `{id}` starts:{}", failed.iter().map(before).collect::<String>())]
    RedBaseline {
        /// The change.
        id: ChangeId,
        /// The checks.
        failed: Vec<FailedBefore>,
    },
    /// There is no agent for a step.
    #[error("there is no agent for {step}")]
    NoAgent {
        /// The step.
        step: String,
    },
    /// The agent of a plan needs an answer from a person.
    #[error("the agent needs an answer: {reason}")]
    Blocked {
        /// What it needs.
        reason: String,
    },
    /// Plans could not be carried out; the others are done.
    #[error("not all plans are done: {}", reasons.join("; "))]
    Plans {
        /// What each that is not done came to.
        reasons: Vec<String>,
    },
    /// The prompt of a step cannot be made.
    #[error(transparent)]
    Prompt(#[from] TeamPromptError),
    /// The clock shows no day that can be written.
    #[error("the system clock shows no valid date")]
    NoDay,
    /// agentd was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] Failed),
}

impl EngineError {
    /// Returns whether the machine is at fault, a full disk say: then nothing is wrong with the phase, nor with its answer.
    pub fn is_of_the_machine(&self) -> bool {
        match self {
            // Nobody but the system, or a person, ends a guard. Where another agentd has the change, it alone writes there.
            Self::Change(ChangeError::Lock(_))
            | Self::Run(
                RunError::Process(ProcessError::GuardLost { .. })
                | RunError::Delivery {
                    error: DeliveryError::Unwritable { fault: IncludeFault::Unreadable(_), .. },
                    ..
                },
            )
            | Self::FilesUnreadable(FilesError::Unreadable {
                fault: IncludeFault::Unreadable(_),
                ..
            }) => true,
            Self::Git(error) => error.is_of_the_machine(),
            _ => self.io().is_some_and(is_of_the_machine),
        }
    }

    /// Returns whether nothing is wrong with the work: agentd is to end, the machine is at fault, no more may be spent, or
    /// something stands in the way that agentd does not open. What was done so far stays, and the work goes on from there.
    pub fn is_no_failure(&self) -> bool {
        let is_over_budget = matches!(self, Self::Run(RunError::OverBudget { .. }));
        is_over_budget || self.is_interruption() || self.is_of_the_machine() || self.is_refused()
    }

    /// Returns whether something below `agentd/` is not what it must be: a person has to look at it.
    pub fn is_refused(&self) -> bool {
        match self {
            Self::FilesUnreadable(FilesError::Unreadable { fault, .. })
            | Self::Run(RunError::Material(MaterialError::Unreadable { fault, .. }))
            | Self::Prompt(
                TeamPromptError::Unusable { fault, .. }
                | TeamPromptError::Render(RenderError::Include { fault, .. }),
            )
            | Self::Archive(ArchiveError::Unusable { fault, .. }) => fault.is_refusal(),
            // What git meets in a checkout is for git to say.
            Self::Git(_) => false,
            _ => self.io().is_some_and(Refused::is),
        }
    }

    /// Returns what the system said, if it said something.
    fn io(&self) -> Option<&io::Error> {
        let mut causes = iter::successors(self.source(), |error| (*error).source());
        causes.find_map(|error| error.downcast_ref())
    }

    /// Returns whether agentd itself was asked to end: then nothing is wrong with the phase.
    pub const fn is_interruption(&self) -> bool {
        matches!(
            self,
            Self::Interrupted
                | Self::Run(RunError::Cancelled { .. })
                | Self::Git(GitError::Interrupted { .. })
        )
    }
}

fn listed(faults: &[FileFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Shows a check that failed before the change.
fn before(check: &FailedBefore) -> String {
    format!("\n`{}` failed: {}{}", check.command, check.failure, indented(&check.lines))
}

/// Shows lines that a command printed below what is said of it.
fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("\n    {line}")).collect()
}
