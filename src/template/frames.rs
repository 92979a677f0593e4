//! The frames of a template: the tags that its own text puts round what is filled in.
//!
//! A line that holds nothing but `<name>` opens a frame, a line that holds nothing but `</name>` closes it. On one
//! line, `<name>` and `</name>` with a marker between them are a frame too. The tags of the protocol are none.

use super::span::Span;
use super::tags::Tags;

/// What a text has in the way of frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frames<'t> {
    /// The names of the frames, sorted.
    pub names: Vec<&'t str>,
    /// What is wrong with them, in order.
    pub faults: Vec<FrameFault<'t>>,
    /// What lies within a frame, its tags included: sorted, and without those that lie within others.
    spans: Vec<Span>,
}

/// A frame that is open at one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameFault<'t> {
    /// Which end.
    pub kind: FrameFaultKind,
    /// The frame.
    pub name: &'t str,
    /// The tag that is there.
    pub span: Span,
}

/// Which end of a frame is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameFaultKind {
    /// It is opened and not closed, or not before one that stands round it.
    Unclosed,
    /// It is closed and was not opened.
    Unopened,
}

/// So many frames within each other are looked at when one is closed.
const DEEPEST: usize = 64;

impl Frames<'_> {
    /// Returns whether a span lies within a frame.
    pub fn enclose(&self, span: Span) -> bool {
        let after = self.spans.partition_point(|frame| frame.start <= span.start);
        after.checked_sub(1).is_some_and(|last| span.end <= self.spans[last].end)
    }
}

/// Finds the frames of a text.
///
/// ```
/// use agentd::template::frames;
///
/// let found = frames("<notes>\n{{TASKS}}\n</notes>\nSee plan_<N>.md and <b>{{SKELETON}}</b>.\n");
/// assert_eq!(found.names, ["b", "notes"]);
/// assert!(found.faults.is_empty());
/// ```
pub fn frames(text: &str) -> Frames<'_> {
    let mut found = Frames::default();
    let mut open: Vec<(&str, Span)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let start = at + (line.len() - line.trim_start().len());
        let span = Span::new(start, start + trimmed.len());
        at += line.len();
        match lone_tag(trimmed) {
            Some(Tag { name, closes: false }) => open.push((name, span)),
            Some(Tag { name, closes: true }) => found.close(name, span, &mut open),
            None => found.within_line(line, at - line.len()),
        }
    }
    for (name, span) in open {
        found.faults.push(fault(FrameFaultKind::Unclosed, name, span));
        found.spans.push(Span::new(span.start, text.len()));
    }
    let names = found.faults.iter().map(|fault| fault.name);
    found.names.extend(names);
    found.names.sort_unstable();
    found.names.dedup();
    found.faults.sort_by_key(|fault| fault.span);
    found.spans.sort_unstable();
    found.spans.dedup_by(|next, last| {
        let overlap = next.start < last.end;
        if overlap {
            last.end = last.end.max(next.end);
        }
        overlap
    });
    found
}

const fn fault(kind: FrameFaultKind, name: &str, span: Span) -> FrameFault<'_> {
    FrameFault { kind, name, span }
}

