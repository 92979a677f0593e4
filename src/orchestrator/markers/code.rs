//! Knows whether a place in Markdown is code. It is asked about places from left to right and looks at every
//! byte a bounded number of times, so that all questions together take linear time.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem::Finder;
use memchr::{memchr, memchr2, memchr2_iter, memrchr};

use crate::models::marker::Reason;

/// Answers from left to right where code is.
pub(super) struct Code<'t> {
    text: &'t [u8],
    /// What stands before this place opens nothing any more.
    from: usize,
    finders: [Finder<'static>; 2],
    /// The next runs of three backticks and of three tildes; none where they have not been looked for.
    next_runs: [Option<usize>; 2],
    /// The code block that ends after the last place asked about, and the end of the one before.
    block: Range<usize>,
    passed: usize,
    paragraph: Paragraph,
}

const FENCES: [&[u8]; 2] = [b"```", b"~~~"];

impl<'t> Code<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let text = text.as_bytes();
        Self {
            text,
            from: 0,
            finders: FENCES.map(Finder::new),
            next_runs: [None; 2],
            block: 0..0,
            passed: 0,
            paragraph: Paragraph::default(),
        }
    }

    /// Forgets what is open: what follows a thought or a comment begins anew.
    pub(super) fn start_at(&mut self, at: usize) {
        self.from = at;
        self.block = at..at;
        self.forget_runs_before(at);
        self.paragraph.start_at(at);
    }

    /// Says whether the byte at `at` is in code.
    pub(super) fn covers(&mut self, at: usize) -> Option<Reason> {
        while self.block.end <= at && self.next_block() {}
        if self.block.contains(&at) {
            return Some(Reason::CodeBlock);
        }
        if self.paragraph.of.end <= at {
            self.paragraph = Paragraph::new(self.text, self.paragraph_of(at));
        }
        self.paragraph.covers(at).then_some(Reason::InlineCode)
    }

    /// Moves on to the next code block; says whether there is one.
    fn next_block(&mut self) -> bool {
        let from = self.block.end;
        self.passed = from;
        loop {
            for (next, finder) in self.next_runs.iter_mut().zip(&self.finders) {
                if next.is_none() {
                    *next = Some(find(self.text, finder, from));
                }
            }
            let [Some(ticks), Some(tildes)] = self.next_runs else { return false };
            let (kind, open) = if ticks <= tildes { (0, ticks) } else { (1, tildes) };
            if open >= self.text.len() {
                return false;
            }
            let mark = FENCES[kind][0];
            let after = open + run(self.text, open, mark);
            if let Some(info_end) = self.opens_block(open, after, mark) {
                self.block = open..self.closing(info_end, kind, after - open);
                self.forget_runs_before(self.block.end);
                return true;
            }
            self.next_runs[kind] = Some(find(self.text, &self.finders[kind], after));
        }
    }

    fn forget_runs_before(&mut self, at: usize) {
        for next in &mut self.next_runs {
            *next = next.filter(|next| *next >= at);
        }
    }

    /// Says whether a run of marks opens a block, and where its line ends.
    fn opens_block(&self, open: usize, after: usize, mark: u8) -> Option<usize> {
        if !opens_line(self.text, open, self.from) {
            return None;
        }
        // What follows backticks on their line may hold no others.
        let stop = if mark == b'`' {
            memchr2(b'`', b'\n', &self.text[after..])
        } else {
            memchr(b'\n', &self.text[after..])
        };
        let end = stop.map_or(self.text.len(), |offset| after + offset);
        (self.text.get(end) != Some(&b'`')).then_some(end)
    }

    /// Finds the end of a block: after its closing fence, or the end of the text.
    fn closing(&self, from: usize, kind: usize, length: usize) -> usize {
        let (finder, mark) = (&self.finders[kind], FENCES[kind][0]);
        let mut at = find(self.text, finder, from);
        while at < self.text.len() {
            let run = run(self.text, at, mark);
            let after = at + run;
            if run >= length && opens_line(self.text, at, from) {
                let end =
                    memchr(b'\n', &self.text[after..]).map_or(self.text.len(), |end| after + end);
                if is_blank(&self.text[after..end]) {
                    return end;
                }
            }
            at = find(self.text, finder, after);
        }
        self.text.len()
    }

    /// Finds the lines around `at` up to blank ones and code blocks.
    fn paragraph_of(&self, at: usize) -> Range<usize> {
        // What has been looked at already, and the code blocks on either side, are not part of it.
        let first = self.from.max(self.passed).max(self.paragraph.of.end).min(at);
        let last = if self.block.start > at { self.block.start } else { self.text.len() };
        let line_start = |at: usize| {
            memrchr(b'\n', &self.text[first..at]).map_or(first, |offset| first + offset + 1)
        };
        let line_end =
            |at: usize| memchr(b'\n', &self.text[at..last]).map_or(last, |offset| at + offset);
        let mut start = line_start(at);
        while start > first {
            let above = line_start(start - 1);
            if is_blank(&self.text[above..start]) {
                break;
            }
            start = above;
        }
        let mut end = line_end(at);
        while end < last {
            let below = line_end(end + 1);
            if is_blank(&self.text[end..below]) {
                break;
            }
            end = below;
        }
        // Never empty, so that the next question finds its place in it.
        start..end.max(at + 1)
    }
}

