//! The text that we write with loops and conditions, in `templates/blocks/`: the skeletons, which say where the
//! files of a phase go and what they look like. What they ask for is data, so that whoever checks the files asks
//! for the same.

use std::path::Path;

use askama::Template;

use crate::catalog::CATALOG;
use crate::flow::{Leaves, Prompt, Step};
use crate::models::agent::Delivers;
use crate::template::{OwnText, Phase};

/// A part of a file that a skeleton asks for: a heading, and what stands below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The words of the heading.
    pub title: &'static str,
    /// What stands below it.
    pub asks: &'static str,
}

const fn section(title: &'static str, asks: &'static str) -> Section {
    Section { title, asks }
}

/// The section of a spec that holds its requirements, each below a heading of level 3: `### R1: Title`.
pub const REQUIREMENTS: &str = "Requirements";

/// The section of a spec that holds its scenarios, each below a heading of level 3: `### Scenario: Title (R1)`.
pub const SCENARIOS: &str = "Scenarios";

/// The section of a spec that holds its data models.
pub const DATA: &str = "Data";

/// The section of a spec that holds its diagram.
pub const DIAGRAM: &str = "Diagram";

/// The section of `IMPLEMENTATION.md` that holds the tasks, each below a heading of level 3: `### 1.1 Title`.
pub const TASKS: &str = "Tasks";

/// The sections of `proposal.md`, headings of level 2, in order.
pub const PROPOSAL: [Section; 7] = [
    section("Problem", "What is wrong or missing, and who is affected"),
    section("Goals", "Each goal with a measurable outcome"),
    section("Non-goals", "What this change does not touch"),
    section("Behaviour", "What users see, before and after"),
    section("Affected parts", "Modules, files and documents by path; say which are new"),
    section("Risks", "What can go wrong, and what to do about it"),
    section("Assumptions and open questions", "Each with the answer that the plan assumes"),
];

/// The sections of each spec, headings of level 2, in order.
pub const SPEC: [Section; 7] = [
    section("Overview", "What this capability is and where it fits"),
    section(REQUIREMENTS, "Each with an id that stays the same in later rounds"),
    section(SCENARIOS, "For each requirement one of success, one of failure, and the edges"),
    section("Interfaces", "Signatures in pseudo code, commands, formats"),
    section(DATA, "Data models as JSON Schema"),
    section(DIAGRAM, "A Mermaid diagram of the flow or the states"),
    section("Errors", "What can fail, how it is reported, and what happens to data"),
];

/// The sections of `IMPLEMENTATION.md`, headings of level 2, in order.
pub const IMPLEMENTATION: [Section; 3] = [
    section("Summary", "What works now, and what is open"),
    section(TASKS, "A section for every task, done or not"),
    section("Checks", "Build, tests, linter: each command that was run, and its result"),
];

/// The groups of a changelog entry, headings of level 3; those that hold nothing are left out.
pub const CHANGELOG: [Section; 5] = [
    section("Added", "What users can do now"),
    section("Changed", "What is different; a breaking change first, with what users must do"),
    section("Fixed", "What works again"),
    section("Removed", "What is removed, and what replaces it"),
    section("Security", "What was vulnerable, and since when"),
];

/// The files that a skeleton names.
struct Files<'a> {
    names: &'static [&'static str],
    folder: &'a Path,
    delivers: Delivers,
}

impl Files<'_> {
    /// Returns the word that opens a line with a target.
    const fn verb(&self) -> &'static str {
        match self.delivers {
            Delivers::Files | Delivers::Nothing => "write",
            Delivers::Text => "print",
        }
    }

    /// Returns a target: a path of the file system, which can make no tag, or one below the change's folder.
    fn path(&self, name: &str) -> String {
        match self.delivers {
            Delivers::Files | Delivers::Nothing => guarded(&self.folder.join(name)),
            Delivers::Text => name.to_owned(),
        }
    }

    /// Returns the id of the change, which is the name of its folder.
    fn change(&self) -> String {
        guarded(Path::new(self.folder.file_name().unwrap_or_default()))
    }
}

/// Shows a path; names in it make no tag.
fn guarded(path: &Path) -> String {
    CATALOG.tags.guard(&path.display().to_string()).into_owned()
}

#[derive(Template)]
#[template(path = "blocks/plan.md.j2", escape = "none")]
struct Plan<'a> {
    files: Files<'a>,
}

#[derive(Template)]
#[template(path = "blocks/implement.md.j2", escape = "none")]
struct Implement<'a> {
    files: Files<'a>,
}

#[derive(Template)]
#[template(path = "blocks/archive.md.j2", escape = "none")]
struct Archive<'a> {
    files: Files<'a>,
}

/// What stands in a target for a name that the agent chooses.
const CAPABILITY: &str = "<capability>";

/// Writes the skeleton of a phase, for the variable `SKELETON`: the target path of each file, one on each line,
/// then what each file looks like. `folder` is the change's folder, named for its id. A phase that writes no file
/// has none, and neither has an agent that delivers none. Its tags are live; the path in it is guarded.
///
/// ```
/// use std::path::Path;
/// use agentd::{Phase, models::agent::Delivers, prompt::blocks::skeleton};
///
/// let folder = Path::new("/shop/agentd/changes/add-login");
/// let text = skeleton(Phase::Plan, folder, Delivers::Files).unwrap();
/// assert!(text.starts_with("- write: /shop/agentd/changes/add-login/proposal.md\n"));
/// assert_eq!(skeleton(Phase::Review, folder, Delivers::Files), None);
/// ```
pub fn skeleton(phase: Phase, folder: &Path, delivers: Delivers) -> Option<OwnText> {
    if delivers == Delivers::Nothing {
        return None;
    }
    let files = |names| Files { names, folder, delivers };
    let text = match phase {
        Phase::Plan => {
            let names = &["proposal.md", "specs/<capability>.md", "tasks.md"];
            Plan { files: files(names) }.to_string()
        }
        Phase::Implement => Implement { files: files(&["IMPLEMENTATION.md"]) }.to_string(),
        Phase::Archive => {
            let names = &["archive/changelog.md", "archive/specs/<capability>.md"];
            Archive { files: files(names) }.to_string()
        }
        Phase::Challenge | Phase::Review => return None,
    };
    Some(OwnText::trusted(text))
}

/// Writes the skeleton of a step whose prompt is one document: that of its phase, or for a template of a flow's own the target
/// path of each file that the step leaves.
pub fn skeleton_of(step: &Step, folder: &Path, delivers: Delivers) -> Option<OwnText> {
    match step.prompt {
        Some(Prompt::System(phase)) => skeleton(phase, folder, delivers),
        Some(Prompt::Own) if delivers != Delivers::Nothing && !step.leaves.is_empty() => {
            let files = Files { names: &[], folder, delivers };
            let line = |file: &Leaves| format!("- {}: {}\n", files.verb(), files.path(&file.path));
            Some(OwnText::trusted(step.leaves.iter().map(line).collect::<String>()))
        }
        Some(Prompt::Own | Prompt::Role(_) | Prompt::Command(_)) | None => None,
    }
}
