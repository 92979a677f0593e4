//! One researcher at work on one topic: what it is told, and what it must leave behind.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::inquiry::Inquiry;
use crate::engine::error::EngineError;
use crate::engine::event::{Event, Watch};
use crate::engine::expected::{FileFault, FilesError};
use crate::engine::setup::Setup;
use crate::engine::team::turn::{Table, Turn};
use crate::engine::work::Work;
use crate::models::agent::AgentSettings;
use crate::orchestrator::watch as call;
use crate::orchestrator::{Allowance, Orchestrator, Place};
use crate::process::Cancel;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::team::TeamSession;

/// A researcher with a topic.
pub(super) struct Researcher<'r> {
    pub(super) setup: &'r Setup,
    pub(super) session: TeamSession,
    pub(super) inquiry: Inquiry,
    /// Its agent; none where no agent can be one.
    pub(super) agent: Option<AgentSettings>,
    /// Runs that ended before agentd could make use of them; none unless it was begun before.
    pub(super) earlier: Option<Vec<PathBuf>>,
    pub(super) watch: Arc<dyn Watch>,
    pub(super) cancel: Cancel,
    pub(super) allowance: Arc<Allowance>,
}

impl Researcher<'_> {
    /// Looks into the topic, once more if what comes of it is not in order.
    pub(super) async fn look_into(self) -> Result<(), EngineError> {
        let agent = self.agent.as_ref().ok_or(EngineError::NoAgent { work: Work::Research })?;
        // `done` is written last: whoever was cut off after it has said all.
        if self.earlier.is_some() && self.lacking()?.is_empty() {
            return Ok(());
        }
        let orchestrator = self.caller(agent);
        let turn = Turn::Research(&self.inquiry);
        let table = Table {
            session: &self.session,
            agent,
            handover: self.setup.team.delivery,
            orchestrator: &orchestrator,
        };
        table.take(turn).await?;
        let mut faults = self.lacking()?;
        if !faults.is_empty() {
            let event = Event::FilesAskedAgain { faults: &faults };
            let topic = self.inquiry.name();
            self.watch.event(&Event::InResearch { topic: &topic, event: &event });
            table.take_again(turn, &faults).await?;
            faults = self.lacking()?;
        }
        if faults.is_empty() {
            return Ok(());
        }
        Err(EngineError::Files { work: Work::Research, agent: agent.name.clone(), faults })
    }

    fn caller(&self, agent: &AgentSettings) -> Orchestrator {
        let mut place = Place::new(&self.setup.project.root, &self.setup.guard);
        place.workspace.clone_from(&self.session.project_dir);
        place.environment.clone_from(&self.setup.environment);
        let watch = TopicWatch { topic: self.inquiry.name(), watch: Arc::clone(&self.watch) };
        Orchestrator::new(agent.clone(), place)
            .with_prices(self.setup.prices.clone())
            .with_allowance(Arc::clone(&self.allowance))
            .with_watch(Arc::new(watch))
            .with_cancel(self.cancel.clone())
            .with_earlier(self.earlier.clone().unwrap_or_default())
    }

    /// Lists what is not there of what a researcher must leave.
    fn lacking(&self) -> Result<Vec<FileFault>, EngineError> {
        let folder = &self.session.feature_dir;
        let papers = ConfinedFolder::open(folder).map_err(EngineError::io("open", folder))?;
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
            let help = "create the file as the very last action";
            faults.push(FileFault::new(&done, None, "the completion marker is missing", help));
        }
        Ok(faults)
    }
}

/// Passes on what happens in a researcher's call. There is nothing to be set back: it changes no code.
struct TopicWatch {
    topic: String,
    watch: Arc<dyn Watch>,
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
