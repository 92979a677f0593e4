//! Finds the questions for a person, `<blocked>reason</blocked>`, in whatever form they are written: only a closed
//! thought, or inline code that holds the bare tag and nothing else, does not ask.

use std::ops::Range;

use super::Answer;
use super::scene::Scene;
use super::tags::{self, Kind, Name, Tag};
use crate::models::marker::{LONGEST_REASON, Marker, NO_REASON, Reason};

/// A question for a person, or the mention of one.
pub(super) struct Question {
    /// Where it stands, in the view.
    pub(super) span: Range<usize>,
    /// What the person must settle, on one line; none where the tag is only spoken of.
    pub(super) reason: Option<String>,
    /// Why it does not count.
    pub(super) ignored: Option<Reason>,
}

impl Answer<'_> {
    /// Returns what the agent needs from a person before it can go on; none where it is not blocked.
    ///
    /// It beats every verdict. Several reasons become one, of at most [`LONGEST_REASON`] characters.
    ///
    /// ```
    /// use agentd::orchestrator::markers::Answer;
    ///
    /// let answer = Answer::read("<blocked>Which port?</blocked>\n\n<review>PASS</review>");
    /// assert_eq!(answer.blocked().as_deref(), Some("Which port?"));
    /// assert_eq!(Answer::read("<review>PASS</review>").blocked(), None);
    /// ```
    pub fn blocked(&self) -> Option<String> {
        let reasons = self.markers.iter().filter_map(|marker| match marker {
            Marker::Blocked { reason, .. } => Some(reason.as_str()),
            Marker::Review { .. } | Marker::Task { .. } | Marker::Thought { .. } => None,
        });
        let mut said: Option<Vec<&str>> = None;
        for reason in reasons {
            let said = said.get_or_insert_default();
            if !reason.is_empty() && said.last() != Some(&reason) {
                said.push(reason);
            }
        }
        let words = said?.into_iter().flat_map(str::split_whitespace);
        Some(on_one_line(words))
            .map(|said| if said.is_empty() { NO_REASON.to_owned() } else { said })
    }
}

/// Lists the questions of an answer, in order.
pub(super) fn questions(scene: &Scene<'_>) -> Vec<Question> {
    let mut questions = Vec::new();
    let mut asked = Vec::new();
    for (number, (tag, place)) in scene.tags.iter().enumerate() {
        if tag.name != Name::Blocked {
            continue;
        }
        if *place == Some(Reason::InlineCode) && is_mention(&scene.view.text, tag) {
            let (span, ignored) = (tag.at..tag.end, Some(Reason::InlineCode));
            questions.push(Question { span, reason: None, ignored });
        } else {
            asked.push((number, tag));
        }
    }
    let mut asked = asked.into_iter().peekable();
    while let Some((number, tag)) = asked.next() {
        let is_end = |close: &Tag| close.kind == Kind::Close && close.at >= tag.end;
        let close = asked.next_if(|(_, close)| tag.kind == Kind::Open && is_end(close));
        let (span, said) = match (close, tag.kind) {
            (Some((_, close)), _) => {
                let said = scene.view.plain(tag.end..close.at);
                (tag.at..close.end, with_attributes(&scene.view.text, tag, said))
            }
            (None, Kind::Open | Kind::Empty) => {
                let said = said_behind(scene, number, tag);
                let text = bare(&scene.view.plain(said.clone())).to_owned();
                (tag.at..said.end, with_attributes(&scene.view.text, tag, text))
            }
            (None, Kind::Close) => {
                let said = said_before(scene, number, tag);
                (tag.at..tag.end, bare(&scene.view.plain(said)).to_owned())
            }
        };
        let reason = Some(on_one_line(said.split_whitespace()));
        questions.push(Question { span, reason, ignored: None });
    }
    questions.sort_by_key(|question| question.span.start);
    questions
}

/// Returns whether inline code holds the bare tag alone and nothing is asked behind it: then the tag is spoken of, as in
/// "no `<blocked>` was needed".
fn is_mention(text: &str, tag: &Tag) -> bool {
    if !text[..tag.at].ends_with('`') || !tags::attributes(text, tag).is_empty() {
        return false;
    }
    let Some(behind) = text[tag.end..].strip_prefix('`') else { return false };
    let behind = behind.trim_start_matches('`');
    let mut signs = behind.chars();
    match signs.next() {
        None | Some('\n' | '.' | ',' | ';' | ')' | '?' | '!' | '\'' | '"') => true,
        Some(' ') => signs.next().is_some_and(char::is_lowercase),
        Some(_) => false,
    }
}

/// Returns what is said behind a tag that is not closed: the rest of its line, or the next line that says something.
fn said_behind(scene: &Scene<'_>, number: usize, tag: &Tag) -> Range<usize> {
    let text = &*scene.view.text;
    let next =
        scene.tags[number + 1..].iter().find(|(next, _)| next.name.speaks() && next.at >= tag.end);
    let limit = next.map_or(text.len(), |(next, _)| next.at);
    let said = &text[tag.end..limit];
    let start = said.len() - said.trim_start().len();
    let end = said[start..].find('\n').map_or(said.len(), |end| start + end);
    tag.end..tag.end + end
}

/// Returns what stands on the line of a closing tag that was never opened.
fn said_before(scene: &Scene<'_>, number: usize, tag: &Tag) -> Range<usize> {
    let earlier = scene.tags[..number].iter().rev().find(|(earlier, _)| earlier.name.speaks());
    let limit = earlier.map_or(0, |(earlier, _)| earlier.end.min(tag.at));
    let before = &scene.view.text.as_bytes()[limit..tag.at];
    let start = memchr::memrchr(b'\n', before).map_or(limit, |at| limit + at + 1);
    start..tag.at
}

/// Removes the signs of code, emphasis and a comment from what stands on a line.
fn bare(said: &str) -> &str {
    let is_sign = |c: char| c.is_whitespace() || matches!(c, '`' | '*');
    let said = said.trim_matches(is_sign);
    said.strip_suffix("-->").unwrap_or(said).trim_end_matches(is_sign)
}

/// Adds what stands in the tag itself, where that is the reason or a part of it.
fn with_attributes(text: &str, tag: &Tag, said: String) -> String {
    let attributes = tags::attributes(text, tag);
    if attributes.is_empty() || (attributes.contains('=') && !said.trim().is_empty()) {
        return said;
    }
    format!("{attributes} {said}")
}

/// Joins words, up to the longest reason.
fn on_one_line<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let (mut line, mut length) = (String::new(), 0);
    for word in words {
        if !line.is_empty() {
            line.push(' ');
            length += 1;
        }
        for sign in word.chars() {
            if length >= LONGEST_REASON {
                return line.trim_end().to_owned();
            }
            line.push(sign);
            length += 1;
        }
    }
    line
}
