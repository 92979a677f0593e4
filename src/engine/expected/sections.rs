//! The sections that a file must have: each there once, as a heading of level 2, with text of its own.

use super::document::{Document, Part};
use super::fault::FileFault;
use crate::prompt::blocks::Section;
use crate::text::outline::same_title;

/// Checks the sections of a file.
pub(super) fn check(document: &Document<'_>, sections: &[Section]) -> Vec<FileFault> {
    let parts = document.parts(2, document.whole());
    let mut faults = Vec::new();
    for Section { title, asks } in sections {
        let mut found = parts.iter().filter(|part| same_title(part.title, title));
        let Some(first) = found.next() else {
            let help = format!("write a heading of level 2, `## {title}`, and below it: {asks}");
            faults.push(document.fault(None, &format!("section `{title}` is missing"), &help));
            continue;
        };
        for again in found {
            let message =
                format!("section `{title}` is repeated; the first is on line {}", first.line);
            faults.push(document.fault(Some(again.line), &message, "merge them"));
        }
        if !document.has_text(first) {
            let message = format!("section `{title}` contains no text of its own");
            let help = format!("write below the heading: {asks}");
            faults.push(document.fault(Some(first.line), &message, &help));
        }
    }
    faults
}

/// Finds a section that has text.
pub(super) fn filled<'d>(document: &'d Document<'_>, title: &str) -> Option<Part<'d>> {
    let mut parts = document.parts(2, document.whole()).into_iter();
    parts.find(|part| same_title(part.title, title)).filter(|part| document.has_text(part))
}
