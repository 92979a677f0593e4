//! What a journal holds: one entry for each thing that happened to a change, with all that is needed to go on from it.

use serde::{Deserialize, Serialize};

use super::archive::{ArchivePlan, Baseline};
use super::flow::Flow;
use super::git::Commit;
use super::lanes::LaneEvent;
use super::machine::{Check, Event, Evidence, Outcome};
use super::team::{PlanDone, ResearchEvent, StepFinished, StepStarted, TeamStep};
use super::work::Work;
use crate::models::change::ChangeId;
use crate::models::word::{self, Word};
use crate::template::{Phase, Verdict};

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    pub const VERSION: u32 = 1;
}

/// Something that happened to a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Entry {
    /// A person asked for it.
    Created {
        /// The change.
        id: ChangeId,
        /// What is wanted, word for word.
        request: String,
        /// The way in which it goes on.
        #[serde(default, skip_serializing_if = "Flow::is_default", with = "word")]
        flow: Flow,
        /// The step that the team begins with.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "word::optional")]
        first: Option<TeamStep>,
    },
    /// A phase was begun.
    Started(Started),
    /// A phase came to its end.
    Finished(Finished),
    /// A phase could not be brought to its end; it is still due.
    Failed {
        /// The phase.
        #[serde(with = "word")]
        phase: Phase,
        /// Why.
        message: String,
        /// The number of the last run; what was run up to it is not looked at again.
        last_run: u32,
    },
    /// The team began a step.
    StepStarted(StepStarted),
    /// Something happened to a plan that a coder carries out.
    Lane(LaneEvent),
    /// Something happened to a topic that the team asks about.
    Research(ResearchEvent),
    /// The team carried out a plan, by one coder for all of them.
    PlanDone(PlanDone),
    /// The team came to the end of a step.
    StepFinished(StepFinished),
    /// A step could not be brought to its end; it is still due.
    StepFailed {
        /// The step.
        #[serde(with = "word")]
        step: TeamStep,
        /// Why.
        message: String,
        /// The number of the last run; what was run up to it is not looked at again.
        last_run: u32,
    },
    /// A person is to be asked about a step.
    StepPaused {
        /// About what this step came to.
        #[serde(with = "word")]
        step: TeamStep,
    },
    /// The project's checks were run.
    Verified {
        /// When.
        #[serde(with = "word")]
        check: Check,
        /// What they came to.
        #[serde(with = "word")]
        evidence: Evidence,
        /// The commit they were run on.
        commit: Commit,
    },
    /// A person is to be asked.
    Paused {
        /// About what this phase came to.
        #[serde(with = "word")]
        phase: Phase,
    },
    /// A person approved.
    Approved {
        /// What the person said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// A person sent the work back.
    SentBack {
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
    /// The archive was put in place.
    Applied,
    /// A person gave the change up.
    Cancelled {
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// A phase was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The phase.
    #[serde(with = "word")]
    pub phase: Phase,
    /// Which time it is, over all.
    pub round: u32,
    /// The agent.
    pub agent: String,
    /// The number of the first run that belongs to it.
    pub first_run: u32,
    /// The commit that the workspace was at.
    pub commit: Commit,
    /// The hashes of the project's specs, when a plan begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specs: Option<Baseline>,
}

/// A phase came to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// The phase.
    #[serde(with = "word")]
    pub phase: Phase,
    /// What it came to.
    #[serde(with = "word")]
    pub outcome: Outcome,
    /// The run whose answer counts.
    #[serde(deserialize_with = "run_name")]
    pub run: String,
    /// The commit that the workspace is at now.
    pub commit: Commit,
    /// The tasks that were completed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub completed: Vec<String>,
}

impl Entry {
    /// Gives the flow that alone has such entries; none if both have them.
    pub const fn flow(&self) -> Option<Flow> {
        match self {
            Self::Started(_) | Self::Finished(_) | Self::Failed { .. } | Self::Paused { .. } => {
                Some(Flow::Sdd)
            }
            Self::StepStarted(_)
            | Self::Lane(_)
            | Self::Research(_)
            | Self::PlanDone(_)
            | Self::StepFinished(_)
            | Self::StepFailed { .. }
            | Self::StepPaused { .. } => Some(Flow::Team),
            Self::Created { .. }
            | Self::Verified { .. }
            | Self::Approved { .. }
            | Self::SentBack { .. }
            | Self::Guided { .. }
            | Self::Applying { .. }
            | Self::Applied
            | Self::Cancelled { .. } => None,
        }
    }

    /// Gives what a person said, where it is that.
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Created { request: words, .. }
            | Self::SentBack { reason: words }
            | Self::Guided { text: words } => Some(words),
            Self::Approved { note: words } | Self::Cancelled { reason: words } => words.as_deref(),
            Self::Started(_)
            | Self::Finished(_)
            | Self::Failed { .. }
            | Self::StepStarted(_)
            | Self::Lane(_)
            | Self::Research(_)
            | Self::PlanDone(_)
            | Self::StepFinished(_)
            | Self::StepFailed { .. }
            | Self::StepPaused { .. }
            | Self::Verified { .. }
            | Self::Paused { .. }
            | Self::Applying { .. }
            | Self::Applied => None,
        }
    }

    /// Gives the work that it says is done: from then on, what that has left in the change's folder is relied on.
    pub const fn acknowledges(&self) -> Option<Work> {
        match self {
            Self::Finished(finished) => Some(Work::Phase(finished.phase)),
            Self::StepFinished(finished) => Some(Work::Step(finished.step)),
            Self::Lane(LaneEvent::Finished { .. }) | Self::PlanDone(_) => {
                Some(Work::Step(TeamStep::Coders))
            }
            Self::Research(ResearchEvent::Finished { .. }) => Some(Work::Research),
            Self::Created { .. }
            | Self::Started(_)
            | Self::Failed { .. }
            | Self::StepStarted(_)
            | Self::Lane(_)
            | Self::Research(_)
            | Self::StepFailed { .. }
            | Self::StepPaused { .. }
            | Self::Verified { .. }
            | Self::Paused { .. }
            | Self::Approved { .. }
            | Self::SentBack { .. }
            | Self::Guided { .. }
            | Self::Applying { .. }
            | Self::Applied
            | Self::Cancelled { .. } => None,
        }
    }

    /// Gives what the machine of the phases makes of it; an entry that changes no stage is none.
    pub const fn event(&self) -> Option<Event> {
        match self {
            Self::Created { .. }
            | Self::Failed { .. }
            | Self::Applying { .. }
            | Self::StepStarted(_)
            | Self::Lane(_)
            | Self::Research(_)
            | Self::PlanDone(_)
            | Self::StepFinished(_)
            | Self::StepFailed { .. }
            | Self::StepPaused { .. } => None,
            Self::Started(started) => Some(Event::Started(started.phase)),
            Self::Finished(finished) => Some(Event::Finished(finished.phase, finished.outcome)),
            Self::Verified { evidence, .. } => Some(Event::Verified(*evidence)),
            Self::Paused { phase } => Some(Event::Paused(*phase)),
            Self::Approved { .. } => Some(Event::Approved),
            Self::SentBack { .. } => Some(Event::SentBack),
            Self::Guided { .. } => Some(Event::Guided),
            Self::Applied => Some(Event::Applied),
            Self::Cancelled { .. } => Some(Event::Cancelled),
        }
    }
}

