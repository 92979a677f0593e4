//! The response markers that a template teaches: all of its phase's, no others, and no PASS on its own. Every prompt of
//! an agent teaches the question for a person.

use super::super::code::Code;
use super::super::contract::{BLOCKED_MARKER, Contract, THOUGHT_TAG};
use super::super::diagnostic::{Diagnostic, quoted};
use super::Template;
use crate::template::nearest::nearest;
use crate::template::{Span, TaskStatus, Verdict};

/// A marker that a template shows: `<tag …>token</tag>`.
struct Shown<'t> {
    token: &'t str,
    span: Span,
}

impl Shown<'_> {
    /// Returns whether the marker teaches `word`, or was clearly meant to.
    fn teaches(&self, word: &str) -> bool {
        self.token.split('|').any(|part| nearest(part.trim(), [word]).is_some())
    }

    fn is_worse_than_pass(&self) -> bool {
        Verdict::from_word(self.token) > Some(Verdict::Pass)
    }
}

pub(super) fn check(template: &Template<'_>, contract: &Contract, found: &mut Vec<Diagnostic>) {
    let name = contract.name.as_str();
    let verdicts: Vec<&str> = contract.verdicts().iter().map(|v| v.word()).collect();
    let statuses: Vec<&str> = contract.task_statuses().iter().map(|s| s.word()).collect();
    let reviews = shown(template.text, "review", "");
    let tasks = shown(template.text, "task_status", " id=");
    let known = Known { name, what: "verdict", here: &verdicts, anywhere: Verdict::WORDS };
    unknown_tokens(template, &reviews, &known, found);
    let known = Known { name, what: "task status", here: &statuses, anywhere: TaskStatus::WORDS };
    unknown_tokens(template, &tasks, &known, found);
    // Where no other verdict is taught at all, that is said instead.
    if reviews.iter().any(Shown::is_worse_than_pass) {
        lone_passes_of(template, &reviews, found);
    }
    if !template.linked.complete {
        return;
    }
    for verdict in verdicts.iter().filter(|word| !reviews.iter().any(|review| review.teaches(word)))
    {
        found.push(untaught(template, name, &format!("<review>{verdict}</review>")));
    }
    for status in statuses.iter().filter(|word| !tasks.iter().any(|task| task.teaches(word))) {
        found.push(untaught(
            template,
            name,
            &format!("<task_status id=\"X.Y\">{status}</task_status>"),
        ));
    }
    if !template.text.contains(THOUGHT_TAG) {
        found.push(untaught(template, name, THOUGHT_TAG));
    }
    blocked(template, name, found);
}

/// Reports a prompt that does not show how an agent asks a person.
pub(super) fn blocked(template: &Template<'_>, name: &str, found: &mut Vec<Diagnostic>) {
    let is_shown = |marker: &Shown<'_>| !marker.token.is_empty();
    if template.linked.complete && !shown(template.text, "blocked", "").iter().any(is_shown) {
        found.push(untaught(template, name, BLOCKED_MARKER));
    }
}

fn untaught(template: &Template<'_>, name: &str, marker: &str) -> Diagnostic {
    let message = format!("the marker `{marker}`, which {name} uses, is not explained");
    Diagnostic::new(Code::UntaughtMarker, template.whole(), message)
        .help("show the complete marker and say when to use it")
}

/// The tokens that a marker may hold.
struct Known<'k> {
    name: &'k str,
    what: &'k str,
    here: &'k [&'k str],
    anywhere: &'k [&'k str],
}

fn unknown_tokens(
    template: &Template<'_>,
    shown: &[Shown<'_>],
    known: &Known<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let Known { name, what, here, anywhere } = known;
    for marker in shown.iter().filter(|marker| !here.contains(&marker.token)) {
        let token = quoted(marker.token);
        let message = if anywhere.contains(&marker.token) {
            format!("{name} does not know the {what} {token}")
        } else {
            format!("there is no {what} {token}")
        };
        let diagnostic =
            Diagnostic::new(Code::UnknownVerdict, template.place(marker.span), message);
        found.push(match (nearest(marker.token, here.iter().copied()), here) {
            (Some(near), _) => diagnostic.help(format!("did you mean `{near}`?")),
            (None, []) => diagnostic.help(format!("{name} expects no {what}: remove the marker")),
            (None, here) => diagnostic
                .help(format!("{name} knows {}; show each in its own marker", here.join(", "))),
        });
    }
}

/// Reports lines that show PASS and no other verdict.
pub(super) fn lone_passes(template: &Template<'_>, found: &mut Vec<Diagnostic>) {
    lone_passes_of(template, &shown(template.text, "review", ""), found);
}

/// An agent that echoes its instructions must not pass by accident: of several verdicts the worst counts,
/// so every line that shows PASS shows another one too.
fn lone_passes_of(template: &Template<'_>, reviews: &[Shown<'_>], found: &mut Vec<Diagnostic>) {
    let line =
        |span: Span| template.text[..span.start].bytes().filter(|byte| *byte == b'\n').count();
    let others = reviews.iter().filter(|review| review.is_worse_than_pass());
    let others: Vec<_> = others.map(|other| line(other.span)).collect();
    for pass in reviews.iter().filter(|review| review.token == Verdict::Pass.word()) {
        if !others.contains(&line(pass.span)) {
            found.push(
                Diagnostic::new(
                    Code::LonePass,
                    template.place(pass.span),
                    "this line shows `<review>PASS</review>` but no other verdict",
                )
                .help("name the other verdicts on the same line, so that an agent that repeats the line fails safely"),
            );
        }
    }
}

/// Finds the markers of one tag: an opening tag with its attribute, a token, the closing tag.
fn shown<'t>(text: &'t str, tag: &str, attribute: &str) -> Vec<Shown<'t>> {
    let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
    let mut shown = Vec::new();
    for (start, _) in text.match_indices(&open) {
        let Some(attributes) = text[start + open.len()..].find(['>', '<', '\n']) else {
            continue;
        };
        let inner = start + open.len() + attributes;
        let is_tag = text[inner..].starts_with('>')
            && (attributes == 0) == attribute.is_empty()
            && text[start + open.len()..].starts_with(attribute);
        let Some(length) = text[inner..].find('<').filter(|_| is_tag) else {
            continue;
        };
        if text[inner + length..].starts_with(&close) {
            let token = text[inner + 1..inner + length].trim();
            shown.push(Shown { token, span: Span::new(start, inner + length + close.len()) });
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn markers_are_read_with_attributes_and_line_breaks() {
        let text = "<review>PASS</review> `<review>` <review>\nNEEDS_CHANGES\n</review> <reviewer>x</reviewer>";
        assert_eq!(
            shown(text, "review", "").iter().map(|m| m.token).collect::<Vec<_>>(),
            ["PASS", "NEEDS_CHANGES"]
        );
        let text = "<task_status>FAILED</task_status> <task_status id=\"1.1\">FAILED</task_status> <task_status id=\"1.2\">";
        assert_eq!(
            shown(text, "task_status", " id=").iter().map(|m| m.token).collect::<Vec<_>>(),
            ["FAILED"]
        );
    }
}
