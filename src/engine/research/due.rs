//! Topics that are asked about and not settled: what is asked of each, and whether somebody was at it before.

use serde_json::Value;

use super::event::TopicState;
use super::inquiry::{Inquiry, RESEARCH};
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::handoff;
use crate::models::hash::Hash;

/// A topic that is to be looked into.
pub(super) struct Due {
    pub(super) inquiry: Inquiry,
    /// What is asked, as it stands in the topic's folder.
    asked: String,
    /// What was handed in of it, if it was handed in at all.
    handed_in: Option<Value>,
    /// The number of its first run, if it was begun before.
    pub(super) begun: Option<u32>,
}

impl Due {
    /// Gives the hash of what is asked.
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
            let handed_in = self.handed_in(&inquiry)?;
            due.push(Due { inquiry, asked, handed_in, begun });
        }
        Ok(due)
    }

    /// Puts back what is asked if its researcher has rewritten it; it stays if somebody has asked for something else.
    /// Gives the file that was put back.
    pub(super) fn keep_asking(&self, due: &Due) -> Result<Option<String>, EngineError> {
        let (papers, file) = (self.papers()?, due.inquiry.file("request.md"));
        let now = papers.read(&file).map_err(self.unusable(&file))?;
        if now.as_ref() == Some(&due.asked) || self.handed_in(&due.inquiry)? != due.handed_in {
            return Ok(None);
        }
        papers.replace(&file, due.asked.as_bytes()).map_err(self.unusable(&file))?;
        Ok(Some(file))
    }

    fn handed_in(&self, inquiry: &Inquiry) -> Result<Option<Value>, EngineError> {
        let (tool, topic) = (inquiry.kind.tool(), inquiry.topic.to_string());
        let found = handoff::submission(&self.papers()?, RESEARCH, tool, Some(&topic));
        found.map_err(self.unusable(&format!("{RESEARCH}/submissions")))
    }
}
