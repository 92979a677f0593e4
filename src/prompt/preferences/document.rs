//! A prompt file of a project as Markdown: its bullets, those of them that are approved preferences, and how one comes in
//! or goes. Text in, text out; not a byte changes but the lines of ours.

use std::collections::HashSet;
use std::ops::Range;

use super::bullet::Bullet;
use super::key::{BulletKey, after_marker, plain};
use crate::text::outline::{Heading, Outline, outline_once, same_title};

/// The title of the section that holds the preferences.
const TITLE: &str = "Approved Preferences";

/// What some editors put before the text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A file's text and what it says.
#[derive(Debug)]
pub(super) struct Document<'t> {
    text: &'t str,
    /// Every line that is a bullet with words, in order; code and comments hold none.
    bullets: Vec<BulletLine>,
    /// The sections of our title, each from the line of its heading to where the next section begins.
    sections: Vec<Range<usize>>,
}

/// A line that is a bullet.
#[derive(Debug)]
struct BulletLine {
    /// The whole line, with its end.
    range: Range<usize>,
    /// How many blanks stand before its marker.
    indentation: usize,
    /// Its words.
    words: String,
    /// Whether it stands in a section of ours.
    approved: bool,
}

/// A bullet of several lines, which cannot be taken out as one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GoesOn;

impl<'t> Document<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let start = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
        let outline = outline_once(&text[start..]);
        let sections = sections(text, start, &outline.headings);
        let bullets = bullets(text, start, &outline, &sections);
        Self { text, bullets, sections }
    }

    /// Returns what every bullet of the file comes to.
    pub(super) fn keys(&self) -> impl Iterator<Item = BulletKey> {
        self.bullets.iter().map(|bullet| BulletKey::of(&bullet.words))
    }

    /// Lists the approved preferences, in order.
    pub(super) fn approved(&self) -> impl Iterator<Item = &str> {
        self.approved_lines().map(|(_, bullet)| bullet.words.as_str())
    }

    fn approved_lines(&self) -> impl Iterator<Item = (usize, &BulletLine)> {
        self.bullets.iter().enumerate().filter(|(_, bullet)| bullet.approved)
    }

    /// Returns the text with bullets at the end of the first section of ours, or with such a section at its end. There is
    /// none where a block that is never closed would swallow them.
    pub(super) fn with_added(&self, bullets: &[Bullet]) -> Option<String> {
        let ending = self.line_ending();
        let lines: String = bullets.iter().map(|bullet| format!("- {bullet}{ending}")).collect();
        let text = match self.sections.first() {
            Some(section) => self.with_lines(section, &lines),
            None => self.with_section(&lines),
        };
        let read_back: HashSet<_> = Document::read(&text).approved().map(BulletKey::of).collect();
        let expected = self.approved().map(BulletKey::of).chain(bullets.iter().map(Bullet::key));
        expected.into_iter().all(|key| read_back.contains(&key)).then_some(text)
    }

    fn with_lines(&self, section: &Range<usize>, lines: &str) -> String {
        let ending = self.line_ending();
        let at = end_of_content(self.text, section);
        let (before, after) = self.text.split_at(at);
        let end = if before.ends_with('\n') { "" } else { ending };
        let continues = self.bullets.iter().any(|bullet| bullet.range.end == at);
        let gap = if continues { "" } else { ending };
        // Without a blank line a heading of the underlined kind would become a part of our last bullet.
        let gap_after =
            if first_line(after).is_some_and(|line| !is_blank(line)) { ending } else { "" };
        format!("{before}{end}{gap}{lines}{gap_after}{after}")
    }

    fn with_section(&self, lines: &str) -> String {
        let (text, ending) = (self.text, self.line_ending());
        let body = text.trim_start_matches(BYTE_ORDER_MARK);
        let end = if body.is_empty() || body.ends_with('\n') { "" } else { ending };
        let last = body.split_inclusive('\n').next_back();
        let gap = if last.is_none_or(is_blank) { "" } else { ending };
        format!("{text}{end}{gap}## {TITLE}{ending}{ending}{lines}")
    }

    /// Returns the text without one approved preference, by its place among them.
    pub(super) fn without(&self, place: usize) -> Option<Result<String, GoesOn>> {
        let (index, bullet) = self.approved_lines().nth(place)?;
        if self.goes_on(index) {
            return Some(Err(GoesOn));
        }
        let Range { start, end } = bullet.range;
        Some(Ok(format!("{}{}", &self.text[..start], &self.text[end..])))
    }

    /// Returns whether lines after a bullet are a part of it: text right below it, or whatever is indented further.
    fn goes_on(&self, index: usize) -> bool {
        let bullet = &self.bullets[index];
        let end = self.sections.iter().find(|section| section.contains(&bullet.range.start));
        let end = end.map_or(self.text.len(), |section| section.end);
        let next = self.bullets.get(index + 1).filter(|next| next.range.start < end);
        let until = next.map_or(end, |next| next.range.start);
        let between = &self.text[bullet.range.end..until];
        let belongs = |(number, line): (usize, &str)| {
            !is_blank(line) && (number == 0 || indentation(line) > bullet.indentation + 1)
        };
        between.split_inclusive('\n').enumerate().any(belongs)
            || next.is_some_and(|next| next.indentation > bullet.indentation + 1)
    }

    /// Returns how the lines of the file end, as its first one does.
    fn line_ending(&self) -> &'static str {
        match self.text.find('\n') {
            Some(at) if self.text[..at].ends_with('\r') => "\r\n",
            Some(_) | None => "\n",
        }
    }
}

