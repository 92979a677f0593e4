//! Shows diagnostics: with the source line and carets for people, and as the lines that cargo reads.

use annotate_snippets::{
    AnnotationKind, Element, Group, Level, Origin, Padding, Renderer, Snippet,
};

use super::Compilation;
use super::code::{DiagnosticCode, Severity};
use super::diagnostic::{Diagnostic, Place};
use super::source::Sources;
use crate::template::{LineIndex, Position};

/// Whether a report is written with colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    /// Plain text.
    Off,
    /// ANSI colours.
    On,
}

/// No report shows more diagnostics than this; the last line counts them all.
const MOST_SHOWN: usize = 100;

/// Shows every diagnostic with its code, place, source line, carets and help, and a last line that counts.
pub fn human(compilation: &Compilation, colors: Colors) -> String {
    let Compilation { diagnostics, flow_faults, sources, .. } = compilation;
    listing(diagnostics, flow_faults, sources, colors)
}

/// Shows diagnostics of any two tables of codes in the same way, one after the other, and counts them together.
pub(crate) fn listing<A: DiagnosticCode, B: DiagnosticCode>(
    first: &[Diagnostic<A>],
    second: &[Diagnostic<B>],
    sources: &Sources,
    colors: Colors,
) -> String {
    let mut out = String::new();
    let counts = [each(first, sources, colors, &mut out), each(second, sources, colors, &mut out)];
    let [errors, warnings] = [0, 1].map(|kind| counts[0][kind] + counts[1][kind]);
    if errors + warnings > 0 {
        out.push_str(&format!("{}, {}\n", counted(errors, "error"), counted(warnings, "warning")));
    }
    out
}

/// Shows each diagnostic, and counts errors and warnings.
fn each<C: DiagnosticCode>(
    diagnostics: &[Diagnostic<C>],
    sources: &Sources,
    colors: Colors,
    out: &mut String,
) -> [usize; 2] {
    let renderer = match colors {
        Colors::Off => Renderer::plain(),
        Colors::On => Renderer::styled(),
    };
    for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
        out.push_str(&renderer.render(&[group(diagnostic, sources)]));
        out.push_str("\n\n");
    }
    if let Some(more) = diagnostics.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
        out.push_str(&format!("{more} more are not shown\n"));
    }
    let count = |severity| diagnostics.iter().filter(|d| d.code.severity() == severity).count();
    [count(Severity::Error), count(Severity::Warning)]
}

/// Writes the lines by which a build script tells cargo of each diagnostic.
pub fn cargo(compilation: &Compilation) -> String {
    let Compilation { diagnostics, flow_faults, sources, .. } = compilation;
    cargo_lines(diagnostics, sources) + &cargo_lines(flow_faults, sources)
}

pub(super) fn cargo_lines<C: DiagnosticCode>(
    diagnostics: &[Diagnostic<C>],
    sources: &Sources,
) -> String {
    let line = |diagnostic: &Diagnostic<C>| {
        let key = match diagnostic.code.severity() {
            Severity::Error => "cargo::error",
            Severity::Warning => "cargo::warning",
        };
        format!("{key}={}\n", one_line(diagnostic, sources))
    };
    diagnostics.iter().map(line).collect()
}

/// Shows a diagnostic as `path:line:col: message [code]`.
#[doc(hidden)]
pub fn one_line<C: DiagnosticCode>(diagnostic: &Diagnostic<C>, sources: &Sources) -> String {
    let Position { line, column } = position(diagnostic.place, sources);
    let path = &sources.get(diagnostic.place.file).path;
    let (message, code) = (&diagnostic.message, diagnostic.code.slug());
    format!("{path}:{line}:{column}: {message} [{code}]")
}

/// Works out line and column of a place.
#[doc(hidden)]
pub fn position(place: Place, sources: &Sources) -> Position {
    LineIndex::new(&sources.get(place.file).text).position(place.span.start)
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

fn group<'a, C: DiagnosticCode>(diagnostic: &'a Diagnostic<C>, sources: &'a Sources) -> Group<'a> {
    let level = match diagnostic.code.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.slug());
    let mut elements: Vec<Element<'a>> = Vec::new();
    let source = sources.get(diagnostic.place.file);
    if source.exists {
        let mut snippet = snippet(diagnostic.place, sources)
            .annotation(AnnotationKind::Primary.span(range(diagnostic.place, sources)));
        for (place, text) in
            diagnostic.labels.iter().filter(|(place, _)| place.file == diagnostic.place.file)
        {
            snippet = snippet.annotation(
                AnnotationKind::Context.span(range(*place, sources)).label(text.as_str()),
            );
        }
        elements.push(snippet.into());
    } else {
        elements.push(Origin::path(source.path.as_str()).line(1).char_column(1).into());
    }
    for (place, text) in
        diagnostic.labels.iter().filter(|(place, _)| place.file != diagnostic.place.file)
    {
        let annotation = AnnotationKind::Context.span(range(*place, sources)).label(text.as_str());
        elements.push(snippet(*place, sources).annotation(annotation).into());
    }
    if let Some(help) = &diagnostic.help {
        elements.push(Padding.into());
        elements.push(Level::HELP.message(help.as_str()).into());
    }
    title.elements(elements)
}

fn snippet(place: Place, sources: &Sources) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    let source = sources.get(place.file);
    Snippet::source(source.text.as_str()).path(source.path.as_str()).line_start(1)
}

fn range(place: Place, sources: &Sources) -> std::ops::Range<usize> {
    let end = sources.get(place.file).text.len();
    place.span.start.min(end)..place.span.end.min(end)
}
