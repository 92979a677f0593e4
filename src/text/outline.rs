//! The Markdown structure of a linked template: headings, what stands below them, and code blocks.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::template::Span;

/// A template's structure.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// The headings, in order.
    pub(crate) headings: Vec<Heading>,
    /// The code blocks, in order.
    pub(crate) code: Vec<Span>,
    /// The opening lines of fences that are never closed.
    pub(crate) unclosed: Vec<Span>,
    /// The comments, in order; one that is never closed goes to the end of its block.
    pub(crate) comments: Vec<Span>,
    /// Where text, code or HTML other than comments begins, headings apart.
    content: Vec<usize>,
}

/// A heading.
#[derive(Debug)]
pub(crate) struct Heading {
    /// 1 to 6.
    pub(crate) level: u8,
    /// The words, without marks.
    pub(crate) title: String,
    /// The whole heading.
    pub(crate) span: Span,
}

/// Reads the structure of `text`. A fence that is never closed is reported and then read as if it were not
/// there, so that one slip does not hide the rest of the file.
pub(crate) fn outline(text: &str) -> Outline {
    let mut outline = outline_once(text);
    let unclosed = outline.unclosed.clone();
    let mut masked = text.to_owned();
    while !outline.unclosed.is_empty() {
        masked = mask(&masked, &outline.unclosed);
        outline = outline_once(&masked);
    }
    outline.unclosed = unclosed;
    outline
}

/// Puts blanks in the place of these spans, byte for byte; the ends of lines stay.
pub(crate) fn mask(text: &str, spans: &[Span]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for span in spans {
        bytes[span.start..span.end]
            .iter_mut()
            .filter(|byte| **byte != b'\n')
            .for_each(|byte| *byte = b' ');
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Reads the structure of `text` as it stands, in one go: what follows a fence that is never closed is code.
pub(crate) fn outline_once(text: &str) -> Outline {
    let mut outline = Outline::default();
    let mut in_heading = false;
    for (event, range) in Parser::new(text).into_offset_iter() {
        let span = Span::new(range.start, range.end);
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                in_heading = true;
                let end = span.start + span.of(text).trim_end().len();
                let span = Span::new(span.start, end);
                outline.headings.push(Heading { level: number(level), title: String::new(), span });
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::CodeBlock(kind)) => {
                if matches!(kind, CodeBlockKind::Fenced(_)) && !is_closed(span.of(text)) {
                    outline.unclosed.push(opening_line(text, span));
                }
                outline.code.push(span);
                outline.content.push(span.start);
            }
            Event::Text(words) | Event::Code(words) if in_heading => {
                if let Some(heading) = outline.headings.last_mut() {
                    heading.title.push_str(&words);
                }
            }
            Event::Start(Tag::HtmlBlock) if span.of(text).starts_with(COMMENT) => {
                outline.comments.push(comment(text, span));
            }
            Event::InlineHtml(html) if html.starts_with(COMMENT) => outline.comments.push(span),
            Event::Html(html) if html.trim_start().starts_with(COMMENT) => {}
            Event::Text(words)
            | Event::Code(words)
            | Event::Html(words)
            | Event::InlineHtml(words)
                if !in_heading && !words.trim().is_empty() =>
            {
                outline.content.push(span.start);
            }
            _ => {}
        }
    }
    outline
}

/// What begins a comment.
const COMMENT: &str = "<!--";

/// Returns the comment that a block of HTML begins with.
fn comment(text: &str, block: Span) -> Span {
    let length = block.of(text).find("-->").map_or(block.end - block.start, |at| at + "-->".len());
    Span::new(block.start, block.start + length)
}

impl Outline {
    /// Lists the headings that begin a section of this title.
    pub(crate) fn sections(&self, title: &str) -> Vec<usize> {
        let is_it = |heading: &Heading| heading.level == 2 && same_title(&heading.title, title);
        (0..self.headings.len()).filter(|number| is_it(&self.headings[*number])).collect()
    }

    /// Returns whether there is text between this heading and the next of its level or above.
    pub(crate) fn has_content(&self, heading: usize) -> bool {
        let Heading { level, span, .. } = &self.headings[heading];
        let next = self.headings[heading + 1..].iter().find(|other| other.level <= *level);
        let end = next.map_or(usize::MAX, |next| next.span.start);
        self.content.iter().any(|at| (span.end..end).contains(at))
    }

