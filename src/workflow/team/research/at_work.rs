//! The researchers at work: every topic that is asked about and has no answer, side by side in one reading room. What is
//! done is in the journal before anything relies on it.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use super::event::{ResearchEvent, TopicState};
use super::inquiry::{Inquiry, RESEARCH};
use super::researcher::Researcher;
use crate::models::hash::Hash;
use crate::prompt::team::TeamSession;
use crate::workflow::driver::Driver;
use crate::workflow::entry::Entry;
use crate::workflow::error::WorkflowError;
use crate::workflow::event::Event;
use crate::workflow::git::{Commit, Worktree};
use crate::workflow::lanes::pool;
use crate::workflow::snapshot::Snapshot;

/// A topic that is to be looked into.
struct Due {
    inquiry: Inquiry,
    request: Hash,
    /// The number of its first run, if it was begun before.
    begun: Option<u32>,
}

impl Driver<'_> {
    /// Has every topic looked into that is asked about and not settled. Only what keeps agentd itself from going on is an
    /// error; a topic that fails is told, and the team goes on without it.
    pub(in crate::workflow::team) async fn research(&mut self) -> Result<(), WorkflowError> {
        let due = self.due_topics()?;
        if due.is_empty() {
            return Ok(());
        }
        let folder = self.change.folder.clone();
        let before = if due.iter().any(|due| due.begun.is_some()) {
            self.kept()?
        } else {
            let now = Snapshot::take(&folder).map_err(WorkflowError::io("read", &folder))?;
            now.keep(&folder).map_err(WorkflowError::io("keep the files of", &folder))?;
            now
        };
        let commit = self.code_commit()?;
        let room = self.reading_room(&commit)?;
        let researchers = self.researchers(&due, &room)?;
        let most = NonZeroUsize::new(self.setup.team.max_parallel as usize);
        let (cancel, mut stopped) = (self.cancel.clone(), None);
        let jobs = researchers.iter().map(Researcher::look_into);
        pool::run(jobs, most.unwrap_or(NonZeroUsize::MIN), &cancel, |job, end| {
            let taken_down = match end {
                pool::End::Done(result) => self.settle(&due[job].inquiry, result),
                pool::End::Panicked(words) => self.settle_failed(&due[job].inquiry, &words),
                pool::End::NotStarted => Err(WorkflowError::Interrupted),
            };
            stopped = stopped.take().or(taken_down.err());
        })
        .await;
        self.tidy_after_research(&before, &due, (&room, &commit))?;
        stopped.map_or(Ok(()), Err)
    }

    /// Lists the topics that are asked about and not settled.
    fn due_topics(&self) -> Result<Vec<Due>, WorkflowError> {
        let (papers, known) = (self.papers()?, &self.team()?.research);
        let mut due = Vec::new();
        let names = papers.list(RESEARCH, "").map_err(self.unusable(RESEARCH))?;
        for inquiry in names.iter().filter_map(|name| Inquiry::from_name(name)) {
            let file = inquiry.file("request.md");
            let Some(asked) = papers.read(&file).map_err(self.unusable(&file))? else { continue };
            let request = Hash::of(asked);
            let record = known.get(&inquiry.name()).filter(|record| record.request == request);
            match record.map(|record| (record.state, record.first_run)) {
                None => due.push(Due { inquiry, request, begun: None }),
                Some((TopicState::UnderWay, first)) => {
                    due.push(Due { inquiry, request, begun: Some(first) });
                }
                Some((TopicState::Done | TopicState::Failed, _)) => {}
            }
        }
        Ok(due)
    }

    /// Takes down that topics are looked into, and gives each its researcher.
    fn researchers<'r>(
        &mut self,
        due: &[Due],
        room: &Worktree,
    ) -> Result<Vec<Researcher<'r>>, WorkflowError>
    where
        Self: 'r,
    {
        let session = TeamSession {
            feature_dir: self.change.folder.clone(),
            project_dir: room.path().to_owned(),
            project_root: self.setup.project.root.clone(),
        };
        let mut researchers = Vec::new();
        for Due { inquiry, request, begun } in due {
            let earlier = if let Some(first) = begun {
                Some(self.runs(*first)?)
            } else {
                self.begin_topic(inquiry, request)?;
                None
            };
            researchers.push(Researcher {
                setup: self.setup,
                session: session.clone(),
                inquiry: inquiry.clone(),
                agent: self.setup.roles.get(&inquiry.kind.role()).cloned(),
                earlier,
                watch: Arc::clone(&self.watch),
                cancel: self.cancel.clone(),
            });
        }
        Ok(researchers)
    }

    /// Begins a topic: a marker that answers other questions is none.
    fn begin_topic(&mut self, inquiry: &Inquiry, request: &Hash) -> Result<(), WorkflowError> {
        let done = inquiry.file("done");
        self.papers()?.remove(&done).map_err(self.unusable(&done))?;
        let first_run = self.last_run()? + 1;
        let (topic, request) = (inquiry.name(), request.clone());
        self.taken_down(&ResearchEvent::Started { topic, request, first_run })
    }

    /// Takes down what a topic came to.
    fn settle(
        &mut self,
        inquiry: &Inquiry,
        result: Result<(), WorkflowError>,
    ) -> Result<(), WorkflowError> {
        match result {
            Ok(()) => self.taken_down(&ResearchEvent::Finished { topic: inquiry.name() }),
            Err(error) if error.is_interruption() || error.is_of_the_machine() => Err(error),
            Err(error) => self.settle_failed(inquiry, &error.to_string()),
        }
    }

    fn settle_failed(&mut self, inquiry: &Inquiry, reason: &str) -> Result<(), WorkflowError> {
        let message = self.without_secrets(reason);
        self.taken_down(&ResearchEvent::Failed { topic: inquiry.name(), message })
    }

    fn taken_down(&mut self, event: &ResearchEvent) -> Result<(), WorkflowError> {
        self.change.restore_journal()?;
        self.change.happened(Entry::Research(event.clone()))?;
        self.watch.event(&Event::Research(event));
        Ok(())
    }

    /// Puts back what researchers must not have written, when all of them have ended.
    fn tidy_after_research(
        &mut self,
        before: &Snapshot,
        due: &[Due],
        (room, commit): (&Worktree, &Commit),
    ) -> Result<(), WorkflowError> {
        self.change.restore_journal()?;
        let folder = self.change.folder.clone();
        let kept = self.runs(1)?.pop().unwrap_or_else(|| folder.join("runs"));
        let now = Snapshot::take(&folder).map_err(WorkflowError::io("read", &folder))?;
        let mut strays = before.differences(&now);
        strays.retain(|path| !due.iter().any(|due| may_write(&due.inquiry, path)));
        let mut names: Vec<_> = strays.iter().map(|path| path.display().to_string()).collect();
        if !strays.is_empty() {
            let elsewhere = kept.join("elsewhere");
            now.copy(&elsewhere, &strays)
                .map_err(WorkflowError::io("keep files in", &elsewhere))?;
            let put_back = before.put_back(&folder, &strays);
            put_back.map_err(WorkflowError::io("put back files of", &folder))?;
        }
        let changed = room.changes_since(commit)?;
        if !changed.is_empty() {
            room.save_patch(commit, &kept.join("elsewhere.patch"))?;
            room.restore(commit)?;
            names.extend(changed.iter().map(|changed| changed.path.display().to_string()));
        }
        if !names.is_empty() {
            self.watch.event(&Event::PutBack { files: &names });
        }
        Ok(())
    }
}

/// A researcher writes in the folder of its topic, but not what is asked; its tool keeps records beside it.
fn may_write(inquiry: &Inquiry, path: &Path) -> bool {
    let is_own = path.starts_with(inquiry.file(""));
    let is_asked = [inquiry.file("request.md"), inquiry.file("request.yaml")]
        .iter()
        .any(|request| path == Path::new(request));
    (is_own && !is_asked) || path.starts_with(format!("{RESEARCH}/submissions"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_researcher_writes_its_answers_alone() {
        let inquiry = Inquiry::from_name("code-auth").unwrap();
        let may_write = |path: &str| may_write(&inquiry, Path::new(path));
        assert!(may_write("03_research/code-auth/summary.md"));
        assert!(may_write("03_research/submissions/submit_research_done-auth.json"));
        for path in [
            "03_research/code-auth/request.md",
            "03_research/code-authors/summary.md",
            "03_research/web-auth/summary.md",
            "04_planning/plan.md",
        ] {
            assert!(!may_write(path), "{path}");
        }
    }
}
