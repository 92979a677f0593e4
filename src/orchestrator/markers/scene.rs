//! An answer without its thoughts, with everything in it that matters to a verdict and where that stands.

use std::ops::Range;

use super::around::Around;
use super::places::{Place, places};
use super::tags::{self, Kind, Name, Tag};
use super::view::{self, Ticked, View};
use super::words;
use crate::models::marker::Reason;

/// The text without its closed thoughts, its tags, and where they stand.
pub(super) struct Scene<'t> {
    pub(super) view: View<'t>,
    /// The tags, each with why it is not the answer's own statement; none where it is.
    pub(super) tags: Vec<(Tag, Option<Reason>)>,
    /// Verdicts outside code that are named without a marker.
    pub(super) words: Vec<Range<usize>>,
    /// Those of the closed thoughts that are thoughts, in the answer; the tags of the others are text.
    thoughts: Vec<Range<usize>>,
    /// Where a thought begins that is never closed.
    pub(super) open_thought: Option<usize>,
    /// Where the last thought ends that never began.
    stray_end: usize,
    /// A closed thought was put back, and a tag of it is not in code; or where one ends is open to doubt.
    has_doubtful_thought: bool,
    /// A fence follows a thought on its line: whether it opens code is open to doubt.
    has_doubtful_fence: bool,
}

/// What the places of a text are asked for.
enum Thing {
    Tag(Tag),
    Thought(Range<usize>),
    Word(usize),
}

impl<'t> Scene<'t> {
    /// Takes the thoughts out and looks at what is left.
    ///
    /// A fence in a thought opens no code, and a thought in code is none. Which of the two came first, Markdown can tell
    /// only of a text without thoughts, and it reads a text as a whole: an exact answer would take a parse for each
    /// thought. So all of them are taken out, and those whose sign then stands in code are put back, for a second parse.
    /// If that leaves another in code, nothing passes.
    pub(super) fn new(text: &'t str, tags: &[Tag]) -> Self {
        let closed = view::closed_thoughts(text, tags, Ticked::Mention);
        let mut scene = Self::without(text, tags, &closed, closed.clone());
        if scene.thoughts.len() < closed.len() {
            scene = Self::without(text, tags, &closed, scene.thoughts);
        }
        scene.has_doubtful_thought |= has_doubtful_end(text, tags, &closed);
        scene
    }

    fn without(
        text: &'t str,
        all: &[Tag],
        closed: &[Range<usize>],
        thoughts: Vec<Range<usize>>,
    ) -> Self {
        let view = View::without(text, thoughts);
        let tags = tags::find(&view.text).into_iter().map(|tag| (tag.at, Thing::Tag(tag)));
        let cuts = view.cuts.iter().map(|cut| (cut.at, Thing::Thought(cut.thought.clone())));
        let words = words::labelled(&view.text).into_iter();
        let words = words.map(|(at, length)| (at, Thing::Word(length)));
        let mut things: Vec<(usize, Thing)> = tags.chain(cuts).chain(words).collect();
        things.sort_unstable_by_key(|(at, _)| *at);
        let at: Vec<usize> = things.iter().map(|(at, _)| *at).collect();
        let found = places(&view.text, &at);
        let mut scene = Self {
            has_doubtful_fence: view.cuts.iter().any(|cut| view.has_fence_behind(cut)),
            view,
            tags: Vec::with_capacity(things.len()),
            words: Vec::new(),
            thoughts: Vec::new(),
            open_thought: None,
            stray_end: 0,
            has_doubtful_thought: false,
        };
        let mut around = Around::new();
        for ((at, thing), place) in things.into_iter().zip(found) {
            let is_code = place.reason.is_some_and(is_code);
            match thing {
                Thing::Tag(tag) => {
                    scene.tags.push((tag, place.reason.or_else(|| around.reason(at))));
                    // A sign that is escaped begins no tag; in raw HTML a backslash escapes nothing.
                    let is_text = tags::is_escaped(&scene.view.text, at)
                        && tag.name != Name::Comment
                        && at >= place.html_end;
                    if !is_code && !is_text {
                        scene.see_thought(&tag, closed);
                        around.pass(&scene.view.text, &tag, place);
                    }
                }
                Thing::Thought(thought) => {
                    let is_text = is_text(&text[thought.clone()], place)
                        || around.is_in_comment(at)
                        || around.ends_within(&thought, all);
                    if !is_text {
                        scene.thoughts.push(thought);
                    }
                }
                Thing::Word(length) if !is_code => scene.words.push(at..at + length),
                Thing::Word(_) => {}
            }
        }
        scene
    }

    /// Takes down a tag of a thought that has no partner, or of one that was put back.
    fn see_thought(&mut self, tag: &Tag, closed: &[Range<usize>]) {
        let at = self.view.original(tag.at);
        let is_put_back = view::is_in(closed, at);
        match (tag.name, tag.kind) {
            (Name::Thought, _) if is_put_back => self.has_doubtful_thought = true,
            (Name::Thought, Kind::Open | Kind::Empty) => {
                self.open_thought = self.open_thought.or(Some(tag.at));
            }
            (Name::Thought, Kind::Close) => self.stray_end = tag.at,
            (
                Name::Review | Name::TaskStatus | Name::Blocked | Name::Element(_) | Name::Comment,
                _,
            ) => {}
        }
    }

    /// Returns why nothing at a place passes, whatever Markdown says of the place itself; none where it may.
    pub(super) fn doubt(&self, at: usize) -> Option<Reason> {
        let in_thought = self.has_doubtful_thought
            || self.thoughts.len() < self.view.cuts.len()
            || at < self.stray_end
            || self.open_thought.is_some_and(|open| open <= at);
        let reason = in_thought.then_some(Reason::OpenThought);
        reason.or(self.has_doubtful_fence.then_some(Reason::CodeBlock))
    }
}

/// Returns whether a marker is in a closed thought only because tags between ticks are taken for mentions, and Markdown
/// does not read one of these as code.
fn has_doubtful_end(text: &str, tags: &[Tag], closed: &[Range<usize>]) -> bool {
    if closed.is_empty() {
        return false;
    }
    let sure = view::closed_thoughts(text, tags, Ticked::Tag);
    let is_doubtful = |tag: &Tag| tag.name.speaks() && !view::is_in(&sure, tag.at);
    let is_mention = |tag: &&Tag| tag.name == Name::Thought && view::is_mention(text, tag);
    closed.iter().any(|thought| {
        let first = tags.partition_point(|tag| tag.at < thought.start);
        let behind = tags.partition_point(|tag| tag.at < thought.end);
        let held = &tags[first..behind];
        let Some(open) = held.first().filter(|_| held.iter().any(is_doubtful)) else {
            return false;
        };
        let mentions = held.iter().filter(is_mention).map(|tag| tag.at - open.end);
        let mentions: Vec<usize> = mentions.collect();
        let found = places(&text[open.end..thought.end], &mentions);
        found.iter().any(|place| place.reason != Some(Reason::InlineCode))
    })
}

/// Returns whether the tags of a closed thought are text: in code, or in what Markdown does not show. A tick before it
/// and a tick in it make code, which is not seen once the thought is taken out.
fn is_text(thought: &str, place: Place) -> bool {
    place.reason.is_some_and(|reason| is_code(reason) || reason == Reason::Invisible)
        || place.is_after_tick && thought.contains('`')
}

/// Returns whether a reason is that of code.
pub(super) const fn is_code(reason: Reason) -> bool {
    matches!(reason, Reason::CodeBlock | Reason::InlineCode)
}
