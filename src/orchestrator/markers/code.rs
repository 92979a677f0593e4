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
    /// The first code block that does not end before the last place asked about, and the end of the one before.
    block: Block,
    passed: usize,
    paragraph: Paragraph,
}

/// A code block. Its end is looked for only when somebody asks about a place behind its start: a thought may come to
/// an end before that, and then it never was a block.
#[derive(Clone, Copy)]
struct Block {
    start: usize,
    end: End,
}

#[derive(Clone, Copy)]
enum End {
    /// It is here.
    At(usize),
    /// It is where a fence of this kind closes it, of at least this length and after the line that opens it.
    Unknown { kind: usize, length: usize, info_end: usize },
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
            block: Block { start: 0, end: End::At(0) },
            passed: 0,
            paragraph: Paragraph::default(),
        }
    }

    /// Forgets what is open: what follows a thought or a comment begins anew.
    pub(super) fn start_at(&mut self, at: usize) {
        self.from = at;
        if self.block.start <= at {
            self.block = Block { start: at, end: End::At(at) };
        }
        // What stood behind something on its line, and opened nothing, may now be the first thing on it.
        let first = at + self.text[at..].iter().take_while(|byte| is_margin(**byte)).count();
        let fence = FENCES.iter().position(|fence| self.text[first..].starts_with(fence));
        if let Some(block) = fence.and_then(|kind| self.block_at(first, kind)) {
            self.block = block;
        }
        self.paragraph.start_at(at);
    }

    /// Says whether the byte at `at` is in code.
    pub(super) fn covers(&mut self, at: usize) -> Option<Reason> {
        while self.block.start <= at {
            let end = self.end();
            if at < end {
                return Some(Reason::CodeBlock);
            }
            self.passed = end;
            self.block = self.next_block(end);
        }
        if self.paragraph.of.end <= at {
            self.paragraph = Paragraph::new(self.text, self.paragraph_of(at));
        }
        self.paragraph.covers(at).then_some(Reason::InlineCode)
    }

    /// Finds the first code block from a place on; where there is none, it begins at the end of the text.
    fn next_block(&mut self, from: usize) -> Block {
        self.next_runs = self.next_runs.map(|next| next.filter(|next| *next >= from));
        loop {
            let [ticks, tildes] = [0, 1].map(|kind| {
                *self.next_runs[kind]
                    .get_or_insert_with(|| find(self.text, &self.finders[kind], from))
            });
            let (kind, open) = if ticks <= tildes { (0, ticks) } else { (1, tildes) };
            if open >= self.text.len() {
                return Block { start: open, end: End::At(open) };
            }
            if let Some(block) = self.block_at(open, kind) {
                return block;
            }
            let after = open + run(self.text, open, FENCES[kind][0]);
            self.next_runs[kind] = Some(find(self.text, &self.finders[kind], after));
        }
    }

    /// Gives the block that a run of marks opens, if it opens one.
    fn block_at(&self, open: usize, kind: usize) -> Option<Block> {
        let length = run(self.text, open, FENCES[kind][0]);
        let info_end = self.opens_block(open, open + length, FENCES[kind][0])?;
        Some(Block { start: open, end: End::Unknown { kind, length, info_end } })
    }

    /// Gives the end of the block, which is looked for once.
    fn end(&mut self) -> usize {
        let end = match self.block.end {
            End::At(end) => end,
            End::Unknown { kind, length, info_end } => self.closing(info_end, kind, length),
        };
        self.block.end = End::At(end);
        end
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
        let last = self.block.start;
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
        start..end
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
    let before = text[from..at].iter().rev().find(|byte| !is_margin(**byte));
    before.is_none_or(|byte| *byte == b'\n')
}

const fn is_margin(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'>')
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}
