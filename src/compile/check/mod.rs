//! Holds every template to its rules. Each file here looks at one kind of thing and adds what it finds;
//! nothing stops at the first fault, and one fault is reported once.

mod frames;
mod identities;
mod markers;
mod names;
mod phrases;
mod sections;
mod syntax;
mod team;
mod template;
mod values;

pub(super) use identities::identity;
pub(super) use syntax::faults;

use super::code::Code;
use super::contract::{self, Contract};
use super::diagnostic::{Diagnostic, Place};
use super::link::{Linked, Linker};
use super::source::{FileId, Folder, Sources};
use super::{IdentityUnit, SystemUnit, TeamUnit};
use crate::template::{Dialect, Node, Span};
use template::Template;

/// What the sources hold, each kind sorted by file.
#[derive(Debug, Default)]
pub(crate) struct Units {
    pub(crate) system: Vec<SystemUnit>,
    pub(crate) identities: Vec<IdentityUnit>,
    pub(crate) team: Vec<TeamUnit>,
}

/// Checks all sources and returns what they hold.
pub(crate) fn check(sources: &mut Sources, found: &mut Vec<Diagnostic>) -> Units {
    names::base_templates(sources, found);
    team::names::missing(sources, found);
    let mut linker = Linker::new(sources);
    let mut units = Units::default();
    for (file, source) in sources.iter().filter(|(_, source)| source.exists) {
        match source.folder {
            Folder::System => units.system.extend(system_file(sources, file, &mut linker, found)),
            Folder::Agents | Folder::Commands | Folder::Context => {
                units.team.extend(team::prompt_file(sources, file, &mut linker, found));
            }
            Folder::Shared => team::fragment_file(sources, file, &mut linker, found),
            Folder::Identities => {
                names::plain(sources, file, found);
                if is_readable(sources, file, found) {
                    syntax::faults(sources, file, &Dialect::IDENTITY, found);
                    units.identities.extend(identity(sources, file, found));
                }
            }
            // Flows are compiled by `compile::flow`, with the templates that belong to them.
            Folder::Flows => {}
            Folder::Elsewhere => names::elsewhere(sources, file, found),
        }
    }
    identities::unique_names(&units.identities, found);
    // A fragment that only seems unused because of an error elsewhere is not worth a word.
    if found.is_empty() {
        found.extend(linker.unused().map(|file| unused_fragment(sources, file)));
    }
    units
}

/// Checks a file of `system/`; one whose name is wrong is held to the language alone.
fn system_file(
    sources: &Sources,
    file: FileId,
    linker: &mut Linker<'_>,
    found: &mut Vec<Diagnostic>,
) -> Option<SystemUnit> {
    let name = names::system(sources, file, found);
    let is_markdown = sources.get(file).name.to_ascii_lowercase().ends_with(".md");
    if !is_markdown || !is_readable(sources, file, found) {
        return None;
    }
    let Some((agent, phase)) = name else {
        syntax::faults(sources, file, &Dialect::SYSTEM, found);
        return None;
    };
    let linked = linker.link(file, &Dialect::SYSTEM, found);
    let unit = SystemUnit { file, agent, phase, linked };
    system(sources, &unit, found);
    Some(unit)
}

/// Holds one system template to its phase's contract.
fn system(sources: &Sources, unit: &SystemUnit, found: &mut Vec<Diagnostic>) {
    let template = Template::new(sources, unit.file, &unit.linked, &Dialect::SYSTEM);
    held_to(&template, contract::of_phase(unit.phase), found);
}

/// Links a template of a flow's own, and holds it to the contract of its step.
pub(super) fn own_template(
    sources: &Sources,
    file: FileId,
    contract: &Contract,
    found: &mut Vec<Diagnostic>,
) -> Option<Linked> {
    if !is_readable(sources, file, found) {
        return None;
    }
    let linked = Linker::new(sources).link(file, &Dialect::SYSTEM, found);
    held_to(&Template::new(sources, file, &linked, &Dialect::SYSTEM), contract, found);
    Some(linked)
}

fn held_to(template: &Template<'_>, contract: &Contract, found: &mut Vec<Diagnostic>) {
    template.unclosed_fences(found);
    syntax::faults_of_linked(template, found);
    sections::check(template, contract, found);
    values::check(template, contract, &values::VARIABLES, found);
    phrases::check(template, contract, found);
    markers::check(template, contract, found);
    frames::check(template, |node| matches!(node, Node::Hole(_)), found);
}

/// Reports a file that holds no text at all.
pub(super) fn is_readable(sources: &Sources, file: FileId, found: &mut Vec<Diagnostic>) -> bool {
    let source = sources.get(file);
    if !source.utf8 {
        let end = source.text.len();
        let place = Place { file, span: Span::new(end - '\u{fffd}'.len_utf8(), end) };
        found.push(
            Diagnostic::new(Code::NotUtf8, place, "this byte is not UTF-8")
                .help("save the file as UTF-8"),
        );
        return false;
    }
    if source.text.trim().is_empty() {
        found.push(
            Diagnostic::new(Code::EmptyFile, sources.first_line(file), "this file is empty")
                .help("write the template, or remove the file"),
        );
        return false;
    }
    true
}

fn unused_fragment(sources: &Sources, file: FileId) -> Diagnostic {
    let message = "no template includes this fragment";
    Diagnostic::new(Code::UnusedFragment, sources.first_line(file), message)
        .help("include it with `[[shared:…]]`, or remove the file")
}
