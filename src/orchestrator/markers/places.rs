//! Finds out of places in Markdown whether they are code, quoted, or not shown at all, by one pass of pulldown-cmark.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::html::Html;
use crate::models::marker::Reason;

/// No longer text is parsed: a parse takes several times the memory of the text.
const LARGEST: usize = 16 << 20;

/// Returns for each place, in order, why a marker there is not the answer's own text; none where it is.
pub(super) fn places(text: &str, at: &[usize]) -> Vec<Option<Reason>> {
    let mut walk = Walk { at, found: Vec::with_capacity(at.len()) };
    if at.is_empty() {
        return walk.found;
    }
    if text.len() > LARGEST {
        return vec![Some(Reason::TooLong); at.len()];
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
            Event::Start(Tag::HtmlBlock) => html.begin(),
            Event::End(TagEnd::HtmlBlock) => html.end(),
            Event::Code(_) => walk.found_in(range, Some(Reason::InlineCode)),
            Event::Html(_) => {
                for line in lines(text, range) {
                    let place = html.fence(&text[line.clone()]).or(place);
                    html.tags(text, line, |range, is_in_tag| {
                        walk.found_in(
                            range,
                            if is_in_tag { Some(Reason::Invisible) } else { place },
                        );
                    });
                }
            }
            Event::InlineHtml(_) => {
                // Only the tag itself is a tag; what stands in its attributes is not shown.
                walk.found_in(range.start..range.start + 1, place);
                html.look(&text[range.clone()]);
                walk.found_in(range, Some(Reason::Invisible));
            }
            Event::Text(_) => walk.found_in(range, place),
            _ => {}
        }
        if walk.found.len() == at.len() {
            break;
        }
    }
    walk.found.resize(at.len(), Some(Reason::Invisible));
    walk.found
}

struct Walk<'a> {
    at: &'a [usize],
    found: Vec<Option<Reason>>,
}

impl Walk<'_> {
    /// Takes down what holds for the places in a range; those before it, which no range holds, are not shown.
    fn found_in(&mut self, range: Range<usize>, reason: Option<Reason>) {
        while let Some(at) = self.at.get(self.found.len()).filter(|at| **at < range.end) {
            self.found.push(if *at < range.start { Some(Reason::Invisible) } else { reason });
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
