//! Shows faults of a configuration: each with its place, the line, carets and help.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Padding, Renderer, Snippet};

use super::error::Fault;

/// Shows every fault, without colours.
pub(super) fn plain(faults: &[Fault]) -> String {
    let reports: Vec<_> =
        faults.iter().map(|fault| Renderer::plain().render(&[group(fault)])).collect();
    reports.join("\n\n")
}

fn group(fault: &Fault) -> Group<'_> {
    let place = &fault.place;
    let mut elements: Vec<Element<'_>> = Vec::new();
    let title = if place.is_in_file() {
        let end = place.source.text.len();
        let range = place.span.start.min(end)..place.span.end.min(end);
        let snippet = Snippet::source(place.source.text.as_str())
            .path(place.source.name.as_str())
            .line_start(1)
            .annotation(AnnotationKind::Primary.span(range));
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
