//! The placeholders of a prompt, those in the paths of its includes too: known, with a value here, and complete.

use super::super::super::code::Code;
use super::super::super::contract;
use super::super::super::diagnostic::Diagnostic;
use super::Prompt;
use crate::template::nearest::nearest;
use crate::template::{Node, Part, Placeholder, Span, TeamPrompt};

pub(super) fn check(prompt: &Prompt<'_>, found: &mut Vec<Diagnostic>) {
    let mut used = Vec::new();
    for (name, span) in holes(prompt) {
        match Placeholder::from_word(name) {
            // Where the project's own instructions may stand is looked at elsewhere.
            Some(Placeholder::ProjectInstructions) => {}
            Some(placeholder) => {
                used.push(placeholder);
                if !prompt.contract.allows(placeholder) {
                    not_allowed(prompt, placeholder, span, found);
                }
            }
            None => {
                // What was meant counts as used: its own fault is reported where it stands.
                used.extend(meant(name));
                found.push(unknown(prompt, name, span));
            }
        }
    }
    if prompt.is_complete() {
        let is_missing = |placeholder: &&Placeholder| {
            **placeholder != Placeholder::ProjectInstructions && !used.contains(placeholder)
        };
        let required = prompt.contract.required.iter();
        found.extend(required.filter(is_missing).map(|placeholder| missing(prompt, *placeholder)));
    }
}

/// Lists the placeholders with their spans in the linked text.
fn holes<'p>(prompt: &'p Prompt<'_>) -> Vec<(&'p str, Span)> {
    let mut holes = Vec::new();
    for (node, span) in &prompt.template.parsed.nodes {
        match node {
            Node::Hole(name) => holes.push((*name, *span)),
            Node::Include { path, .. } => {
                let mut at = span.start;
                for part in path.iter() {
                    let Part::Hole(name) = part else { continue };
                    let marker = marker(name);
                    let offset = prompt.template.text[at..span.end].find(&marker).unwrap_or(0);
                    let hole = Span::new(at + offset, at + offset + marker.len());
                    at = hole.end;
                    holes.push((*name, hole));
                }
            }
            Node::Text(_) | Node::Fragment(_) => {}
        }
    }
    holes
}

/// Writes a placeholder.
pub(super) fn marker(name: &str) -> String {
    format!("[[placeholder:{name}]]")
}

/// Guesses the placeholder that a name was meant to be.
pub(super) fn meant(name: &str) -> Option<Placeholder> {
    Placeholder::from_word(nearest(name, Placeholder::WORDS.iter().copied())?)
}

fn unknown(prompt: &Prompt<'_>, name: &str, span: Span) -> Diagnostic {
    let message = format!("there is no placeholder `{name}`");
    let place = prompt.template.place(span);
    Diagnostic::new(Code::UnknownVariable, place, message).help(match meant(name) {
        Some(near) => format!("did you mean `{}`?", marker(near.word())),
        None => format!("the placeholders are {}", Placeholder::WORDS.join(", ")),
    })
}

/// Reports a placeholder without a value, in a fragment once with all the prompts that include it.
fn not_allowed(
    prompt: &Prompt<'_>,
    placeholder: Placeholder,
    span: Span,
    found: &mut Vec<Diagnostic>,
) {
    let has_value = |prompt: &TeamPrompt| contract::team(*prompt).allows(placeholder);
    let with_value = TeamPrompt::all().filter(has_value);
    let with_value: Vec<_> = with_value.map(|prompt| format!("`{}`", prompt.file())).collect();
    let place = prompt.template.place(span);
    let is_own = prompt.template.is_own(span);
    let message = if is_own {
        format!("placeholder `{placeholder}` has no value in `{}`", prompt.which.file())
    } else {
        format!(
            "placeholder `{placeholder}` has no value in every prompt that includes this fragment"
        )
    };
    let said = found.iter_mut().find(|diagnostic| {
        (diagnostic.code, diagnostic.place) == (Code::VariableNotAllowed, place)
            && diagnostic.message == message
    });
    let label = |diagnostic: &mut Diagnostic| {
        for place in prompt.template.linked.way_to(place.file) {
            if diagnostic.labels.iter().all(|(labelled, _)| *labelled != place) {
                diagnostic.labels.push((place, "included here".to_owned()));
            }
        }
    };
    if let Some(said) = said {
        label(said);
        return;
    }
    let mut diagnostic = Diagnostic::new(Code::VariableNotAllowed, place, message)
        .help(format!("it has a value only in {}: remove it here", with_value.join(", ")));
    label(&mut diagnostic);
    found.push(diagnostic);
}

fn missing(prompt: &Prompt<'_>, placeholder: Placeholder) -> Diagnostic {
    let file = prompt.which.file();
    let message = format!("`{file}` requires the placeholder `{placeholder}`, which is not used");
    Diagnostic::new(Code::MissingVariable, prompt.template.whole(), message)
        .help(format!("write `{}` where its value belongs", marker(placeholder.word())))
}
