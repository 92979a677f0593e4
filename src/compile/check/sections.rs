//! The required sections: each there, once, with text, outside code blocks.

use super::super::code::Code;
use super::super::contract::Contract;
use super::super::diagnostic::Diagnostic;
use super::Template;
use crate::template::Span;
use crate::template::nearest::nearest;
use crate::text::outline::same_title;

/// Looks for the sections of a contract.
pub(super) fn check(template: &Template<'_>, contract: &Contract, found: &mut Vec<Diagnostic>) {
    let titles = &contract.sections;
    for title in titles {
        match template.outline.sections(title).as_slice() {
            [] => found.extend(absent(template, title, titles)),
            [first, again @ ..] => {
                let first_place = template.place(template.outline.headings[*first].span);
                for number in again {
                    let place = template.place(template.outline.headings[*number].span);
                    found.push(
                        Diagnostic::new(
                            Code::DuplicateSection,
                            place,
                            format!("section `{title}` occurs twice"),
                        )
                        .label(first_place, "first here")
                        .help("merge the two"),
                    );
                }
                // A fragment that is missing may hold the text.
                if template.linked.complete && !template.outline.has_content(*first) {
                    found.push(
                        Diagnostic::new(
                            Code::EmptySection,
                            first_place,
                            format!("section `{title}` is empty"),
                        )
                        .help("write text below the heading"),
                    );
                }
            }
        }
    }
}

/// Describes a section that is not where it should be, or nothing where a missing fragment may hold it.
fn absent(template: &Template<'_>, title: &str, titles: &[String]) -> Option<Diagnostic> {
    if let Some(span) = template.outline.section_in_code(template.text, title) {
        return Some(
            Diagnostic::new(
                Code::FencedSection,
                template.place(span),
                format!("section `{title}` occurs only in a code block"),
            )
            .help("move the heading out of the code block"),
        );
    }
    if !template.linked.complete {
        return None;
    }
    let message = format!("section `{title}` is missing");
    let headings = &template.outline.headings;
    if let Some(heading) = headings.iter().find(|heading| same_title(&heading.title, title)) {
        return Some(
            Diagnostic::new(Code::MissingSection, template.place(heading.span), message)
                .help(format!("this heading has level {}: write `## {title}`", heading.level)),
        );
    }
    if let Some(span) = unspaced(template.text, title) {
        return Some(
            Diagnostic::new(Code::MissingSection, template.place(span), message)
                .help(format!("a heading needs a blank after its marks: write `## {title}`")),
        );
    }
    let near = headings
        .iter()
        .filter(|heading| !titles.iter().any(|section| same_title(&heading.title, section)))
        .find(|heading| nearest(&heading.title, [title]).is_some());
    Some(match near {
        Some(heading) => {
            Diagnostic::new(Code::MissingSection, template.place(heading.span), message)
                .help(format!("did you mean `## {title}`?"))
        }
        None => Diagnostic::new(Code::MissingSection, template.whole(), message)
            .help(format!("add the heading `## {title}` with text below it")),
    })
}

/// Finds a line that would be the heading but for the blank after its marks.
fn unspaced(text: &str, title: &str) -> Option<Span> {
    let is_it = |line: &str| {
        let words = line.trim_start_matches('#');
        words.len() < line.len() && !words.starts_with(' ') && same_title(words, title)
    };
    let mut at = 0;
    text.split_inclusive('\n').find_map(|line| {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        is_it(span.of(text)).then_some(span)
    })
}