    /// Finds a line inside a code block that would begin a section of this title.
    pub(crate) fn section_in_code(&self, text: &str, title: &str) -> Option<Span> {
        self.code.iter().find_map(|block| {
            let mut at = block.start;
            for line in block.of(text).split_inclusive('\n') {
                let heading = line.trim().strip_prefix("## ").map(str::trim);
                if heading.is_some_and(|heading| same_title(heading, title)) {
                    return Some(Span::new(at, at + line.trim_end().len()));
                }
                at += line.len();
            }
            None
        })
    }

    /// Returns the text outside code blocks in lower case, every run of white space as one blank.
    pub(crate) fn prose(&self, text: &str) -> String {
        let mut prose = String::with_capacity(text.len());
        let mut at = 0;
        for block in self.code.iter().filter(|block| block.end > block.start) {
            if block.start >= at {
                prose.push_str(&text[at..block.start]);
                prose.push('\n');
                at = block.end;
            }
        }
        prose.push_str(&text[at..]);
        prose.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
    }
}

pub(crate) fn same_title(left: &str, right: &str) -> bool {
    left.trim().to_lowercase() == right.to_lowercase()
}

const fn number(level: HeadingLevel) -> u8 {
    level as u8
}

/// Returns whether a fenced block ends with its closing fence: the same character, at least as often. Where another
/// fence that names a language opens inside, the closing one belongs to that and not to this.
fn is_closed(block: &str) -> bool {
    let mut lines = block.lines();
    let Some(open) = lines.next().map(str::trim_start) else {
        return true;
    };
    let Some(mark) = open.chars().next() else {
        return true;
    };
    let length = open.chars().take_while(|c| *c == mark).count();
    let Some(last) = lines.next_back() else {
        return false;
    };
    let opens = |line: &str| {
        let fence = line.trim_start_matches(' ');
        let info = fence.trim_start_matches(mark);
        line.len() - fence.len() < 4
            && fence.len() - info.len() >= length
            && !info.trim().is_empty()
            && !info.contains('`')
    };
    if lines.any(opens) {
        return false;
    }
    // Inside a quotation the closing line still carries its `>`.
    let last = last.trim_start_matches(['>', ' ', '\t']).trim_end();
    last.chars().count() >= length && last.chars().all(|c| c == mark)
}

/// Returns the first line of a block.
pub(crate) fn opening_line(text: &str, block: Span) -> Span {
    let line = block.of(text).lines().next().unwrap_or("");
    Span::new(block.start, block.start + line.trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_found_outside_code_only() {
        let text =
            "# T\n\n## One\ntext\n\n```md\n## Two\n```\n\n## one\n\n### Sub\n\n## Three\n---\n";
        let outline = outline(text);
        assert_eq!(outline.sections("ONE").len(), 2);
        assert_eq!(outline.sections("Two").len(), 0);
        assert_eq!(outline.section_in_code(text, "two").map(|span| span.of(text)), Some("## Two"));
        let content: Vec<_> = (0..outline.headings.len()).map(|n| outline.has_content(n)).collect();
        assert_eq!(content, [true, true, false, false, false]);
        assert!(!outline.prose(text).contains("two"));
        assert_eq!(outline.unclosed, []);
    }

    #[test]
    fn an_unclosed_fence_is_reported_and_does_not_hide_what_follows() {
        let text = "## A\nx\n```rust\n## B\ny\n";
        let outline = outline(text);
        assert_eq!(outline.unclosed.iter().map(|s| s.of(text)).collect::<Vec<_>>(), ["```rust"]);
        assert_eq!(outline.sections("B").len(), 1);
    }

    #[test]
    fn fences_of_every_kind_are_closed_by_their_own_mark() {
        for closed in [
            "```\nx\n```\n",
            "~~~~ md\n```\n~~~~",
            "> ```\n> x\n> ```\n",
            "- a\n  ```\n  x\n  ```\n",
            "    indented\n",
            "````md\n```yaml\nx: 1\n```\n````\n",
            "```yaml\nx: |\n    ```rust\n    ```\n```\n",
        ] {
            assert!(outline(closed).unclosed.is_empty(), "{closed}");
        }
        for open in [
            "```",
            "```\nx\n~~~\n",
            "````\nx\n```\n",
            "> ```\n> x\n",
            "```rust\n# T\n\n```yaml\nx: 1\n```\n",
        ] {
            assert_eq!(outline(open).unclosed.len(), 1, "{open}");
        }
    }
}