/// Finds the sections of our title. A heading within a quotation or a list divides nothing.
fn sections(text: &str, start: usize, headings: &[Heading]) -> Vec<Range<usize>> {
    let line_start = |heading: &Heading| {
        let at = start + heading.span.start;
        let line = text[start..at].rfind('\n').map_or(start, |newline| start + newline + 1);
        text[line..at].chars().all(|c| c == ' ').then_some(line)
    };
    let dividing = headings.iter().filter(|heading| heading.level <= 2);
    let dividing: Vec<_> = dividing.filter_map(|it| Some((line_start(it)?, it))).collect();
    let ends = dividing.iter().skip(1).map(|(line, _)| *line).chain([text.len()]);
    let with_ends = dividing.iter().zip(ends);
    let ours = with_ends.filter(|((_, it), _)| it.level == 2 && same_title(&it.title, TITLE));
    ours.map(|((line, _), end)| *line..end).collect()
}

/// Finds the bullets. The spans to skip and the sections are in order, as the lines are, so that one look at each is enough.
fn bullets(
    text: &str,
    start: usize,
    outline: &Outline,
    sections: &[Range<usize>],
) -> Vec<BulletLine> {
    let mut skipped: Vec<_> = outline.code.iter().chain(&outline.comments).collect();
    skipped.sort();
    let mut skipped =
        skipped.into_iter().map(|span| start + span.start..start + span.end).peekable();
    let mut sections = sections.iter().peekable();
    let mut bullets = Vec::new();
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let indentation = indentation(line);
        let mark = range.start + indentation;
        while skipped.next_if(|span| span.end <= mark).is_some() {}
        while sections.next_if(|section| section.end <= mark).is_some() {}
        let is_skipped = skipped.peek().is_some_and(|span| span.contains(&mark));
        if after_marker(line[indentation..].trim_end()).is_none() || is_skipped {
            continue;
        }
        let words = plain(line);
        if !words.is_empty() {
            let approved = sections.peek().is_some_and(|section| section.contains(&mark));
            bullets.push(BulletLine { range, indentation, words, approved });
        }
    }
    bullets
}

