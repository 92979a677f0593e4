//! `research_dispatch_code` and `research_dispatch_web`: questions for a researcher, which become `request.md`.

use askama::Template;
use serde::{Deserialize, Serialize};

use super::{Derived, Submission, rendered};
use crate::handoff::Tool;
use crate::handoff::desk::Desk;
use crate::handoff::shape::{Field, LINE, MARKDOWN, TOPIC, list, optional, required};

/// Questions for a researcher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResearchRequest {
    /// What is to be looked into.
    pub topic: String,
    /// The questions.
    pub questions: Vec<String>,
    /// Why they are asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

#[derive(Template)]
#[template(path = "blocks/handoff/request.md.j2", escape = "none")]
struct File<'a> {
    request: &'a ResearchRequest,
}

impl Submission for ResearchRequest {
    const ABOUT: &'static str = "Asks a researcher.";
    const FIELDS: &'static [Field] = &[
        required("topic", TOPIC, "a short name; each topic has its own folder"),
        required("questions", list(1, &LINE), "what you need to know, one question per item"),
        optional("context", MARKDOWN, "why you ask, and what you already know"),
    ];

    fn key(&self) -> Option<String> {
        Some(self.topic.clone())
    }

    fn derived(&self, _desk: &Desk<'_>, tool: Tool) -> Result<Vec<Derived>, String> {
        let kind = if tool == Tool::ResearchDispatchWeb { "web" } else { "code" };
        let path = format!("03_research/{kind}-{}/request.md", self.topic);
        Ok(vec![Derived { path, text: rendered(&File { request: self })? }])
    }
}