/// The inline code of a paragraph, read in two ways: as a whole, and line by line, since an unpaired backtick
/// further up may belong to another block, such as an item of a list. In doubt it is code.
#[derive(Default)]
struct Paragraph {
    of: Range<usize>,
    runs: Vec<Run>,
    whole: Walk,
    by_line: Walk,
}

/// A run of backticks, and the next run of the same length in the paragraph and on its line.
struct Run {
    at: usize,
    length: usize,
    line: usize,
    partner: Option<usize>,
    partner_on_line: Option<usize>,
}

/// How far the runs have been paired, and the last pair.
#[derive(Default)]
struct Walk {
    next: usize,
    span: Range<usize>,
}

impl Paragraph {
    fn new(text: &[u8], of: Range<usize>) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        let mut line = 0;
        for at in memchr2_iter(b'`', b'\n', &text[of.clone()]).map(|offset| of.start + offset) {
            if text[at] == b'\n' {
                line += 1;
                continue;
            }
            match runs.last_mut() {
                Some(run) if run.at + run.length == at => run.length += 1,
                _ => runs.push(Run { at, length: 1, line, partner: None, partner_on_line: None }),
            }
        }
        // Looked up from behind, so that it takes one pass.
        let mut latest: HashMap<usize, usize> = HashMap::new();
        for number in (0..runs.len()).rev() {
            runs[number].partner = latest.insert(runs[number].length, number);
            let line = runs[number].line;
            runs[number].partner_on_line =
                runs[number].partner.filter(|partner| runs[*partner].line == line);
        }
        Self { of, runs, whole: Walk::default(), by_line: Walk::default() }
    }

    fn start_at(&mut self, at: usize) {
        for walk in [&mut self.whole, &mut self.by_line] {
            while self.runs.get(walk.next).is_some_and(|run| run.at < at) {
                walk.next += 1;
            }
            walk.span = at..at;
        }
    }

    fn covers(&mut self, at: usize) -> bool {
        self.whole.covers(at, &self.runs, |run| run.partner)
            | self.by_line.covers(at, &self.runs, |run| run.partner_on_line)
    }
}

impl Walk {
    fn covers(&mut self, at: usize, runs: &[Run], partner: impl Fn(&Run) -> Option<usize>) -> bool {
        while self.span.end <= at
            && let Some(run) = runs.get(self.next).filter(|run| run.at <= at)
        {
            match partner(run) {
                Some(close) => {
                    self.span = run.at..runs[close].at + runs[close].length;
                    self.next = close + 1;
                }
                None => self.next += 1,
            }
        }
        self.span.contains(&at)
    }
}

fn find(text: &[u8], needle: &Finder<'_>, from: usize) -> usize {
    needle.find(&text[from.min(text.len())..]).map_or(text.len(), |at| from + at)
}

/// Counts how often `mark` stands at `at`.
fn run(text: &[u8], at: usize, mark: u8) -> usize {
    text[at..].iter().take_while(|byte| **byte == mark).count()
}

/// Says whether only blanks and marks of quotations stand before `at` on its line.
fn opens_line(text: &[u8], at: usize, from: usize) -> bool {
    let before = text[from..at].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t' | b'>'));
    before.is_none_or(|byte| *byte == b'\n')
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}