/// Returns the end of the last line of a section that is not blank; its heading is one.
fn end_of_content(text: &str, section: &Range<usize>) -> usize {
    let mut end = section.end;
    for line in text[section.clone()].split_inclusive('\n').rev() {
        if !is_blank(line) {
            break;
        }
        end -= line.len();
    }
    end
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn is_blank(line: &str) -> bool {
    line.chars().all(|c| matches!(c, ' ' | '\t' | '\r' | '\n'))
}

fn first_line(text: &str) -> Option<&str> {
    text.split_inclusive('\n').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(text: &str, bullets: &[&str]) -> Option<String> {
        let bullets: Vec<_> = bullets.iter().map(|text| Bullet::read(text).unwrap()).collect();
        Document::read(text).with_added(&bullets)
    }

    #[track_caller]
    fn adds(before: &str, after: &str) {
        assert_eq!(added(before, &["New"]).as_deref(), Some(after), "{before:?}");
    }

    #[test]
    fn a_section_is_added_at_the_end_of_a_file_that_has_none() {
        adds("", "## Approved Preferences\n\n- New\n");
        adds("\u{feff}", "\u{feff}## Approved Preferences\n\n- New\n");
        adds("# Coder\n", "# Coder\n\n## Approved Preferences\n\n- New\n");
        adds("# Coder", "# Coder\n\n## Approved Preferences\n\n- New\n");
        adds("text\n\n\n", "text\n\n\n## Approved Preferences\n\n- New\n");
        adds("text\r\nx", "text\r\nx\r\n\r\n## Approved Preferences\r\n\r\n- New\r\n");
    }

    #[test]
    fn bullets_come_at_the_end_of_the_first_section_wherever_it_stands() {
        adds(
            "## Approved Preferences\n\n- a\n\n## Next\n- x\n",
            "## Approved Preferences\n\n- a\n- New\n\n## Next\n- x\n",
        );
        adds(
            "\u{feff}## APPROVED preferences ##\r\n- a\r\n\r\n# Next",
            "\u{feff}## APPROVED preferences ##\r\n- a\r\n- New\r\n\r\n# Next",
        );
        adds("## Approved Preferences", "## Approved Preferences\n\n- New\n");
        adds("## Approved Preferences\n- a", "## Approved Preferences\n- a\n- New\n");
        adds(
            "Approved Preferences\n---\nWords.\n### Sub\n- a\n\n## Approved Preferences\n- b\n",
            "Approved Preferences\n---\nWords.\n### Sub\n- a\n- New\n\n## Approved Preferences\n- b\n",
        );
        adds("## Approved Preferences\nWords.\n", "## Approved Preferences\nWords.\n\n- New\n");
        adds(
            "## Approved Preferences\nNext\n===\n",
            "## Approved Preferences\n\n- New\n\nNext\n===\n",
        );
        adds(
            "## Approved Preferences\n- a\n> # quoted\n- b\n# Next\n",
            "## Approved Preferences\n- a\n> # quoted\n- b\n- New\n\n# Next\n",
        );
    }

    #[test]
    fn what_only_looks_like_the_section_is_not_it() {
        for text in [
            "```md\n## Approved Preferences\n- a\n```\n",
            "<!--\n## Approved Preferences\n-->\n",
            "> ## Approved Preferences\n",
            "## Approved Preferences of others\n",
            "### Approved Preferences\n",
            "See ## Approved Preferences\n",
            "    ## Approved Preferences\n",
        ] {
            adds(text, &format!("{text}\n## Approved Preferences\n\n- New\n"));
            assert_eq!(Document::read(text).approved().count(), 0, "{text}");
        }
    }

    #[test]
    fn nothing_is_put_where_it_would_be_code_or_a_comment() {
        for text in
            ["```\n", "text\n<!-- never closed\n", "<pre>\n", "## Approved Preferences\n~~~\n- a\n"]
        {
            assert_eq!(added(text, &["New"]), None, "{text}");
        }
    }

    #[test]
    fn all_bullets_count_but_those_in_code_and_comments_and_only_the_section_s_are_approved() {
        let text = "- One\n  * Two\n\n```\n- code\n```\n<!-- x\n- gone\n-->\n* * *\n-no\n\n\
                    ## Approved Preferences\n+  Three  words\n    - Four\n## X\n- Five\n## approved preferences\n- Six\n";
        let document = Document::read(text);
        let keys: Vec<_> = document.keys().map(|key| key.as_str().to_owned()).collect();
        assert_eq!(keys, ["one", "two", "three words", "four", "five", "six"]);
        assert_eq!(document.approved().collect::<Vec<_>>(), ["Three words", "Four", "Six"]);
    }

    #[test]
    fn one_bullet_is_taken_out_and_nothing_else() {
        let text = "## Approved Preferences\r\n- a\r\n- b\r\n  more\r\n- c\r\n  - d\r\n\r\n- e\r\n\r\n  more\r\n- f\r\n\r\nText";
        let document = Document::read(text);
        let without = |place| document.without(place);
        assert_eq!(without(0), Some(Ok(text.replace("- a\r\n", ""))));
        assert_eq!(without(1), Some(Err(GoesOn)), "a line below it");
        assert_eq!(without(2), Some(Err(GoesOn)), "a bullet below it");
        assert_eq!(without(3), Some(Ok(text.replace("  - d\r\n", ""))));
        assert_eq!(without(4), Some(Err(GoesOn)), "a paragraph of it");
        assert_eq!(without(5), Some(Ok(text.replace("- f\r\n", ""))));
        assert_eq!(without(6), None);
        let last = Document::read("## Approved Preferences\n- a\n- b");
        assert_eq!(last.without(1), Some(Ok("## Approved Preferences\n- a\n".to_owned())));
    }
}
