//! `submit_architecture`: how the change is built, which becomes `architecture.md`.

use askama::Template;
use serde::{Deserialize, Serialize};

use super::{Derived, Submission, rendered};
use crate::handoff::Tool;
use crate::handoff::desk::Desk;
use crate::handoff::preference::PREFERENCES;
use crate::handoff::shape::{Field, Kind, LINE, MARKDOWN, list, optional, required};
use crate::prompt::preferences::PreferenceEntry;

/// How a change is built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// The approach.
    pub solution_overview: String,
    /// The parts.
    pub components: Vec<Component>,
    /// How they talk to each other.
    pub interfaces_and_contracts: String,
    /// What they keep and pass on.
    pub data_models: String,
    /// What concerns all of them.
    pub cross_cutting_concerns: String,
    /// What they are built with.
    pub technology_choices: String,
    /// What can go wrong.
    pub risks_and_mitigations: String,
    /// Preferences for later work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Vec<PreferenceEntry>>,
}

/// A part of an architecture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub responsibility: String,
    /// What it offers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interfaces: Option<String>,
}

const COMPONENT: &[Field] = &[
    required("name", LINE, "its name"),
    required("responsibility", MARKDOWN, "its purpose and its limits"),
    optional("interfaces", MARKDOWN, "its interface"),
];

#[derive(Template)]
#[template(path = "blocks/handoff/architecture.md.j2", escape = "none")]
struct File<'a> {
    architecture: &'a Architecture,
}

impl Submission for Architecture {
    const ABOUT: &'static str = "Submits the architecture. Writes 02_architecting/architecture.md and ends your work. \
                                 Texts are Markdown with headings of level 3 and below.";
    const FIELDS: &'static [Field] = &[
        required("solution_overview", MARKDOWN, "the approach, and why it is the right one"),
        required("components", list(1, &Kind::Map(COMPONENT)), "the parts of the solution"),
        required("interfaces_and_contracts", MARKDOWN, "signatures, formats, protocols"),
        required("data_models", MARKDOWN, "what is stored and passed on"),
        required("cross_cutting_concerns", MARKDOWN, "errors, security, logging, tests"),
        required("technology_choices", MARKDOWN, "the technologies, and why"),
        required("risks_and_mitigations", MARKDOWN, "what can go wrong, and what to do about it"),
        PREFERENCES,
    ];

    fn derived(&self, _desk: &Desk<'_>, _tool: Tool) -> Result<Vec<Derived>, String> {
        let text = rendered(&File { architecture: self })?;
        Ok(vec![Derived { path: "02_architecting/architecture.md".to_owned(), text }])
    }
}
