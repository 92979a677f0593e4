//! The researchers at work: every topic that is asked about and has no answer, side by side in a room of their own. They
//! begin while whoever asks is still at work. What is done is in the journal before anything relies on it.

use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use super::due::Due;
use super::event::ResearchEvent;
use super::researcher::{Researcher, TopicWatch};
use crate::engine::desks::Room;
use crate::engine::driver::Driver;
use crate::engine::entry::Entry;
use crate::engine::error::EngineError;
use crate::engine::event::Event;
use crate::engine::lanes::pool::{End, Pool};
use crate::engine::roles::{Requests, RoleCall, Turn};
use crate::engine::snapshot::Snapshot;
use crate::flow::Step;
use crate::orchestrator::{Orchestrator, Place};

/// How often it is looked whether something is asked.
const LOOK: Duration = Duration::from_millis(250);

impl Driver<'_> {
    /// Has every topic looked into that is asked about and not settled, before a step begins.
    pub(in crate::engine) async fn research(&mut self) -> Result<(), EngineError> {
        let due = self.due_topics(&[])?;
        if due.is_empty() {
            return Ok(());
        }
        let folder = self.change.folder.clone();
        let before = if due.iter().any(|due| due.begun.is_some()) {
            self.kept()?
        } else {
            let now = Snapshot::take(&folder).map_err(EngineError::io("read", &folder))?;
            now.keep(&folder).map_err(EngineError::io("keep the files of", &folder))?;
            now
        };
        let settled = self.with_research(None, async { Ok(()) }).await;
        self.tidy_after_research(&before, &due)?;
        settled
    }

    /// Waits for somebody's work, and has the topics looked into that are asked about meanwhile: each once, with the
    /// questions that it has then. When this returns, nobody is at work any more. Only what keeps agentd itself from going
    /// on is an error of research; a topic that fails is told, and the team goes on without it.
    pub(in crate::engine) async fn with_research<T>(
        &mut self,
        who_asks: Option<&Step>,
        work: impl Future<Output = Result<T, EngineError>>,
    ) -> Result<T, EngineError> {
        let (mut work, mut worked) = (pin!(work), None);
        let most = NonZeroUsize::new(self.setup.team.max_parallel as usize);
        let mut pool = Pool::new(most.unwrap_or(NonZeroUsize::MIN));
        let mut requests = who_asks.map(Requests::of);
        let mut begun = Vec::new();
        let (cancel, mut stopped) = (self.cancel.clone(), Ok(()));
        loop {
            let has_failed = stopped.is_err() || matches!(worked, Some(Err(_)));
            if pool.room() > 0 && !has_failed && !cancel.is_cancelled() {
                let asked = self.asked(requests.as_mut(), worked.is_some(), &begun);
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
                Some((number, end)) = pool.next_end(&cancel), if !pool.is_empty() => {
                    let settled = self.settle(&begun[number], end);
                    stopped = stopped.and(settled);
                }
                () = tokio::time::sleep(LOOK), if worked.is_none() => {}
            }
        }
        if !begun.is_empty() {
            stopped = stopped.and(self.tidy_research_room());
        }
        let result = worked.unwrap_or(Err(EngineError::Interrupted))?;
        stopped.map(|()| result)
    }

    /// Lists what is asked and was not begun, as long as it may be paid for.
    fn asked(
        &self,
        requests: Option<&mut Requests>,
        is_over: bool,
        begun: &[Due],
    ) -> Result<Vec<Due>, EngineError> {
        if let Some(requests) = requests {
            let place = (self.setup.project.root.as_path(), &self.change.id);
            requests.take(place, &self.papers()?, is_over, self.change.history.changed_ms)?;
        }
        let due = self.due_topics(begun)?;
        // The next step refuses to begin, and says so; what is asked stays asked.
        Ok(if self.allowance.check().is_ok() { due } else { Vec::new() })
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
        let room = self.room(Room::Research, &self.code_commit()?)?;
        let earlier = if let Some(first) = due.begun {
            Some(self.runs(first)?)
        } else {
            self.begin_topic(due)?;
            None
        };
        let topic = due.inquiry.name();
        let agent = self.setup.agents.get(due.inquiry.kind.role().word()).cloned();
        let agent =
            agent.ok_or_else(|| EngineError::NoAgent { step: format!("research `{topic}`") })?;
        let mut place = Place::new(&self.setup.project.root, &self.setup.guard);
        room.path().clone_into(&mut place.workspace);
        place.environment.clone_from(&self.setup.environment);
        let watch = TopicWatch { topic: topic.clone(), watch: Arc::clone(&self.watch) };
        let orchestrator = Orchestrator::new(agent.clone(), place)
            .with_prices(self.setup.prices.clone())
            .with_allowance(Arc::clone(&self.allowance))
            .with_watch(Arc::new(watch))
            .with_cancel(self.cancel.clone())
            .with_earlier(earlier.clone().unwrap_or_default());
        let call = RoleCall {
            turn: Turn::Research(due.inquiry.clone()),
            session: self.session(room.path()),
            agent,
            handover: self.setup.team.delivery,
            orchestrator,
        };
        let (inquiry, watch) = (due.inquiry.clone(), Arc::clone(&self.watch));
        Ok(Researcher { call, inquiry, is_resumed: earlier.is_some(), watch })
    }

    /// Begins a topic: a marker that answers other questions is none.
    fn begin_topic(&mut self, due: &Due) -> Result<(), EngineError> {
        let done = due.inquiry.file("done");
        self.papers()?.remove(&done).map_err(self.unusable(&done))?;
        let first_run = self.last_run()? + 1;
        let (topic, request) = (due.inquiry.name(), due.request());
        self.taken_down(&ResearchEvent::Started { topic, request, first_run })
    }

    /// Takes down what a topic came to.
    fn settle(&mut self, due: &Due, end: End<Result<(), EngineError>>) -> Result<(), EngineError> {
        let topic = due.inquiry.name();
        let failed = match end {
            End::Done(Ok(())) => None,
            End::Done(Err(error)) if error.is_no_failure() => return Err(error),
            End::Done(Err(error)) => Some(error.to_string()),
            End::Panicked(words) => Some(words),
            End::NotStarted => return Err(EngineError::Interrupted),
        };
        let put_back = self.keep_asking(due)?;
        self.taken_down(&match failed {
            None => ResearchEvent::Finished { topic },
            Some(reason) => ResearchEvent::Failed { topic, message: self.without_secrets(&reason) },
        })?;
        self.tell_put_back(&put_back.into_iter().collect::<Vec<_>>());
        Ok(())
    }

    fn taken_down(&mut self, event: &ResearchEvent) -> Result<(), EngineError> {
        self.change.restore_journal()?;
        self.change.happened(Entry::Research(event.clone()))?;
        self.watch.event(&Event::Research(event));
        Ok(())
    }
}
