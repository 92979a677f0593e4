//! What happens to a topic, for a journal and for those who watch, and what the journal comes to.

use serde::{Deserialize, Serialize};

use crate::models::hash::Hash;
use crate::template::words::words;

/// Something that happened to a topic.
///
/// ```
/// use agentd::engine::research::ResearchEvent;
///
/// let line = r#"{"research":"failed","topic":"code-auth","message":"it timed out"}"#;
/// let event: ResearchEvent = serde_json::from_str(line).unwrap();
/// assert_eq!(event.topic(), "code-auth");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "research", rename_all = "kebab-case")]
pub enum ResearchEvent {
    /// It is looked into.
    Started {
        /// The name of its folder.
        topic: String,
        /// The hash of what is asked: other questions are looked into anew.
        request: Hash,
        /// The number of the first run that may belong to it.
        first_run: u32,
    },
    /// Its answers are there.
    Finished {
        /// The name of its folder.
        topic: String,
    },
    /// It has no answers, and is not looked into again unless something else is asked.
    Failed {
        /// The name of its folder.
        topic: String,
        /// Why.
        message: String,
    },
}

impl ResearchEvent {
    /// Returns the name of the topic's folder.
    pub fn topic(&self) -> &str {
        match self {
            Self::Started { topic, .. } | Self::Finished { topic } | Self::Failed { topic, .. } => {
                topic
            }
        }
    }
}

/// What is known of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicRecord {
    /// The hash of what was asked.
    pub request: Hash,
    /// The number of the first run that may belong to it.
    pub first_run: u32,
    /// How far it is.
    pub state: TopicState,
}

impl TopicRecord {
    /// Returns the record of a topic that begins.
    pub(in crate::engine) fn begun(event: &ResearchEvent) -> Option<Self> {
        match event {
            ResearchEvent::Started { request, first_run, .. } => {
                let (request, first_run) = (request.clone(), *first_run);
                Some(Self { request, first_run, state: TopicState::UnderWay })
            }
            ResearchEvent::Finished { .. } | ResearchEvent::Failed { .. } => None,
        }
    }

    /// Takes account of how the topic ended.
    pub(in crate::engine) fn end(&mut self, event: &ResearchEvent) {
        self.state = match event {
            ResearchEvent::Started { .. } => TopicState::UnderWay,
            ResearchEvent::Finished { .. } => TopicState::Done,
            ResearchEvent::Failed { .. } => TopicState::Failed,
        };
    }
}

words! {
    /// How far a topic is.
    TopicState {
        /// It is looked into.
        UnderWay = "under-way",
        /// Its answers are there.
        Done = "done",
        /// It has no answers.
        Failed = "failed",
    }
}
