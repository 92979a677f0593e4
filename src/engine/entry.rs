//! What a journal holds: one entry for each thing that happened to a change, with all that is needed to go on from it.

use serde::{Deserialize, Serialize};

use super::archive::{ArchivePlan, Baseline};
use super::baseline::BaselineRun;
use super::call_log::Called;
use super::check_report::CheckResult;
use super::git::Commit;
use super::lanes::LaneEvent;
use super::plan_order::PlanOrder;
use super::research::ResearchEvent;
use super::store::Accepted;
use crate::flow::{Flow, Outcome, Subject};
use crate::models::change::ChangeId;
use crate::models::plan::PlanIndex;
use crate::models::settings::RedBaseline;

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of the journal.
    pub version: u32,
    /// When it happened, in milliseconds since 1970.
    pub at_ms: u64,
    /// What happened.
    #[serde(flatten)]
    pub entry: Entry,
}

impl Record {
    /// The version that is written.
    pub const VERSION: u32 = 2;
}

/// Something that happened to a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Entry {
    /// A person asked for it.
    Created {
        /// The change.
        id: ChangeId,
        /// What is wanted, word for word.
        request: String,
        /// The flow that the change follows to its end.
        flow: FlowCopy,
        /// Whether the configuration asked for a product manager.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        product_manager: bool,
        /// The checkout that began it, none for the repository's first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checkout: Option<String>,
    },
    /// The change goes on in another checkout: the one that held it was removed.
    Adopted {
        /// The checkout, none for the repository's first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checkout: Option<String>,
    },
    /// Setup and checks ran on the commit that the change begins from.
    Baseline(BaselineRun),
    /// A person, or the configuration, chose what happens about checks that failed there.
    BaselineChosen {
        /// What happens.
        choice: RedBaseline,
    },
    /// A step began, or began again.
    Started(Started),
    /// A call of an agent ended.
    Called(Called),
    /// A step ended.
    Finished(Finished),
    /// An attempt at a step failed; the step is still due.
    Failed {
        /// The step.
        step: String,
        /// Why.
        message: String,
        /// The number of the last run; what was run up to it is not looked at again.
        last_run: u32,
    },
    /// The agent of a step needs an answer.
    Blocked {
        /// The step.
        step: String,
        /// What the agent needs.
        reason: String,
        /// The number of the last run; what was run up to it is not looked at again.
        last_run: u32,
    },
    /// A person answered the agent of a step.
    Answered {
        /// The answer.
        text: String,
    },
    /// agentd accepted documents: copies of them are kept with the change's state.
    Documents {
        /// The hash of each that is new or changed.
        #[serde(default, skip_serializing_if = "Accepted::is_empty")]
        set: Accepted,
        /// Those that are there no more.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        removed: Vec<String>,
    },
    /// A person edited documents that were accepted.
    Edited(Edited),
    /// Something happened to a plan that a coder carries out.
    Lane(LaneEvent),
    /// One coder for all plans carried out this one.
    PlanDone(PlanDone),
    /// Something happened to a topic of research.
    Research(ResearchEvent),
    /// A person wants to look at the result of a step.
    Paused {
        /// The step.
        step: String,
    },
    /// A person approved.
    Approved {
        /// What the person said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// A person lets the change go on in spite of a REJECTED.
    Overridden {
        /// Why.
        reason: String,
    },
    /// A person rejected the work.
    Rejected {
        /// Why.
        reason: String,
    },
    /// A person said more about what is wanted.
    Guided {
        /// What the person said.
        text: String,
    },
    /// The archive is about to be put in place in this way, which can be done again after a crash.
    Applying {
        /// The steps.
        plan: ArchivePlan,
    },
    /// A person brought the code onto another base; an archived change is worked on again.
    Rebased {
        /// The new base.
        onto: Commit,
        /// The commit that the change's code is at now.
        commit: Commit,
    },
    /// A person gave the change up.
    Cancelled {
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// A person edited documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edited {
    /// The hash of each as it is now.
    pub set: Accepted,
    /// What was judged by these documents, and is not judged any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// The plans as they are now, where the documents hold some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<PlanOrder>,
}

/// A flow as it was when a change began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowCopy {
    /// Its name.
    pub name: String,
    /// The hash of its file.
    pub hash: String,
    /// Its file, so that the change keeps it whatever becomes of the file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl FlowCopy {
    /// Copies a flow; `text` is its file.
    pub fn of(flow: &Flow, text: &str) -> Self {
        Self { name: flow.name.to_string(), hash: flow.hash.to_string(), text: text.to_owned() }
    }
}

/// A step began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The step.
    pub step: String,
    /// Which time it is, over all.
    pub round: u32,
    /// The agent, where one works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The number of the first run that belongs to it.
    pub first_run: u32,
    /// The commit that the change's code was at.
    pub commit: Commit,
    /// The hashes of the project's specs, where the step is written for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specs: Option<Baseline>,
}

/// A step ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// The step.
    pub step: String,
    /// How.
    pub outcome: Outcome,
    /// The run whose answer counts.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "optional_run")]
    pub run: Option<String>,
    /// The number of the last run that belongs to it.
    pub last_run: u32,
    /// The commit that the change's code is at now.
    pub commit: Commit,
    /// The tasks that were completed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub completed: Vec<String>,
    /// The plans, after a step that makes a schedule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<PlanOrder>,
    /// Whether the documents that the schedule asks for are there, after a review that looked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub documented: bool,
    /// What the checks show, after a step that runs them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<CheckResult>,
    /// What agents left in places that git ignores, after a step that runs checks: no commit holds it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
}

/// A plan was carried out, and its code is part of the change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanDone {
    /// Its number.
    pub plan: PlanIndex,
    /// The commit that the change's code is at now.
    pub commit: Commit,
}

impl Entry {
    /// Returns what a person said, where it is that.
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Created { request: words, .. }
            | Self::Rejected { reason: words }
            | Self::Overridden { reason: words }
            | Self::Answered { text: words }
            | Self::Guided { text: words } => Some(words),
            Self::Approved { note: words } | Self::Cancelled { reason: words } => words.as_deref(),
            Self::Baseline(_)
            | Self::BaselineChosen { .. }
            | Self::Started(_)
            | Self::Called(_)
            | Self::Finished(_)
            | Self::Failed { .. }
            | Self::Blocked { .. }
            | Self::Documents { .. }
            | Self::Edited(_)
            | Self::Lane(_)
            | Self::PlanDone(_)
            | Self::Research(_)
            | Self::Paused { .. }
            | Self::Applying { .. }
            | Self::Rebased { .. }
            | Self::Adopted { .. } => None,
        }
    }
}

/// Reads the name of a run's folder, which leads nowhere else.
pub(super) fn run_name<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let name = String::deserialize(from)?;
    if name.starts_with('.') || name.contains(['/', '\0']) {
        return Err(serde::de::Error::custom(format!("`{name}` is not the name of a run")));
    }
    Ok(name)
}

fn optional_run<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    run_name(from).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_a_journal_is_a_name_and_no_path() {
        #[derive(Debug, Deserialize)]
        struct Run {
            #[serde(deserialize_with = "run_name")]
            run: String,
        }
        let read = |run: &str| serde_json::from_str::<Run>(&format!("{{\"run\": {run:?}}}"));
        assert_eq!(read("003-plan").unwrap().run, "003-plan");
        for path in ["../../out", "..", "/etc", "001-plan/../../x", ".git"] {
            assert!(read(path).unwrap_err().to_string().contains("is not the name of a run"));
        }
    }
}
