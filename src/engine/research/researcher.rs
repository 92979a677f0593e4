//! One researcher at work on one topic: what it is told, and what it must leave behind.

use std::path::Path;
use std::sync::Arc;

use super::inquiry::{Inquiry, PART};
use crate::engine::attempt::{Attempt, Checked, Request};
use crate::engine::error::EngineError;
use crate::engine::event::{Event, Watch};
use crate::engine::expected::{FileFault, FilesError};
use crate::engine::roles::RoleCall;
use crate::files::OrFailed as _;
use crate::orchestrator::PhaseOutcome;
use crate::orchestrator::watch as call;
use crate::prompt::confined::ConfinedFolder;

/// A researcher with a topic.
pub(super) struct Researcher {
    pub(super) call: RoleCall,
    pub(super) inquiry: Inquiry,
    /// Whether the topic began before, and what was left then counts.
    pub(super) is_resumed: bool,
    pub(super) watch: Arc<dyn Watch>,
}

impl Researcher {
    /// Looks into the topic, once more if the answers are not right.
    pub(super) async fn look_into(mut self) -> Result<(), EngineError> {
        // `done` is written last: whoever was cut off after it has said all.
        if self.is_resumed && self.lacking()?.is_empty() {
            return Ok(());
        }
        self.carry_out().await.map(drop)
    }

    /// Returns whether an earlier researcher, whose end agentd did not see, answered or left all files.
    pub(super) fn has_left_something(&self) -> Result<bool, EngineError> {
        Ok(self.call.has_answer(Request::First) || self.lacking()?.is_empty())
    }

    /// Lists what is not there of what a researcher must leave.
    fn lacking(&self) -> Result<Vec<FileFault>, EngineError> {
        let folder = &self.call.session.feature_dir;
        let papers = ConfinedFolder::open(folder).or_failed("open", folder)?;
        let (summary, done) = (self.inquiry.file("summary.md"), self.inquiry.file("done"));
        let unusable = |path: &str| {
            let path = path.to_owned();
            move |fault| FilesError::Unreadable { path, fault }
        };
        let mut faults = Vec::new();
        let text = papers.read(&summary).map_err(unusable(&summary))?;
        if text.is_none_or(|text| text.trim().is_empty()) {
            let help = "write the answers to the questions into it";
            faults.push(FileFault::new(&summary, None, "the file is missing or empty", help));
        }
        if !papers.has_file(&done).map_err(unusable(&done))? {
            let help = "create the file as your very last action";
            faults.push(FileFault::new(&done, None, "the completion marker is missing", help));
        }
        Ok(faults)
    }
}

impl Attempt for Researcher {
    type Made = ();

    async fn ask(&mut self, faults: Option<&[FileFault]>) -> Result<PhaseOutcome, EngineError> {
        self.call.send(faults).await
    }

    fn has_second_answer(&self) -> bool {
        self.call.has_answer(Request::Second)
    }

    fn check(&mut self, reply: &PhaseOutcome) -> Result<Checked<()>, EngineError> {
        if let Some(reason) = &reply.blocked {
            return Err(EngineError::Blocked { reason: reason.clone() });
        }
        let faults = self.lacking()?;
        Ok(if faults.is_empty() { Ok(()) } else { Err(faults) })
    }

    fn asks_again(&self, faults: &[FileFault]) {
        let event = Event::FilesAskedAgain { faults };
        self.watch.event(&Event::InResearch { topic: &self.inquiry.name(), event: &event });
    }

    fn still_wrong(&self, faults: Vec<FileFault>) -> EngineError {
        let (step, agent) = (PART.to_owned(), self.call.agent.name.clone());
        EngineError::Files { step, agent, faults }
    }
}

/// Passes on what happens in a researcher's call. There is nothing to be set back: it changes no code.
pub(super) struct TopicWatch {
    pub(super) topic: String,
    pub(super) watch: Arc<dyn Watch>,
}

impl call::Watch for TopicWatch {
    fn event(&self, event: &call::Event<'_>) {
        let event = Event::Call(event);
        self.watch.event(&Event::InResearch { topic: &self.topic, event: &event });
    }

    fn before_repeat(&self, _: &Path) -> std::io::Result<()> {
        Ok(())
    }
}
