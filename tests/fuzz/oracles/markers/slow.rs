//! Reads an answer as its rules are told, line by line and without any hurry: every question is answered from the start.

use std::ops::Range;

use agentd::models::marker::Reason;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Slow {
    /// Where the markers that count begin, thoughts among them.
    pub(super) counting: Vec<usize>,
    /// Why the others do not.
    pub(super) ignored: Vec<Reason>,
    /// The thoughts.
    pub(super) thoughts: Vec<Range<usize>>,
}

pub(super) fn read(text: &str) -> Slow {
    let mut slow = Slow::default();
    let mut at = 0;
    // What is open when a thought or a comment ends is forgotten.
    let mut from = 0;
    while at < text.len() {
        if !text.is_char_boundary(at) || !text[at..].starts_with('<') {
            at += 1;
            continue;
        }
        let rest = &text[at..];
        let code = code_at(&text[from..], at - from);
        if let Some(Tag { open, close }) = marker_tag(rest) {
            let length = marker_length(rest, open, close);
            match (code, length) {
                (Some(reason), _) => slow.ignored.push(reason),
                (None, None) => slow.ignored.push(Reason::Unclosed),
                (None, Some(_)) => slow.counting.push(at),
            }
            at += length.unwrap_or(open);
        } else if rest.starts_with("<thought>") && code.is_none() {
            let end = rest.find("</thought>").map_or(rest.len(), |end| end + "</thought>".len());
            slow.counting.push(at);
            slow.thoughts.push(at..at + end);
            slow.ignored.extend(markers_within(&rest[..end]).map(|_| Reason::Thought));
            (at, from) = (at + end, at + end);
        } else if rest.starts_with("<!--") && code.is_none() {
            let end = rest.find("-->").map_or(rest.len(), |end| end + "-->".len());
            slow.ignored.extend(markers_within(&rest[..end]).map(|_| Reason::Comment));
            (at, from) = (at + end, at + end);
        } else {
            at += 1;
        }
    }
    slow
}

/// The opening tag of a marker: how long it is, and what closes it.
struct Tag {
    open: usize,
    close: &'static str,
}

fn marker_tag(rest: &str) -> Option<Tag> {
    if rest.starts_with("<review>") {
        return Some(Tag { open: "<review>".len(), close: "</review>" });
    }
    let attributes = rest.strip_prefix("<task_status")?;
    let end = attributes.find(['>', '<', '\n']).filter(|end| *end < 128)?;
    let is_tag = attributes[end..].starts_with('>') && (end == 0 || attributes.starts_with(' '));
    is_tag.then_some(Tag { open: "<task_status".len() + end + 1, close: "</task_status>" })
}

/// Measures a marker to its end, if the closing tag follows a word.
fn marker_length(rest: &str, open: usize, close: &str) -> Option<usize> {
    let word = rest[open..].find('<').filter(|word| *word < 64)?;
    rest[open + word..].starts_with(close).then_some(open + word + close.len())
}

fn markers_within(text: &str) -> impl Iterator<Item = usize> {
    let begins = |at: &usize| text.is_char_boundary(*at) && marker_tag(&text[*at..]).is_some();
    (0..text.len()).filter(begins)
}

/// Says whether a place is code.
fn code_at(text: &str, at: usize) -> Option<Reason> {
    let mut prose_start = 0;
    for block in blocks(text) {
        if block.contains(&at) {
            return Some(Reason::CodeBlock);
        }
        if at < block.start {
            return inline(&text[prose_start..block.start], at - prose_start);
        }
        prose_start = block.end;
    }
    inline(&text[prose_start..], at - prose_start)
}

/// Lists the code blocks, from their first fence to the end of the line of their last.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, char, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end_matches('\n').len();
        let fence = text[start..end].trim_start_matches([' ', '\t', '>']);
        let at = end - fence.len();
        let mark = fence.chars().next().filter(|mark| ['`', '~'].contains(mark));
        let info = mark.map_or("", |mark| fence.trim_start_matches(mark));
        let length = fence.len() - info.len();
        match (open, mark) {
            (None, Some(mark)) if length >= 3 && !(mark == '`' && info.contains('`')) => {
                open = Some((at, mark, length));
            }
            (Some((from, own, least)), Some(mark))
                if mark == own && length >= least && is_blank(info) =>
            {
                blocks.push(from..end);
                open = None;
            }
            (None | Some(_), _) => {}
        }
        start += line.len();
    }
    blocks.extend(open.map(|(from, _, _)| from..text.len()));
    blocks
}

/// Says whether a place in prose is inline code, of its paragraph as a whole or of its line alone.
fn inline(prose: &str, at: usize) -> Option<Reason> {
    let mut start = 0;
    let mut paragraph = 0;
    let mut end = prose.len();
    for line in prose.split_inclusive('\n') {
        if is_blank(line) && start + line.len() <= at {
            paragraph = start + line.len();
        } else if is_blank(line) && start > at {
            end = start;
            break;
        }
        start += line.len();
    }
    let line_start = prose[..at].rfind('\n').map_or(0, |before| before + 1);
    let line_end = prose[at..].find('\n').map_or(prose.len(), |after| at + after);
    let is_code = in_span(&prose[paragraph..end], at - paragraph)
        || in_span(&prose[line_start..line_end], at - line_start);
    is_code.then_some(Reason::InlineCode)
}

/// Pairs runs of backticks of the same length from left to right.
fn in_span(text: &str, at: usize) -> bool {
    let mut from = 0;
    while let Some(open) = text[from..].find('`').map(|offset| from + offset) {
        let length = run(text, open);
        let mut close = open + length;
        loop {
            match text[close..].find('`').map(|offset| close + offset) {
                None => {
                    from = open + length;
                    break;
                }
                Some(next) if run(text, next) == length => {
                    if (open..next + length).contains(&at) {
                        return true;
                    }
                    from = next + length;
                    break;
                }
                Some(next) => close = next + run(text, next),
            }
        }
    }
    false
}

fn run(text: &str, at: usize) -> usize {
    text[at..].bytes().take_while(|byte| *byte == b'`').count()
}

fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii_whitespace())
}
