//! Holds every template to its rules. Each file here looks at one kind of thing and adds what it finds;
//! nothing stops at the first fault, and one fault is reported once.

mod directives;
mod markers;
mod names;
mod roles;
mod sections;
mod syntax;
mod variables;

pub(super) use syntax::faults;

use super::SystemUnit;
use super::code::Code;
use super::diagnostic::{Diagnostic, Place};
use super::link::Linker;
use super::outline::{Outline, outline};
use super::source::{FileId, Folder, Sources};
use crate::template::{Dialect, Parsed, Phase, Span, parse};

/// Checks all sources and returns the linked system templates.
pub(crate) fn check(sources: &mut Sources, found: &mut Vec<Diagnostic>) -> Vec<SystemUnit> {
    names::base_templates(sources, found);
    let mut linker = Linker::new(sources);
    let mut units = Vec::new();
    for (file, source) in sources.iter().filter(|(_, source)| source.exists) {
        let readable = is_readable(sources, file, found);
        match source.folder {
            Folder::System => {
                let name = names::system(sources, file, found);
                if let Some((agent, phase)) = name
                    && readable
                {
                    let linked = linker.link(file, &Dialect::SYSTEM, found);
                    system(
                        sources,
                        &SystemUnit { file, agent, phase, linked: linked.clone() },
                        found,
                    );
                    units.push(SystemUnit { file, agent, phase, linked });
                } else if readable {
                    syntax::faults(sources, file, &Dialect::SYSTEM, found);
                }
            }
            Folder::Agents | Folder::Commands | Folder::Context | Folder::Shared => {
                names::plain(sources, file, found);
                if readable {
                    syntax::faults(sources, file, &Dialect::ROLE, found);
                    roles::extension_point(sources, file, &mut linker, found);
                }
            }
            Folder::Identities => {
                names::plain(sources, file, found);
                if readable {
                    syntax::faults(sources, file, &Dialect::IDENTITY, found);
                }
            }
        }
    }
    unused_fragments(sources, &linker, found);
    units
}

/// Holds one system template to its phase's contract.
fn system(sources: &Sources, unit: &SystemUnit, found: &mut Vec<Diagnostic>) {
    let text = &unit.linked.text;
    let template = Template {
        sources,
        unit,
        text,
        parsed: parse(text, &Dialect::SYSTEM),
        outline: outline(text),
    };
    for span in &template.outline.unclosed {
        found.push(
            Diagnostic::new(
                Code::UnclosedFence,
                template.place(*span),
                "this code fence is never closed",
            )
            .help("close it with a line of the same marks"),
        );
    }
    syntax::faults_of_linked(&template, found);
    sections::check(&template, found);
    variables::check(&template, found);
    directives::check(&template, found);
    markers::check(&template, found);
}

/// A system template while it is checked.
struct Template<'t> {
    sources: &'t Sources,
    unit: &'t SystemUnit,
    text: &'t str,
    parsed: Parsed<'t>,
    outline: Outline,
}

impl Template<'_> {
    fn phase(&self) -> Phase {
        self.unit.phase
    }

    fn place(&self, span: Span) -> Place {
        self.unit.linked.place(span)
    }

    /// Says whether a span stands in the template's own file rather than in a fragment.
    fn is_own(&self, span: Span) -> bool {
        self.place(span).file == self.unit.file
    }

    /// The place for what concerns the template as a whole.
    fn whole(&self) -> Place {
        self.sources.first_line(self.unit.file)
    }
}

pub(super) fn is_readable(sources: &Sources, file: FileId, found: &mut Vec<Diagnostic>) -> bool {
    let source = sources.get(file);
    if !source.utf8 {
        let at = source.text.len();
        let place = Place { file, span: Span::new(at, at) };
        found.push(
            Diagnostic::new(Code::NotUtf8, place, format!("the byte at offset {at} is not UTF-8"))
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

fn unused_fragments(sources: &Sources, linker: &Linker<'_>, found: &mut Vec<Diagnostic>) {
    for (file, source) in sources.iter() {
        if source.folder == Folder::Shared && !linker.is_used(file) {
            found.push(
                Diagnostic::new(
                    Code::UnusedFragment,
                    sources.first_line(file),
                    "no template includes this fragment",
                )
                .help("include it with `[[shared:…]]`, or remove the file"),
            );
        }
    }
}
