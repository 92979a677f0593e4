//! Finds out of places in Markdown whether they are code, quoted, or not shown at all, by one pass of pulldown-cmark.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::html::Html;
use crate::models::marker::Reason;

/// Text of this length is not parsed: a parse takes several times the memory of the text.
const LARGEST: usize = 16 << 20;

/// What Markdown says of a place.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Why a marker here is not the answer's own text; none where it is.
    pub(super) reason: Option<Reason>,
    /// A tick before it in the same block has no partner yet: with one behind it, this would be code.
    pub(super) is_after_tick: bool,
    /// Where the raw HTML ends that was read last: a tag with its end behind this is text, or is left open by its block.
    pub(super) html_end: usize,
}

/// Returns what Markdown says of each place, in order.
pub(super) fn places(text: &str, at: &[usize]) -> Vec<Place> {
    let mut walk = Walk { at, found: Vec::with_capacity(at.len()), has_tick: false, html_end: 0 };
    if at.is_empty() {
        return walk.found;
    }
    if text.len() >= LARGEST {
        let place = Place { reason: Some(Reason::TooLong), is_after_tick: false, html_end: 0 };
        return vec![place; at.len()];
    }
    let (mut quotations, mut images) = (0_usize, 0_usize);
    let mut html = Html::default();
    for (event, range) in Parser::new(text).into_offset_iter() {
        let place = html
            .is_hiding
            .then_some(Reason::Element)
            .or((images > 0).then_some(Reason::Invisible))
            .or((quotations > 0).then_some(Reason::Quotation));
        match event {
            Event::Start(Tag::CodeBlock(_)) => walk.found_in(range, Some(Reason::CodeBlock)),
            Event::Start(Tag::BlockQuote(_)) => quotations += 1,
            Event::End(TagEnd::BlockQuote(_)) => quotations = quotations.saturating_sub(1),
            // What stands for an image is not the answer's text.
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images = images.saturating_sub(1),
            Event::Start(Tag::HtmlBlock) => walk.html_end = range.end,
            Event::End(TagEnd::HtmlBlock) => html.end(),
            Event::Code(_) => walk.found_in(range, Some(Reason::InlineCode)),
            Event::Html(_) => {
                for line in lines(text, range) {
                    let place = html.fence(&text[line.clone()]).or(place);
                    html.values(text, line, |range, is_value| {
                        let reason = if is_value { Some(Reason::Invisible) } else { place };
                        walk.found_in(range, reason);
                    });
                }
            }
            Event::InlineHtml(_) => {
                walk.html_end = range.end;
                // Only the tag itself is a tag; what stands in its attributes is not shown.
                walk.found_in(range.start..range.start + 1, place);
                html.look(&text[range.clone()]);
                walk.found_in(range, Some(Reason::Invisible));
            }
            Event::Text(_) => {
                // One that has no partner is a text of its own.
                walk.has_tick |= text[range.clone()].starts_with('`');
                walk.found_in(range, place);
            }
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Item)
            | Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item) => {
                walk.has_tick = false;
            }
            _ => {}
        }
        if walk.found.len() == at.len() {
            break;
        }
    }
    walk.found_in(text.len()..text.len(), None);
    walk.found
}

struct Walk<'a> {
    at: &'a [usize],
    found: Vec<Place>,
    /// A tick of the block has no partner.
    has_tick: bool,
    html_end: usize,
}

impl Walk<'_> {
    /// Takes down what holds for the places in a range; those before it, which no range holds, are not shown.
    fn found_in(&mut self, range: Range<usize>, reason: Option<Reason>) {
        while let Some(at) = self.at.get(self.found.len()).filter(|at| **at < range.end) {
            let reason = if *at < range.start { Some(Reason::Invisible) } else { reason };
            let (is_after_tick, html_end) = (self.has_tick, self.html_end);
            self.found.push(Place { reason, is_after_tick, html_end });
        }
    }
}

/// Returns the lines of a range, each with its end.
fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    text[range].split_inclusive('\n').map(move |line| {
        let from = start;
        start += line.len();
        from..start
    })
}
