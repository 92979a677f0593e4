//! The researchers at work: every topic that is asked about and has no answer, side by side, each in a room of its own. They
//! begin while whoever asks is still at work. What is done is in the journal before anything relies on it.

use std::num::NonZeroUsize;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use super::due::Due;
use super::event::ResearchEvent;
use super::inquiry::{Inquiry, RESEARCH};
use super::researcher::{Researcher, TopicWatch};
use crate::engine::accept::Taken;
use crate::engine::desks::Room;
use crate::engine::driver::Driver;
use crate::engine::entry::Entry;
use crate::engine::error::EngineError;
use crate::engine::event::Event;
use crate::engine::git::Workspace;
use crate::engine::lanes::pool::{End, Pool};
use crate::engine::outbox::Outbox;
use crate::engine::roles::{Requests, RoleCall, Turn};
use crate::flow::Step;
use crate::orchestrator::Orchestrator;

/// How often it is looked whether something is asked.
const LOOK: Duration = Duration::from_millis(250);

impl Driver<'_> {
    /// Has every topic looked into that is asked about and not settled, before a step begins.
    pub(in crate::engine) async fn research(&mut self) -> Result<(), EngineError> {
        if self.due_topics(&[])?.is_empty() {
            return Ok(());
        }
        self.with_research(None, async { Ok(()) }).await
    }

    /// Waits for somebody's work, and has the topics looked into that are asked about meanwhile: each once, with the
    /// questions that it has then. When this returns, nobody is at work any more. Only what keeps agentd itself from going
    /// on is an error of research; a topic that fails is told, and the team goes on without it.
    pub(in crate::engine) async fn with_research<T>(
        &mut self,
        who_asks: Option<(&Step, &Outbox)>,
        work: impl Future<Output = Result<T, EngineError>>,
    ) -> Result<T, EngineError> {
        let (mut work, mut worked) = (pin!(work), None);
        let most = NonZeroUsize::new(self.setup.team.max_parallel as usize);
        let cancel = self.cancel.clone();
        let mut pool = Pool::new(most.unwrap_or(NonZeroUsize::MIN), cancel.clone());
        let mut requests = who_asks.map(|(step, outbox)| (Requests::of(step), outbox));
        let mut begun = Vec::new();
        let mut stopped = Ok(());
        loop {
            let has_failed = stopped.is_err() || matches!(worked, Some(Err(_)));
            if pool.room() > 0 && !has_failed && !cancel.is_cancelled() {
                let asking = requests.as_mut().map(|(requests, outbox)| (requests, *outbox));
                let asked = self.asked(asking, worked.is_some(), &begun);
                match asked.and_then(|due| self.researchers(due, pool.room())) {
                    Ok(new) => new.into_iter().for_each(|(due, researcher)| {
                        pool.add(begun.len(), researcher.look_into());
                        begun.push(due);
                    }),
                    Err(error) => stopped = Err(error),
                }
            }
            if worked.is_some() && pool.is_empty() {
                break;
            }
            tokio::select! {
                result = &mut work, if worked.is_none() => worked = Some(result),
                Some((number, end)) = pool.next_end(), if !pool.is_empty() => {
                    let settled = self.settle(&begun[number], end, who_asks.map(|(_, outbox)| outbox));
                    stopped = stopped.and(settled);
                }
                () = tokio::time::sleep(LOOK), if worked.is_none() => {}
            }
        }
        if !begun.is_empty() {
            stopped = stopped.and(self.remove_rooms(&begun));
        }
        let result = worked.unwrap_or(Err(EngineError::Interrupted))?;
        stopped.map(|()| result)
    }

    /// Lists what is asked and was not begun, as long as it may be paid for.
    fn asked(
        &mut self,
        requests: Option<(&mut Requests, &Outbox)>,
        is_over: bool,
        begun: &[Due],
    ) -> Result<Vec<Due>, EngineError> {
        if let Some((requests, outbox)) = requests {
            let now_ms = self.change.history.changed_ms;
            requests.take(&self.change.id, &outbox.open()?, is_over, now_ms)?;
            self.take_questions(outbox)?;
        }
        let due = self.due_topics(begun)?;
        // The next step refuses to begin, and says so; what is asked stays asked.
        Ok(if self.budget.check().is_ok() { due } else { Vec::new() })
    }

    /// Begins with so many topics at most.
    fn researchers(
        &mut self,
        due: Vec<Due>,
        most: usize,
    ) -> Result<Vec<(Due, Researcher)>, EngineError> {
        let begin = |due| self.researcher(&due).map(|researcher| (due, researcher));
        due.into_iter().take(most).map(begin).collect()
    }

    /// Takes down that a topic is looked into, and gives it its researcher.
    fn researcher(&mut self, due: &Due) -> Result<Researcher, EngineError> {
        let commit = self.code_commit()?;
        let room = self.room(Room::Research(&due.inquiry), &commit)?;
        if !room.is_new() {
            room.restore(&commit)?;
        }
        let earlier = if let Some(first) = due.begun {
            self.runs(first)?
        } else {
            self.begin_topic(due)?;
            Vec::new()
        };
        let topic = due.inquiry.name();
        let agent = self.setup.agents.get(due.inquiry.kind.role().word()).cloned();
        let agent =
            agent.ok_or_else(|| EngineError::NoAgent { step: format!("research `{topic}`") })?;
        let mut place = self.setup.place(&self.change.id, room.path());
        let outbox = self.outbox_of_topic(&due.inquiry);
        place.changes = outbox.changes();
        let watch = TopicWatch { topic: topic.clone(), watch: Arc::clone(&self.watch) };
        let orchestrator = Orchestrator::new(agent.clone(), place)
            .with_prices(self.setup.prices.clone())
            .with_budget(Arc::clone(&self.budget))
            .with_watch(Arc::new(watch))
            .with_cancel(self.cancel.clone())
            .with_earlier(earlier);
        let call = RoleCall {
            turn: Turn::Research(due.inquiry.clone()),
            session: self.session(room.path(), &outbox),
            agent,
            handover: self.setup.team.delivery,
            orchestrator,
        };
        let (inquiry, watch) = (due.inquiry.clone(), Arc::clone(&self.watch));
        let mut researcher = Researcher { call, inquiry, is_resumed: false, watch };
        researcher.is_resumed =
            due.begun.is_some() && outbox.is_there() && researcher.has_left_something()?;
        if !researcher.is_resumed {
            // agentd may have been gone before the outbox was full.
            outbox.fill(&self.change.folder)?;
            researcher.call.orchestrator = researcher.call.orchestrator.with_earlier(Vec::new());
        }
        Ok(researcher)
    }

    /// Begins a topic: a marker that answers other questions is none.
    fn begin_topic(&mut self, due: &Due) -> Result<(), EngineError> {
        let removed = vec![due.inquiry.file("done")];
        self.change.accept(&Taken { removed, ..Taken::default() })?;
        let first_run = self.last_run()? + 1;
        let (topic, request) = (due.inquiry.name(), due.request());
        self.taken_down(&ResearchEvent::Started { topic, request, first_run })
    }

    /// Records how a topic ended. Its answers are accepted, and delivered to whoever asks while that is still at work.
    fn settle(
        &mut self,
        due: &Due,
        end: End<Result<(), EngineError>>,
        who_asks: Option<&Outbox>,
    ) -> Result<(), EngineError> {
        let topic = due.inquiry.name();
        let failed = match end {
            End::Done(Ok(())) => None,
            End::Done(Err(error)) if error.is_no_failure() => return Err(error),
            End::Done(Err(error)) => Some(error.to_string()),
            End::Panicked(words) => Some(words),
            End::NotStarted => return Err(EngineError::Interrupted),
        };
        if let Some(reason) = failed {
            let message = self.without_secrets(&reason);
            return self.taken_down(&ResearchEvent::Failed { topic, message });
        }
        let outbox = self.outbox_of_topic(&due.inquiry);
        let files = outbox.read(|path| is_answer(&due.inquiry, path))?;
        self.change.accept(&Taken { files: files.clone(), removed: Vec::new() })?;
        self.taken_down(&ResearchEvent::Finished { topic })?;
        match who_asks {
            Some(outbox) => outbox.deliver(&files, &due.inquiry.file("done")),
            None => Ok(()),
        }
    }

    /// Takes the questions that somebody at work has left in its outbox.
    fn take_questions(&mut self, outbox: &Outbox) -> Result<(), EngineError> {
        let files = outbox.read(is_question)?;
        Ok(self.change.accept(&Taken { files, removed: Vec::new() })?)
    }

    /// Returns the outbox of a topic's researcher.
    fn outbox_of_topic(&self, inquiry: &Inquiry) -> Outbox {
        let name = format!("research-{}", inquiry.name());
        Outbox::of(self.setup, &self.change.id, &name)
    }

    /// Removes the rooms of researchers, who only look at code.
    fn remove_rooms(&self, topics: &[Due]) -> Result<(), EngineError> {
        let rooms = self.rooms(topics.iter().map(|due| &due.inquiry))?;
        if let Err(error) = Workspace::remove_all(rooms) {
            log::warn!("a workspace of a researcher stays: {error}");
        }
        Ok(())
    }

    fn taken_down(&mut self, event: &ResearchEvent) -> Result<(), EngineError> {
        self.change.happened(Entry::Research(event.clone()))?;
        self.watch.event(&Event::Research(event));
        Ok(())
    }
}

