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
    required("name", LINE, "what it is called"),
    required("responsibility", MARKDOWN, "what it is for, and what not"),
    optional("interfaces", MARKDOWN, "what it offers to others"),
];

#[derive(Template)]
#[template(path = "blocks/handoff/architecture.md.j2", escape = "none")]
struct File<'a> {
    architecture: &'a Architecture,
}

impl Submission for Architecture {
    const ABOUT: &'static str = "Hands in the architecture. Writes 02_architecting/architecture.md and ends your work. \
                                 Texts are Markdown with headings of level 3 and below.";
    const FIELDS: &'static [Field] = &[
        required("solution_overview", MARKDOWN, "the approach, and why it is the right one"),
        required("components", list(1, &Kind::Map(COMPONENT)), "the parts of the solution"),
        required("interfaces_and_contracts", MARKDOWN, "signatures, formats, protocols"),
        required("data_models", MARKDOWN, "what is kept and passed on"),
        required("cross_cutting_concerns", MARKDOWN, "errors, security, logging, tests"),
        required("technology_choices", MARKDOWN, "what it is built with, and why"),
        required("risks_and_mitigations", MARKDOWN, "what can go wrong, what is done about it"),
        PREFERENCES,
    ];

    fn derived(&self, _desk: &Desk<'_>, _tool: Tool) -> Result<Vec<Derived>, String> {
        let text = rendered(&File { architecture: self })?;
        Ok(vec![Derived { path: "02_architecting/architecture.md".to_owned(), text }])
    }
}
