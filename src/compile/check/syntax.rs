//! Markers that are wrong on their own.

use super::super::code::Code;
use super::super::diagnostic::{Diagnostic, Place, quoted};
use super::super::source::{FileId, Sources};
use super::Template;
use crate::template::dialect::Braces;
use crate::template::nearest::nearest;
use crate::template::{Dialect, Directive, Fault, FaultKind, Span, Variable, parse};

/// Reports the faults of a file that stands for itself.
pub(in super::super) fn faults(
    sources: &Sources,
    file: FileId,
    dialect: &Dialect<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let text = &sources.get(file).text;
    for fault in parse(text, dialect).faults {
        let place = Place { file, span: shown(text, &fault) };
        found.push(describe(text, &fault, place, dialect));
    }
}

/// Reports the faults of a linked template; those of its fragments are reported with the fragments.
pub(super) fn faults_of_linked(template: &Template<'_>, found: &mut Vec<Diagnostic>) {
    for fault in template.parsed.faults.iter().filter(|fault| template.is_own(fault.span)) {
        let place = template.place(shown(template.text, fault));
        found.push(describe(template.text, fault, place, &Dialect::SYSTEM));
    }
}

/// Guesses the word that a broken marker was meant to hold.
pub(super) fn intended<'w>(text: &str, fault: &Fault, words: &[&'w str]) -> Option<&'w str> {
    let marker = fault.span.of(text);
    let name = match marker.strip_prefix("[[").and_then(|inner| inner.split_once(':')) {
        Some((_, argument)) => argument.trim_end_matches(']'),
        None => name_in(text, fault).of(text),
    };
    nearest(name, words.iter().copied())
}

/// Finds the first name in a broken marker.
fn name_in(text: &str, fault: &Fault) -> Span {
    let inner = fault.inner.of(text);
    let name = inner.trim_start_matches([' ', '{']);
    let start = fault.inner.start + inner.len() - name.len();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':');
    Span::new(start, start + name.find(|c| !is_part(c)).unwrap_or(name.len()))
}

/// What to underline: a marker that is not closed may reach to the end of its line, which says nothing.
fn shown(text: &str, fault: &Fault) -> Span {
    match fault.kind {
        FaultKind::Unclosed => Span::new(fault.span.start, name_in(text, fault).end),
        FaultKind::Malformed | FaultKind::Foreign | FaultKind::UnknownDirective => fault.span,
    }
}

fn describe(text: &str, fault: &Fault, place: Place, dialect: &Dialect<'_>) -> Diagnostic {
    let marker = fault.span.of(text);
    let braces = marker.starts_with("{{");
    let opener = if braces { "{{" } else { "[[" };
    let literal = format!("write `{opener}{opener}` for a literal `{opener}`");
    let meant = intended(text, fault, Variable::WORDS).filter(|_| dialect.braces == Braces::Upper);
    let (code, message) = match fault.kind {
        FaultKind::Unclosed if marker.starts_with("---") => {
            let message = "the frontmatter is never closed";
            return Diagnostic::new(Code::UnclosedMarker, place, message)
                .help("close it with a line of `---`");
        }
        FaultKind::Unclosed => {
            (Code::UnclosedMarker, format!("`{opener}` is not closed before the end of the line"))
        }
        FaultKind::Malformed => {
            (Code::MalformedMarker, format!("{} is not a marker", quoted(marker)))
        }
        FaultKind::Foreign => {
            let message = format!("{} is not live in the {} dialect", quoted(marker), dialect.name);
            (Code::ForeignMarker, message)
        }
        FaultKind::UnknownDirective => {
            (Code::UnknownDirective, format!("there is no directive `{}`", fault.inner.of(text)))
        }
    };
    let advice = match (fault.kind, meant) {
        (FaultKind::UnknownDirective, _) => {
            let words = Directive::ALL.iter().map(|directive| directive.word());
            match nearest(fault.inner.of(text), words) {
                Some(near) => format!("did you mean `[[{near}:…]]`?"),
                None => format!("live here: {};", live(dialect)),
            }
        }
        (_, Some(variable)) if braces || fault.kind == FaultKind::Foreign => {
            format!("did you mean `{{{{{variable}}}}}`?")
        }
        (FaultKind::Unclosed, _) => {
            format!("close it with `{}`;", if braces { "}}" } else { "]]" })
        }
        (FaultKind::Malformed, _) if braces => "put one name between the braces;".to_owned(),
        (FaultKind::Malformed, _) => form_of(fault.inner.of(text)),
        (FaultKind::Foreign, _) => format!("live here: {};", live(dialect)),
    };
    Diagnostic::new(code, place, message).help(format!("{advice} {literal}"))
}

/// Returns how a directive is written.
fn form_of(word: &str) -> String {
    match Directive::from_word(word) {
        Some(Directive::Include | Directive::IncludeOptional) => format!(
            "write `[[{word}:path]]`, with no blank after `[[` and a path that may contain `[[placeholder:name]]`;"
        ),
        Some(Directive::Placeholder | Directive::Shared) | None => format!(
            "write `[[{word}:name]]`, without blanks, with a name of lower-case letters, digits, `-` and `_`;"
        ),
    }
}

/// Lists what is live in a dialect.
fn live(dialect: &Dialect<'_>) -> String {
    let braces = match dialect.braces {
        Braces::Text => None,
        Braces::Upper => Some("`{{UPPER_SNAKE}}`".to_owned()),
        Braces::Lower => Some("`{{lower_snake}}`".to_owned()),
    };
    let brackets = Directive::ALL.iter().filter(|directive| dialect.knows(**directive));
    let brackets = brackets.map(|directive| format!("`[[{}:…]]`", directive.word()));
    braces.into_iter().chain(brackets).collect::<Vec<_>>().join(", ")
}
