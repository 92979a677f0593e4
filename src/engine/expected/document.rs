//! A Markdown file in parts: a heading and what stands below it, with code and comments known as such.

use super::fault::FileFault;
use super::placeholder::has_own_words;
use crate::template::{LineIndex, Span};
use crate::text::outline::{Outline, mask, opening_line, outline_once};

/// A file that has been read.
pub(super) struct Document<'t> {
    path: &'t str,
    text: &'t str,
    lines: LineIndex<'t>,
    outline: Outline,
    /// The text without headings, comments and the first lines of fences, place for place.
    own: String,
}

/// A heading and what stands below it.
#[derive(Clone, Debug)]
pub(super) struct Part<'d> {
    /// The words of the heading.
    pub(super) title: &'d str,
    /// The line of the heading.
    pub(super) line: usize,
    /// What stands below it, up to the next heading of its level or above.
    pub(super) body: Span,
}

/// A block of code.
#[derive(Debug)]
pub(super) struct Code<'t> {
    /// The first word of what follows the fence, in lower case.
    pub(super) language: String,
    /// The line of the fence.
    pub(super) line: usize,
    /// What stands between the fences.
    pub(super) text: &'t str,
}

impl<'t> Document<'t> {
    /// Reads a file, and says which of its code blocks and comments are never closed.
    pub(super) fn read(path: &'t str, text: &'t str) -> (Self, Vec<FileFault>) {
        let mut outline = outline_once(text);
        let unclosed = std::mem::take(&mut outline.unclosed);
        if !unclosed.is_empty() {
            // So that one slip does not hide the rest of the file. Once is enough: what is still open then is rare.
            outline = outline_once(&mask(text, &unclosed));
        }
        let fences = outline.code.iter().filter(|block| is_fenced(block.of(text)));
        let mut hidden: Vec<Span> = fences.map(|block| opening_line(text, *block)).collect();
        hidden.extend(outline.headings.iter().map(|heading| heading.span));
        hidden.extend(&outline.comments);
        let own = mask(text, &hidden);
        let document = Self { path, text, lines: LineIndex::new(text), outline, own };
        let mut faults = Vec::new();
        for fence in unclosed {
            let line = document.line(fence.start);
            let help = "close it with a fence of the same length, on its own line";
            faults.push(document.fault(Some(line), "the code block is never closed", help));
        }
        let open = |comment: &&Span| !comment.of(text).ends_with("-->");
        for comment in document.outline.comments.iter().filter(open) {
            let line = document.line(comment.start);
            faults.push(document.fault(
                Some(line),
                "the comment is never closed",
                "close it with `-->`",
            ));
        }
        (document, faults)
    }

    /// Makes a fault of this file.
    pub(super) fn fault(&self, line: Option<usize>, message: &str, help: &str) -> FileFault {
        FileFault::new(self.path, line, message, help)
    }

    /// Returns the whole text as a place for parts.
    pub(super) fn whole(&self) -> Span {
        Span::new(0, self.text.len())
    }

    /// Lists the parts of one level within a place.
    pub(super) fn parts(&self, level: u8, within: Span) -> Vec<Part<'_>> {
        let mut parts: Vec<Part<'_>> = Vec::new();
        let mut open = false;
        let first =
            self.outline.headings.partition_point(|heading| heading.span.start < within.start);
        for heading in &self.outline.headings[first..] {
            if heading.span.start >= within.end {
                break;
            }
            if heading.level > level {
                continue;
            }
            if let Some(part) = parts.last_mut().filter(|_| open) {
                part.body.end = heading.span.start;
            }
            open = heading.level == level;
            if open {
                let line = self.line(heading.span.start);
                let body = Span::new(heading.span.end, within.end);
                parts.push(Part { title: heading.title.trim(), line, body });
            }
        }
        parts
    }

    /// Lists every heading with its level.
    pub(super) fn headings(&self) -> impl Iterator<Item = (u8, &str, usize)> {
        let headings = self.outline.headings.iter();
        headings.map(|heading| (heading.level, heading.title.trim(), self.line(heading.span.start)))
    }

    /// Returns whether a part has text of its own.
    pub(super) fn has_text(&self, part: &Part<'_>) -> bool {
        has_own_words(part.body.of(&self.own))
    }

    /// Returns what a part says outside headings, comments and code.
    pub(super) fn prose(&self, part: &Part<'_>) -> String {
        let mut prose = String::new();
        let mut at = part.body.start;
        for block in self.blocks(part).filter(|block| block.end > block.start) {
            if block.start >= at {
                prose.push_str(&self.own[at..block.start]);
                prose.push('\n');
                at = block.end.min(part.body.end);
            }
        }
        prose.push_str(&self.own[at..part.body.end]);
        prose
    }

    /// Lists the fenced code blocks of a part.
    pub(super) fn code(&self, part: &Part<'_>) -> Vec<Code<'t>> {
        let text = self.text;
        let fenced = self.blocks(part).filter(|block| is_fenced(block.of(text)));
        let code = fenced.map(|block| {
            let opening = opening_line(text, block).of(text);
            let words = opening.trim_start_matches(['`', '~']);
            let language = words.split([' ', ',', '{', '\t']).find(|word| !word.is_empty());
            let below = block.of(text)[opening.len()..].trim_end();
            let inner = below.rfind('\n').map_or("", |end| &below[..end]);
            Code {
                language: language.unwrap_or_default().to_lowercase(),
                line: self.line(block.start),
                text: inner,
            }
        });
        code.collect()
    }

    fn blocks(&self, part: &Part<'_>) -> impl Iterator<Item = Span> {
        let body = part.body;
        let first = self.outline.code.partition_point(|block| block.start < body.start);
        self.outline.code[first..].iter().copied().take_while(move |block| block.start < body.end)
    }

    fn line(&self, at: usize) -> usize {
        self.lines.position(at).line
    }
}

fn is_fenced(block: &str) -> bool {
    block.starts_with("```") || block.starts_with("~~~")
}
