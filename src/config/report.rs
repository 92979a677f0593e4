//! Shows faults of a configuration: each with its place, the line, carets and help.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Padding, Renderer, Snippet};

use super::error::Fault;

/// So many faults are shown: nobody reads more, and a line of a file that somebody else wrote may be as long as the file.
const MOST_SHOWN: usize = 100;

/// Shows the faults, without colours.
pub(super) fn plain(faults: &[Fault]) -> String {
    let (shown, more) = faults.split_at(faults.len().min(MOST_SHOWN));
    let mut reports: Vec<_> =
        shown.iter().map(|fault| Renderer::plain().render(&[group(fault)])).collect();
    if !more.is_empty() {
        reports.push(format!("and {} more", more.len()));
    }
    reports.join("\n\n")
}

/// Finds the lines that a span is on: the whole file need not be gone through for each fault.
fn lines_around(text: &str, span: Range<usize>) -> Range<usize> {
    let (before, after) = (&text.as_bytes()[..span.start], &text.as_bytes()[span.end..]);
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    start..span.end + memchr::memchr(b'\n', after).unwrap_or(after.len())
}

fn group(fault: &Fault) -> Group<'_> {
    let place = &fault.place;
    let mut elements: Vec<Element<'_>> = Vec::new();
    let title = if place.is_in_file() {
        let end = place.source.text.len();
        let range = place.span.start.min(end)..place.span.end.min(end);
        let lines = lines_around(&place.source.text, range.clone());
        let span = range.start - lines.start..range.end - lines.start;
        let snippet = Snippet::source(&place.source.text[lines])
            .path(place.source.name.as_str())
            .line_start(place.line)
            .annotation(AnnotationKind::Primary.span(span));
        elements.push(snippet.into());
        fault.message.clone()
    } else {
        // A variable or an option is one value: its name says where it is.
        format!("{} (from {})", fault.message, place.source.name)
    };
    if let Some(help) = &fault.help {
        if place.is_in_file() {
            elements.push(Padding.into());
        }
        elements.push(Level::HELP.message(help.as_str()).into());
    }
    Level::ERROR.primary_title(title).elements(elements)
}
