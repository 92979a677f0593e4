//! `submit_research_done`: a piece of research is finished, and others may rely on it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Derived, Submission};
use crate::handoff::Tool;
use crate::handoff::desk::Desk;
use crate::handoff::fault::Faults;
use crate::handoff::shape::{Field, TOPIC, is_topic, required};
use crate::template::Role;

/// The end of a piece of research.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResearchDone {
    /// What was looked into.
    pub topic: String,
}

impl ResearchDone {
    fn folder(role: Role, topic: &str) -> String {
        let kind = if role == Role::WebResearcher { "web" } else { "code" };
        format!("03_research/{kind}-{topic}")
    }
}

impl Submission for ResearchDone {
    const ABOUT: &'static str = "Reports that your research is finished; call it as your very last action. Write summary.md \
         in the folder of the topic first.";
    const FIELDS: &'static [Field] =
        &[required("topic", TOPIC, "the topic, as named in your instructions")];

    fn key(&self) -> Option<String> {
        Some(self.topic.clone())
    }

    fn check(value: &Value, desk: &Desk<'_>, faults: &mut Faults) {
        let Some(topic) = value["topic"].as_str().filter(|topic| is_topic(topic)) else { return };
        let summary = format!("{}/summary.md", Self::folder(desk.role, topic));
        if let Some(lack) = desk.lacks(&summary) {
            faults.add("topic", lack);
        }
    }

    fn derived(&self, desk: &Desk<'_>, _tool: Tool) -> Result<Vec<Derived>, String> {
        let path = format!("{}/done", Self::folder(desk.role, &self.topic));
        Ok(vec![Derived { path, text: "done\n".to_owned() }])
    }
}
