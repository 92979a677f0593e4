//! Bytes become lines of text, however they are cut: the memory this takes is bounded by the longest line.

use std::borrow::Cow;

/// The longest line in bytes that an agent may print.
pub const LONGEST_LINE: usize = 16 << 20;

/// A line is longer than [`LONGEST_LINE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Joins pieces of output to lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The line so far.
    text: String,
    /// The first bytes of a character whose others are still to come.
    begun: Vec<u8>,
}

impl Lines {
    /// Takes the next piece and hands on each line that is complete, without its line feed. Bytes that are not
    /// UTF-8 become U+FFFD.
    pub(super) fn take(
        &mut self,
        bytes: &[u8],
        on_line: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), TooLong> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.decode(piece);
            if let Some(line) = self.text.strip_suffix('\n') {
                on_line(line);
                self.text.clear();
            } else if self.text.len() > LONGEST_LINE {
                return Err(TooLong);
            }
        }
        Ok(())
    }

    /// Hands on what follows the last line feed, if anything does.
    pub(super) fn finish(mut self, on_line: &mut (dyn FnMut(&str) + Send)) {
        if !self.begun.is_empty() {
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
        if !self.text.is_empty() {
            on_line(&self.text);
        }
    }

    fn decode(&mut self, piece: &[u8]) {
        let bytes = if self.begun.is_empty() {
            Cow::Borrowed(piece)
        } else {
            let mut joined = std::mem::take(&mut self.begun);
            joined.extend_from_slice(piece);
            Cow::Owned(joined)
        };
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.text.push_str(chunk.valid());
            let is_last = chunks.peek().is_none();
            match chunk.invalid() {
                [] => {}
                invalid if is_last && is_begun(invalid) => self.begun = invalid.to_vec(),
                _ => self.text.push(char::REPLACEMENT_CHARACTER),
            }
        }
    }
}

/// Returns whether more bytes could make a character of these.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines_of<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let mut found = Vec::new();
        let mut on_line = |line: &str| found.push(line.to_owned());
        let mut lines = Lines::default();
        for piece in pieces {
            lines.take(piece, &mut on_line).unwrap();
        }
        lines.finish(&mut on_line);
        found
    }

    #[test]
    fn a_last_line_needs_no_line_feed_and_an_empty_one_is_none() {
        assert_eq!(lines_of([b"a\n\nb".as_slice()]), ["a", "", "b"]);
        assert_eq!(lines_of([b"a\r\n".as_slice()]), ["a\r"]);
        assert_eq!(lines_of([b"".as_slice()]), [""; 0]);
    }

    #[test]
    fn a_line_that_never_ends_is_refused_before_it_fills_the_memory() {
        let mut lines = Lines::default();
        let piece = vec![b'x'; 1 << 20];
        let taken = (0..64).find(|_| lines.take(&piece, &mut |_| {}).is_err());
        assert_eq!(taken, Some(16));
        // A byte that is no text takes three as U+FFFD, and counts so.
        let mut lines = Lines::default();
        let piece = vec![0xff; 1 << 20];
        let taken = (0..64).find(|_| lines.take(&piece, &mut |_| {}).is_err());
        assert_eq!(taken, Some(5));
    }

    proptest! {
        #[test]
        fn bytes_read_the_same_however_they_are_cut(
            pieces in prop::collection::vec(prop_oneof![
                prop::collection::vec(any::<u8>(), 0..8),
                "[aé€𝄞\n]{0,4}".prop_map(String::into_bytes),
                Just(b"\n".to_vec()),
            ], 0..12),
            size in 1_usize..7,
        ) {
            let whole = pieces.concat();
            let text = String::from_utf8_lossy(&whole);
            let expected: Vec<_> = text.split_terminator('\n').collect();
            prop_assert_eq!(lines_of(whole.chunks(size)), expected);
        }
    }
}
