//! Places in a source text. Spans are byte offsets; line and column are worked out only on display.

/// A half-open range of bytes in one source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// Makes a span from its two ends.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Cuts the span's text out of its source.
    ///
    /// # Panics
    ///
    /// Panics when the span does not belong to `source`.
    pub fn of(self, source: &str) -> &str {
        &source[self.start..self.end]
    }
}

/// A place as people count it: both numbers start at 1, columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// Finds line and column of byte offsets in one source.
#[derive(Debug)]
pub struct LineIndex<'s> {
    source: &'s str,
    starts: Vec<usize>,
}

impl<'s> LineIndex<'s> {
    /// Notes where the lines of `source` begin.
    pub fn new(source: &'s str) -> Self {
        let breaks = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        Self { source, starts }
    }

    /// Returns the line and column of a byte offset; an offset past the end is the end.
    ///
    /// ```
    /// use agentd::template::span::{LineIndex, Position};
    ///
    /// let index = LineIndex::new("one\ntwo é x");
    /// assert_eq!(index.position(11), Position { line: 2, column: 7 });
    /// ```
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.source.floor_char_boundary(offset.min(self.source.len()));
        let line = self.line(offset);
        let start = self.starts[line - 1];
        Position { line, column: self.source[start..offset].chars().count() + 1 }
    }
}

impl LineIndex<'_> {
    /// Returns the line of a byte offset; an offset past the end is on the last line.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_one_and_columns_count_characters() {
        let index = LineIndex::new("a\nbé{{X}}\n");
        assert_eq!(index.position(0), Position { line: 1, column: 1 });
        assert_eq!(index.position(2), Position { line: 2, column: 1 });
        assert_eq!(index.position(5), Position { line: 2, column: 3 });
        assert_eq!(index.position(999), Position { line: 3, column: 1 });
    }
}
