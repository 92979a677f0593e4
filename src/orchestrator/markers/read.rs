//! Reads an answer: takes its thoughts out, asks Markdown where the tags stand, and judges each marker.

use std::ops::Range;

use super::blocked;
use super::line;
use super::scene::{Scene, is_code};
use super::tags::{self, Form, Kind, Name, Tag};
use super::view;
use super::words;
use super::{Answer, Seen, Subject};
use crate::models::marker::{Marker, Reason};
use crate::template::{TaskStatus, Verdict};

/// A marker that is shown in a message is cut after this many bytes.
const LONGEST_SHOWN: usize = 160;

/// Reads a whole answer, in linear time.
pub(super) fn read(text: &str) -> Answer<'_> {
    let mut answer = Answer { text, markers: Vec::new(), seen: Vec::new(), thoughts: Vec::new() };
    let normal = view::with_line_feeds(text);
    let tags = tags::find(&normal);
    let matters = |tag: &Tag| match tag.name {
        Name::Review | Name::TaskStatus | Name::Blocked | Name::Thought => true,
        Name::Element(_) | Name::Comment => false,
    };
    if !tags.iter().any(matters) && words::labelled(&normal).is_empty() {
        return answer;
    }
    let scene = Scene::new(&normal, &tags);
    let inside = |at: usize| {
        let before = scene.view.cuts.partition_point(|cut| cut.thought.start <= at);
        before.checked_sub(1).is_some_and(|last| at < scene.view.cuts[last].thought.end)
    };
    // One that is never closed holds all that follows.
    let open = scene.open_thought.map(|open| scene.view.original(open)..normal.len());
    let first = open.as_ref().map_or(normal.len(), |open| open.start);
    let closed = scene.view.cuts.iter().map(|cut| cut.thought.clone());
    for span in closed.filter(|thought| thought.start <= first).chain(open) {
        answer.markers.push(thought(&normal, span.clone()));
        answer.thoughts.push(span);
    }
    for tag in tags.iter().filter(|tag| tag.kind != Kind::Close && inside(tag.at)) {
        if let Some(subject) = subject(tag, &normal) {
            let span = tag.at..shown_end(&normal, tag.at, marker_end(&normal, tag));
            let reason = Some(Reason::Thought);
            answer.seen.push(Seen { span, subject, reason, contradicts: false });
        }
    }
    Judge::new(&scene, &mut answer).judge();
    answer.markers.sort_by_key(Marker::at);
    answer.seen.sort_by_key(|seen| seen.span.start);
    answer
}

/// Judges the markers from left to right.
struct Judge<'s, 'a, 't> {
    scene: &'s Scene<'s>,
    answer: &'a mut Answer<'t>,
    /// The line that was looked at last, and what it holds.
    line: Range<usize>,
    is_pass_alone: bool,
    is_completed_alone: bool,
}

impl<'s, 'a, 't> Judge<'s, 'a, 't> {
    fn new(scene: &'s Scene<'s>, answer: &'a mut Answer<'t>) -> Self {
        Self { scene, answer, line: 0..0, is_pass_alone: false, is_completed_alone: false }
    }

    fn judge(&mut self) {
        for word in &self.scene.words {
            self.see(word.clone(), Subject::Word, Some(Reason::BesideMarker), true);
        }
        // A question for a person leaves the pairs of other tags as they are.
        let tags = self.scene.tags.iter();
        let mut tags = tags.filter(|(tag, _)| tag.name != Name::Blocked).peekable();
        while let Some((tag, place)) = tags.next() {
            let close = tags.next_if(|(close, _)| {
                // One that is disguised may stand within the tag itself.
                let is_behind = close.at >= tag.end;
                let is_pair = close.kind == Kind::Close && close.name == tag.name;
                tag.kind == Kind::Open && is_pair && is_behind
            });
            let close = close.map(|(close, _)| close);
            match tag.name {
                Name::Review => self.review(tag, close, *place),
                Name::TaskStatus => self.task(tag, close, *place),
                Name::Blocked | Name::Thought | Name::Element(_) | Name::Comment => {}
            }
        }
        for question in blocked::questions(self.scene) {
            let at = question.span.start;
            if let Some(reason) = question.reason {
                self.counts(Marker::Blocked { reason, at });
            }
            self.see(question.span, Subject::Blocked, question.ignored, false);
        }
    }