impl<'t> Frames<'t> {
    fn close(&mut self, name: &'t str, span: Span, open: &mut Vec<(&'t str, Span)>) {
        let near = open.len().saturating_sub(DEEPEST);
        let same = open[near..].iter().rposition(|(opened, _)| *opened == name);
        let Some(place) = same.map(|offset| near + offset) else {
            // Whatever stands before it counts as framed: the tag that is missing is reported, and no more.
            self.faults.push(fault(FrameFaultKind::Unopened, name, span));
            self.spans.push(Span::new(0, span.end));
            return;
        };
        // What was opened since and is still open reaches beyond the frame round it.
        for (name, opened) in open.drain(place + 1..) {
            self.faults.push(fault(FrameFaultKind::Unclosed, name, opened));
            self.spans.push(Span::new(opened.start, span.start));
        }
        if let Some((_, opened)) = open.pop() {
            self.spans.push(Span::new(opened.start, span.end));
            self.names.push(name);
        }
    }

    /// Finds the frames that begin and end on one line, with no other tag between.
    fn within_line(&mut self, line: &'t str, at: usize) {
        let mut tags = line.split('<').scan(0, |place, piece| {
            let start = *place;
            *place += piece.len() + 1;
            Some((start, piece))
        });
        // Each piece but the first follows a `<`, which stands before it.
        let mut opened = None;
        tags.next();
        for (after, piece) in tags {
            let start = after - 1;
            let end = piece.find('>').map(|length| after + length + 1);
            let tag = end.and_then(|end| lone_tag(&line[start..end]));
            if let (Some(Tag { name, closes: true }), Some((open, from)), Some(end)) =
                (&tag, opened, end)
                && open == *name
            {
                self.spans.push(Span::new(at + from, at + end));
                self.names.push(name);
            }
            let content = end.map_or("", |end| &line[end..after + piece.len()]);
            let has_marker = content.contains("{{") || content.contains("[[");
            opened = tag.filter(|tag| !tag.closes && has_marker).map(|tag| (tag.name, start));
        }
    }
}

struct Tag<'t> {
    name: &'t str,
    closes: bool,
}

/// Reads a text that is one tag and nothing else, and none of the protocol's.
fn lone_tag(text: &str) -> Option<Tag<'_>> {
    let inner = text.strip_prefix('<')?.strip_suffix('>')?;
    if inner.contains(['<', '>']) || inner.ends_with('/') {
        return None;
    }
    let (closes, inner) = match inner.strip_prefix('/') {
        Some(inner) => (true, inner),
        None => (false, inner),
    };
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    let length = inner.find(|c| !is_part(c)).unwrap_or(inner.len());
    let (name, attributes) = inner.split_at(length);
    let is_name = name.starts_with(|first: char| first.is_ascii_lowercase())
        && !Tags::PROTOCOL.contains(name);
    let is_tag = attributes.is_empty()
        || (!closes && attributes.starts_with(' ') && attributes.contains('='));
    (is_name && is_tag).then_some(Tag { name, closes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<(FrameFaultKind, &str, &str)> {
        frames(text).faults.iter().map(|f| (f.kind, f.name, f.span.of(text))).collect()
    }

    #[test]
    fn lines_of_tags_are_frames_and_prose_is_not() {
        let text = "<a>\n <b-c kind=\"x\">\nx\n </b-c>\r\n</a>\nWrite <N>, <title> and </title>.\n\
                    <thought>\n<title of it>\n<A>\n<br/>\n";
        assert_eq!(frames(text).names, ["a", "b-c"]);
        assert_eq!(faults(text), []);
    }

    #[test]
    fn what_is_open_at_one_end_is_a_fault() {
        use FrameFaultKind::{Unclosed, Unopened};
        assert_eq!(faults("x\n<a>\ny"), [(Unclosed, "a", "<a>")]);
        assert_eq!(faults("  </a>\n"), [(Unopened, "a", "</a>")]);
        assert_eq!(
            faults("<a>\n<b>\n</a>\n</b>\n"),
            [(Unclosed, "b", "<b>"), (Unopened, "b", "</b>")]
        );
        assert_eq!(frames("<a>\n").names, ["a"], "guarded all the same");
    }

    #[test]
    fn a_frame_encloses_what_stands_in_it() {
        let text = "{{A}}\n<a>\n{{B}}\n<b>\n</b>\n{{C}}\n</a>\n<c>{{D}}</c> {{E}}";
        let found = frames(text);
        let enclosed = |hole: &str| {
            let start = text.find(hole).unwrap_or_default();
            found.enclose(Span::new(start, start + hole.len()))
        };
        assert_eq!(
            ["{{A}}", "{{B}}", "{{C}}", "{{D}}", "{{E}}"].map(enclosed),
            [false, true, true, true, false]
        );
    }
}