/// Returns whether a file is one of those that ask about a topic.
fn is_question(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_record = path.parent() == Some(Path::new("03_research/submissions"));
    let is_request = ["request.md", "request.yaml"].contains(&name)
        && path.parent().and_then(Path::parent) == Some(Path::new(RESEARCH));
    is_request || (is_record && name.starts_with("research_dispatch"))
}

/// Returns whether a file is an answer of a topic: what its researcher writes beside the question.
fn is_answer(inquiry: &Inquiry, path: &Path) -> bool {
    let key = format!("-{}.json", inquiry.topic);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_record = path.parent() == Some(Path::new("03_research/submissions"));
    let is_own = path.starts_with(inquiry.file("")) && !is_question(path);
    is_own || (is_record && name == format!("submit_research_done{key}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_researcher_s_answers_are_those_of_its_topic_alone() {
        let inquiry = Inquiry::from_name("code-auth").unwrap();
        let is_answer = |path: &str| is_answer(&inquiry, Path::new(path));
        assert!(is_answer("03_research/code-auth/summary.md"));
        assert!(is_answer("03_research/submissions/submit_research_done-auth.json"));
        for path in [
            "03_research/code-auth/request.md",
            "03_research/code-authors/summary.md",
            "03_research/web-auth/summary.md",
            "03_research/submissions/submit_research_done-other.json",
            "04_planning/plan.md",
        ] {
            assert!(!is_answer(path), "{path}");
        }
    }
}
