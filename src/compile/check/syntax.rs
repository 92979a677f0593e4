//! Markers that are wrong on their own.

use super::super::code::Code;
use super::super::diagnostic::{Diagnostic, Place};
use super::super::source::{FileId, Sources};
use super::Template;
use crate::template::nearest::nearest;
use crate::template::{Dialect, Directive, Fault, FaultKind, Variable, parse};

/// Reports the faults of a file that stands for itself.
pub(in super::super) fn faults(
    sources: &Sources,
    file: FileId,
    dialect: &Dialect<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let text = &sources.get(file).text;
    for fault in parse(text, dialect).faults {
        let place = Place { file, span: fault.span };
        found.push(describe(text, &fault, place, dialect));
    }
}

/// Reports the faults of a linked template; those of its fragments are reported with the fragments.
pub(super) fn faults_of_linked(template: &Template<'_>, found: &mut Vec<Diagnostic>) {
    for fault in template.parsed.faults.iter().filter(|fault| template.is_own(fault.span)) {
        found.push(describe(template.text, fault, template.place(fault.span), &Dialect::SYSTEM));
    }
}

/// Guesses the variable that a broken marker was meant to be.
pub(super) fn intended_variable(text: &str, fault: &Fault) -> Option<Variable> {
    let inner = fault.inner.of(text).trim_start_matches([' ', '{']);
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
    Variable::from_word(nearest(&inner[..end], Variable::WORDS.iter().copied())?)
}

fn describe(text: &str, fault: &Fault, place: Place, dialect: &Dialect<'_>) -> Diagnostic {
    let marker = fault.span.of(text);
    let inner = fault.inner.of(text);
    let braces = marker.starts_with("{{");
    let (opener, closer) = if braces { ("{{", "}}") } else { ("[[", "]]") };
    let literal = format!("write `{opener}{opener}` for a literal `{opener}`");
    let meant = || intended_variable(text, fault).filter(|_| braces && dialect.name == "system");
    match fault.kind {
        FaultKind::Unclosed if marker.starts_with("---") => {
            Diagnostic::new(Code::UnclosedMarker, place, "the frontmatter is never closed")
                .help("close it with a line of `---`")
        }
        FaultKind::Unclosed => {
            let message = format!("`{opener}` is not closed before the end of the line");
            Diagnostic::new(Code::UnclosedMarker, place, message).help(match meant() {
                Some(variable) => format!("write `{{{{{variable}}}}}`; {literal}"),
                None => format!("close it with `{closer}`; {literal}"),
            })
        }
        FaultKind::Malformed => {
            let message = format!("`{marker}` is not a marker of the {} dialect", dialect.name);
            Diagnostic::new(Code::MalformedMarker, place, message).help(match meant() {
                Some(variable) => format!("write `{{{{{variable}}}}}`; {literal}"),
                None if braces => format!("between the braces stands one name; {literal}"),
                None => format!(
                    "write `[[{inner}:name]]`: no blanks, a name of small letters, digits, `-` and `_`, or the path of an include; {literal}"
                ),
            })
        }
        FaultKind::Foreign => {
            let message = format!("`{marker}` belongs to another dialect than {}", dialect.name);
            Diagnostic::new(Code::ForeignMarker, place, message).help(match meant() {
                Some(variable) => format!("did you mean `{{{{{variable}}}}}`? {literal}"),
                None => format!("live here: {}; {literal}", live(dialect)),
            })
        }
        FaultKind::UnknownDirective => {
            let message = format!("there is no directive `{inner}`");
            let near = nearest(inner, Directive::ALL.iter().map(|directive| directive.word()));
            Diagnostic::new(Code::UnknownDirective, place, message).help(match near {
                Some(near) => format!("did you mean `[[{near}:…]]`? {literal}"),
                None => format!("live here: {}; {literal}", live(dialect)),
            })
        }
    }
}

/// Lists what is live in a dialect.
fn live(dialect: &Dialect<'_>) -> String {
    use crate::template::dialect::Braces;
    let braces = match dialect.braces {
        Braces::Text => None,
        Braces::Upper => Some("`{{UPPER_SNAKE}}`".to_owned()),
        Braces::Lower => Some("`{{lower_snake}}`".to_owned()),
    };
    let brackets = Directive::ALL.iter().filter(|directive| dialect.knows(**directive));
    let brackets = brackets.map(|directive| format!("`[[{}:…]]`", directive.word()));
    braces.into_iter().chain(brackets).collect::<Vec<_>>().join(", ")
}
