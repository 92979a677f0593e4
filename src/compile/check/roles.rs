//! Role and command templates: the one place where a project's own instructions go.

use super::super::code::Code;
use super::super::contract::EXTENSION_POINT;
use super::super::diagnostic::Diagnostic;
use super::super::link::{Linked, Linker};
use super::super::source::{FileId, Folder, Sources};
use crate::template::{Dialect, Node, parse};

/// Links the file, reports a place for project instructions that is missing, repeated or forbidden, and gives the linked text.
pub(super) fn extension_point(
    sources: &Sources,
    file: FileId,
    linker: &mut Linker<'_>,
    found: &mut Vec<Diagnostic>,
) -> Linked {
    let linked = linker.link(file, &Dialect::ROLE, found);
    let parsed = parse(&linked.text, &Dialect::ROLE);
    let points: Vec<_> = parsed
        .nodes
        .iter()
        .filter(|(node, _)| *node == Node::Hole(EXTENSION_POINT))
        .map(|(_, span)| linked.place(*span))
        .collect();
    let marker = format!("[[placeholder:{EXTENSION_POINT}]]");
    match (sources.get(file).folder, points.as_slice()) {
        (Folder::Agents | Folder::Commands, []) if linked.complete => found.push(
            Diagnostic::new(
                Code::ExtensionPoint,
                sources.first_line(file),
                format!("`{marker}` is missing"),
            )
            .help("put it where a project's own instructions belong"),
        ),
        (Folder::Agents | Folder::Commands, [first, again @ ..]) => {
            found.extend(again.iter().map(|place| {
                Diagnostic::new(Code::ExtensionPoint, *place, format!("`{marker}` stands again"))
                    .label(*first, "first here")
                    .help("keep one of them")
            }));
        }
        (Folder::Context, points) => found.extend(points.iter().map(|place| {
            Diagnostic::new(Code::ExtensionPoint, *place, "projects cannot extend this template")
                .help(format!("remove `{marker}`"))
        })),
        (
            Folder::Agents
            | Folder::Commands
            | Folder::Elsewhere
            | Folder::Shared
            | Folder::System
            | Folder::Identities,
            _,
        ) => {}
    }
    linked
}
