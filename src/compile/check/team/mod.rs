//! The prompts of the team: role and command templates, `context.md`, and the fragments that they include. Each is held
//! to its own contract; what a fragment gets wrong by itself is said once, however many prompts include it.

mod extension;
mod fragments;
pub(super) mod names;
mod session_files;

use super::super::TeamUnit;
use super::super::contract::{self, Contract};
use super::super::diagnostic::Diagnostic;
use super::super::link::Linker;
use super::super::source::{FileId, Sources};
use super::template::{Template, unclosed_fences_of_file};
use super::{frames, is_readable, markers, phrases, sections, syntax, values};
use crate::template::{Dialect, Node, TeamPrompt};

/// A prompt while it is checked.
struct Prompt<'t> {
    template: Template<'t>,
    which: TeamPrompt,
    contract: &'static Contract,
}

impl Prompt<'_> {
    /// Returns whether nothing is missing that could hold what is looked for.
    fn is_complete(&self) -> bool {
        self.template.linked.complete
    }
}

/// Checks a prompt; one whose name is wrong is held to the language alone.
pub(super) fn prompt_file(
    sources: &Sources,
    file: FileId,
    linker: &mut Linker<'_>,
    found: &mut Vec<Diagnostic>,
) -> Option<TeamUnit> {
    let prompt = names::prompt(sources, file, found);
    let is_markdown = sources.get(file).name.to_ascii_lowercase().ends_with(".md");
    if !is_markdown || !is_readable(sources, file, found) {
        return None;
    }
    syntax::faults(sources, file, &Dialect::ROLE, found);
    let prompt = prompt?;
    let linked = linker.link(file, &Dialect::ROLE, found);
    let template = Template::new(sources, file, &linked, &Dialect::ROLE);
    check(&Prompt { template, which: prompt, contract: contract::of_prompt(prompt) }, found);
    Some(TeamUnit { file, prompt, linked })
}

/// Holds a prompt to its contract.
fn check(prompt: &Prompt<'_>, found: &mut Vec<Diagnostic>) {
    prompt.template.unclosed_fences(found);
    sections::check(&prompt.template, prompt.contract, found);
    extension::check(prompt, found);
    values::check(&prompt.template, prompt.contract, &values::PLACEHOLDERS, found);
    fragments::check(prompt, found);
    session_files::check(prompt, found);
    phrases::check(&prompt.template, prompt.contract, found);
    markers::lone_passes(&prompt.template, found);
    if prompt.which != TeamPrompt::Context {
        markers::blocked(&prompt.template, &prompt.contract.name, found);
    }
    // Placeholders are short, or texts of our own; the project's instructions are meant as such.
    frames::check(&prompt.template, |node| matches!(node, Node::Include { .. }), found);
}

/// Checks what a fragment gets wrong by itself, whoever includes it.
pub(super) fn fragment_file(
    sources: &Sources,
    file: FileId,
    linker: &mut Linker<'_>,
    found: &mut Vec<Diagnostic>,
) {
    super::names::plain(sources, file, found);
    if is_readable(sources, file, found) {
        syntax::faults(sources, file, &Dialect::ROLE, found);
        unclosed_fences_of_file(sources, file, found);
        linker.link(file, &Dialect::ROLE, found);
    }
}