    /// Returns why a marker is not the answer's own statement; none where it is.
    fn hidden(&self, at: usize, place: Option<Reason>) -> Option<Reason> {
        place.or_else(|| self.scene.doubt(at))
    }

    fn review(&mut self, tag: &Tag, close: Option<&Tag>, place: Option<Reason>) {
        let text = &*self.scene.view.text;
        let is_mention = place == Some(Reason::InlineCode) && self.is_mention(tag);
        let end = match close {
            Some(close) => close.end,
            None if is_mention => tag.end,
            None => tag.end + said_on_line(text, tag).len(),
        };
        let inner = close.map(|close| &text[tag.end..close.at]);
        let is_exact = close.is_some_and(|close| close.form == Form::Exact)
            && tag.form == Form::Exact
            && tag.kind == Kind::Open;
        let (reason, contradicts) = match (inner.filter(|_| is_exact), inner) {
            (Some(word), _) => match Verdict::from_word(word.trim()) {
                Some(Verdict::Pass) => {
                    let reason = self
                        .hidden(tag.at, place)
                        .or(word.contains('\n').then_some(Reason::SeveralLines))
                        .or((!self.line_of(tag.at).is_pass_alone).then_some(Reason::BesideText));
                    if reason.is_none() {
                        self.counts(Marker::Review { verdict: Verdict::Pass, at: tag.at });
                    }
                    (reason, false)
                }
                Some(verdict) => {
                    let is_open = self.scene.open_thought.is_some_and(|open| open <= tag.at);
                    let thought = is_open.then_some(Reason::OpenThought);
                    let reason = place.filter(|place| is_code(*place)).or(thought);
                    if reason.is_none() {
                        self.counts(Marker::Review { verdict, at: tag.at });
                    }
                    (reason, reason.is_some())
                }
                None => (place.filter(|place| is_code(*place)).or(Some(Reason::UnknownWord)), true),
            },
            // However it is spelled, a second PASS is no contradiction, and no pass either.
            (None, Some(word)) if says_pass(word) => (Some(Reason::Malformed), false),
            (None, _) => {
                let reason = place.filter(|_| is_mention).or(Some(Reason::Malformed));
                (reason, !is_mention)
            }
        };
        self.see(tag.at..end, Subject::Review, reason, contradicts);
    }

    /// Returns whether inline code holds nothing but the tag, and no verdict follows: then it is the tag that is spoken of.
    fn is_mention(&self, tag: &Tag) -> bool {
        let text = &*self.scene.view.text;
        let before = text[..tag.at].trim_end_matches(' ');
        let after = text[tag.end..].trim_start_matches(' ');
        if !before.ends_with('`') || !after.starts_with('`') {
            return false;
        }
        let window = &after[..after.floor_char_boundary(LONGEST_SHOWN.min(after.len()))];
        let word = window.trim_start_matches(|c: char| !c.is_alphanumeric());
        let is_verdict = |verdict: &str| {
            word.get(..verdict.len()).is_some_and(|start| start.eq_ignore_ascii_case(verdict))
        };
        let words = ["pass", "need", "major", "reject", "fail", "not", "no"];
        !word.starts_with(char::is_uppercase) && !words.into_iter().any(is_verdict)
    }