impl Word for Check {
    fn spelled(self) -> &'static str {
        match self {
            Self::AfterImplement => "after-implement",
            Self::BeforeArchive => "before-archive",
        }
    }

    fn find(word: &str) -> Option<Self> {
        [Self::AfterImplement, Self::BeforeArchive].into_iter().find(|it| it.spelled() == word)
    }
}

impl Word for Evidence {
    fn spelled(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Red => "red",
        }
    }

    fn find(word: &str) -> Option<Self> {
        [Self::Green, Self::Red].into_iter().find(|it| it.spelled() == word)
    }
}

impl Word for Outcome {
    fn spelled(self) -> &'static str {
        match self {
            Self::Verdict(verdict) => verdict.word(),
            Self::AllDone => "all-done",
            Self::TasksLeft => "tasks-left",
            Self::Files => "files",
        }
    }

    fn find(word: &str) -> Option<Self> {
        let others = [Self::AllDone, Self::TasksLeft, Self::Files];
        let verdict = Verdict::from_word(word).map(Self::Verdict);
        verdict.or_else(|| others.into_iter().find(|it| it.spelled() == word))
    }
}

/// Reads the name of a run's folder, which leads nowhere else: a journal may come with a clone.
pub(super) fn run_name<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let name = String::deserialize(from)?;
    if name.starts_with('.') || name.contains(['/', '\0']) {
        return Err(serde::de::Error::custom(format!("`{name}` is not the name of a run")));
    }
    Ok(name)
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
