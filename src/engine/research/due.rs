//! Topics that are asked about and not settled: what is asked of each, and whether somebody was at it before.

use super::event::TopicState;
use super::inquiry::{Inquiry, RESEARCH};
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::models::hash::Hash;

/// A topic that is to be looked into.
pub(super) struct Due {
    pub(super) inquiry: Inquiry,
    /// What is asked, as it stands in the topic's folder.
    asked: String,
    /// The number of its first run, if it was begun before.
    pub(super) begun: Option<u32>,
}

impl Due {
    /// Returns the hash of what is asked.
    pub(super) fn request(&self) -> Hash {
        Hash::of(&self.asked)
    }
}

impl Driver<'_> {
    /// Names the topics that are looked into before the next step begins.
    pub(in crate::engine) fn open_topics(&self) -> Result<Vec<String>, EngineError> {
        Ok(self.due_topics(&[])?.iter().map(|due| due.inquiry.name()).collect())
    }

    /// Lists the topics that are asked about and not settled, but for those that were begun.
    pub(super) fn due_topics(&self, begun: &[Due]) -> Result<Vec<Due>, EngineError> {
        let papers = self.papers()?;
        let names = papers.list(RESEARCH, "").map_err(self.unusable(RESEARCH))?;
        let mut due = Vec::new();
        for inquiry in names.iter().filter_map(|name| Inquiry::from_name(name)) {
            if begun.iter().any(|begun| begun.inquiry == inquiry) {
                continue;
            }
            let file = inquiry.file("request.md");
            let Some(asked) = papers.read(&file).map_err(self.unusable(&file))? else { continue };
            let request = Hash::of(&asked);
            let record = self.change.history.research.get(&inquiry.name());
            let record = record.filter(|record| record.request == request);
            let begun = match record.map(|record| (record.state, record.first_run)) {
                None => None,
                Some((TopicState::UnderWay, first)) => Some(first),
                Some((TopicState::Done | TopicState::Failed, _)) => continue,
            };
            due.push(Due { inquiry, asked, begun });
        }
        Ok(due)
    }
}
