//! The response markers that a template teaches: all of its phase's, no others, and no PASS on its own.

use super::super::code::Code;
use super::super::contract::THOUGHT_TAG;
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
    /// Says whether the marker teaches `word`, or was clearly meant to.
    fn teaches(&self, word: &str) -> bool {
        self.token.split('|').any(|part| nearest(part.trim(), [word]).is_some())
    }
}

pub(super) fn check(template: &Template<'_>, found: &mut Vec<Diagnostic>) {
    let verdicts: Vec<&str> = template.phase().verdicts().iter().map(|v| v.word()).collect();
    let statuses: Vec<&str> = template.phase().task_statuses().iter().map(|s| s.word()).collect();
    let reviews = shown(template.text, "review", "");
    let tasks = shown(template.text, "task_status", " id=");
    unknown_tokens(template, &reviews, &verdicts, "verdict", Verdict::WORDS, found);
    unknown_tokens(template, &tasks, &statuses, "task status", TaskStatus::WORDS, found);
    lone_passes(template, &reviews, found);
    if !template.unit.linked.complete {
        return;
    }
    for verdict in verdicts.iter().filter(|word| !reviews.iter().any(|review| review.teaches(word)))
    {
        found.push(untaught(template, &format!("<review>{verdict}</review>")));
    }
    for status in statuses.iter().filter(|word| !tasks.iter().any(|task| task.teaches(word))) {
        found.push(untaught(template, &format!("<task_status id=\"X.Y\">{status}</task_status>")));
    }
    if !template.text.contains(THOUGHT_TAG) {
        found.push(untaught(template, THOUGHT_TAG));
    }
}

fn untaught(template: &Template<'_>, marker: &str) -> Diagnostic {
    let phase = template.phase();
    let message = format!("the marker `{marker}`, which phase `{phase}` uses, is not taught");
    Diagnostic::new(Code::UntaughtMarker, template.whole(), message)
        .help("show the marker in full and say when it is used")
}

fn unknown_tokens(
    template: &Template<'_>,
    shown: &[Shown<'_>],
    known: &[&str],
    what: &str,
    anywhere: &[&'static str],
    found: &mut Vec<Diagnostic>,
) {
    let phase = template.phase();
    for marker in shown.iter().filter(|marker| !known.contains(&marker.token)) {
        let token = quoted(marker.token);
        let message = if anywhere.contains(&marker.token) {
            format!("phase `{phase}` does not know the {what} {token}")
        } else {
            format!("there is no {what} {token}")
        };
        let diagnostic =
            Diagnostic::new(Code::UnknownVerdict, template.place(marker.span), message);
        found.push(match (nearest(marker.token, known.iter().copied()), known) {
            (Some(near), _) => diagnostic.help(format!("did you mean `{near}`?")),
            (None, []) => {
                diagnostic.help(format!("phase `{phase}` asks for no {what}: remove the marker"))
            }
            (None, known) => diagnostic.help(format!(
                "phase `{phase}` knows {}; show each in a marker of its own",
                known.join(", ")
            )),
        });
    }
}

/// An agent that echoes its instructions must not pass by accident: of several verdicts the worst counts,
/// so every line that shows PASS shows another one too. Where no other is taught at all, that is said instead.
fn lone_passes(template: &Template<'_>, reviews: &[Shown<'_>], found: &mut Vec<Diagnostic>) {
    let line =
        |span: Span| template.text[..span.start].bytes().filter(|byte| *byte == b'\n').count();
    let is_pass = |review: &&Shown<'_>| review.token == Verdict::Pass.word();
    let is_other = |review: &&Shown<'_>| Verdict::from_word(review.token) > Some(Verdict::Pass);
    let others: Vec<_> = reviews.iter().filter(is_other).map(|other| line(other.span)).collect();
    for pass in reviews.iter().filter(is_pass) {
        if !others.is_empty() && !others.contains(&line(pass.span)) {
            found.push(
                Diagnostic::new(
                    Code::LonePass,
                    template.place(pass.span),
                    "this line shows `<review>PASS</review>` and no other verdict",
                )
                .help("name the other verdicts on the same line, so that an agent which echoes the line fails safe"),
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