    fn task(&mut self, tag: &Tag, close: Option<&Tag>, place: Option<Reason>) {
        let text = &*self.scene.view.text;
        let end = close.map_or_else(|| tag.end + said_on_line(text, tag).len(), |close| close.end);
        let id = tags::id(&text[tag.at..tag.end]);
        let subject = Subject::Task(id.map(str::to_owned));
        let is_plain = id.is_some_and(|id| {
            ['"', '\'']
                .iter()
                .any(|q| text[tag.at..tag.end] == format!("<task_status id={q}{id}{q}>"))
        });
        let is_exact = is_plain && close.is_some_and(|close| close.form == Form::Exact);
        let content =
            close.map_or_else(|| said_on_line(text, tag), |close| &text[tag.end..close.at]);
        let words = content.split(|c: char| !c.is_alphanumeric() && c != '_');
        let fails = words.into_iter().any(|word| word.eq_ignore_ascii_case("FAILED"));
        let reason = match (id, fails) {
            (Some(id), true) => {
                let (id, status) = (id.to_owned(), TaskStatus::Failed);
                self.counts(Marker::Task { id, status, at: tag.at });
                None
            }
            (Some(id), false) if is_exact && content.trim() == "COMPLETED" => {
                let reason = self
                    .hidden(tag.at, place)
                    .or(content.contains('\n').then_some(Reason::SeveralLines))
                    .or((!self.line_of(tag.at).is_completed_alone).then_some(Reason::BesideText));
                if reason.is_none() {
                    let (id, status) = (id.to_owned(), TaskStatus::Completed);
                    self.counts(Marker::Task { id, status, at: tag.at });
                }
                reason
            }
            (Some(_), false) if is_exact => {
                place.filter(|place| is_code(*place)).or(Some(Reason::UnknownWord))
            }
            (None, true) => Some(Reason::Malformed),
            (_, false) => place.filter(|place| is_code(*place)).or(Some(Reason::Malformed)),
        };
        self.see(tag.at..end, subject, reason, false);
    }

    /// Looks at the line of a place, unless it is the one that was looked at last.
    fn line_of(&mut self, at: usize) -> &Self {
        if !self.line.contains(&at) {
            let view = &self.scene.view;
            self.line = view.line(at);
            let line = view.plain(self.line.clone());
            self.is_pass_alone = line::is_pass_alone(&line);
            self.is_completed_alone = line::is_completed_alone(&line);
        }
        self
    }

    fn counts(&mut self, marker: Marker) {
        let original = |at| self.scene.view.original(at);
        self.answer.markers.push(match marker {
            Marker::Review { verdict, at } => Marker::Review { verdict, at: original(at) },
            Marker::Task { id, status, at } => Marker::Task { id, status, at: original(at) },
            Marker::Blocked { reason, at } => Marker::Blocked { reason, at: original(at) },
            Marker::Thought { text, at } => Marker::Thought { text, at: original(at) },
        });
    }

    fn see(
        &mut self,
        span: Range<usize>,
        subject: Subject,
        reason: Option<Reason>,
        contradicts: bool,
    ) {
        let start = self.scene.view.original(span.start);
        let end = self.scene.view.original(span.end.saturating_sub(1)) + 1;
        let span = start..shown_end(self.answer.text, start, end);
        self.answer.seen.push(Seen { span, subject, reason, contradicts });
    }
}

/// Returns what follows a tag that is not closed: it speaks up to the next tag or the end of its line.
fn said_on_line<'v>(text: &'v str, tag: &Tag) -> &'v str {
    text[tag.end..].split(['\n', '<']).next().unwrap_or_default().trim_end()
}

/// Returns whether a marker that is spelled differently says PASS and nothing else.
fn says_pass(word: &str) -> bool {
    word.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case("PASS")
}

fn thought(text: &str, span: Range<usize>) -> Marker {
    let whole = &text[span.clone()];
    let inner = whole.split_once('>').map_or("", |(_, inner)| inner);
    let is_closed = inner.ends_with('>');
    let inner = inner.rsplit_once('<').filter(|_| is_closed).map_or(inner, |(inner, _)| inner);
    Marker::Thought { text: inner.trim().to_owned(), at: span.start }
}

fn subject(tag: &Tag, text: &str) -> Option<Subject> {
    match tag.name {
        Name::Review => Some(Subject::Review),
        Name::TaskStatus => {
            Some(Subject::Task(tags::id(&text[tag.at..tag.end]).map(str::to_owned)))
        }
        Name::Blocked => Some(Subject::Blocked),
        Name::Thought | Name::Element(_) | Name::Comment => None,
    }
}

/// Finds the end of a marker in a thought, to show it.
fn marker_end(text: &str, tag: &Tag) -> usize {
    let window = text.floor_char_boundary((tag.end + LONGEST_SHOWN).min(text.len()));
    let close = text[tag.end..window].find("</");
    let end = close.and_then(|close| {
        text[tag.end + close..window].find('>').map(|end| tag.end + close + end + 1)
    });
    end.unwrap_or(tag.end)
}

/// Cuts what is shown of a marker.
fn shown_end(text: &str, start: usize, end: usize) -> usize {
    text.floor_char_boundary(end.min(start + LONGEST_SHOWN)).max(start)
}
