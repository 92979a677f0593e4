//! The one place of a prompt where a project's own instructions go, and which the context does not have.

use super::super::super::code::Code;
use super::super::super::contract::EXTENSION_POINT;
use super::super::super::diagnostic::{Diagnostic, Place};
use super::Prompt;
use crate::template::{Node, TeamPrompt};

/// Reports a place for project instructions that is missing, repeated or forbidden.
pub(super) fn check(prompt: &Prompt<'_>, found: &mut Vec<Diagnostic>) {
    let template = &prompt.template;
    let is_point = |node: &Node<'_>| *node == Node::Hole(EXTENSION_POINT);
    let points = template.parsed.nodes.iter().filter(|(node, _)| is_point(node));
    let points: Vec<Place> = points.map(|(_, span)| template.place(*span)).collect();
    let marker = format!("[[placeholder:{EXTENSION_POINT}]]");
    let report = |place, message: String| Diagnostic::new(Code::ExtensionPoint, place, message);
    match (prompt.which, points.as_slice()) {
        (TeamPrompt::Role(_) | TeamPrompt::Command(_), []) if prompt.is_complete() => found.push(
            report(template.whole(), format!("`{marker}` is missing"))
                .help("put it where a project's own instructions belong"),
        ),
        (TeamPrompt::Role(_) | TeamPrompt::Command(_), []) => {}
        (TeamPrompt::Role(_) | TeamPrompt::Command(_), [first, again @ ..]) => {
            found.extend(again.iter().map(|place| {
                report(*place, format!("`{marker}` is repeated"))
                    .label(*first, "first here")
                    .help("keep one of them")
            }));
        }
        (TeamPrompt::Context, points) => found.extend(points.iter().map(|place| {
            report(*place, "projects cannot extend this template".to_owned())
                .help(format!("remove `{marker}`"))
        })),
    }
}
