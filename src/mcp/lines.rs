//! Lines of bounded length: one that is longer is passed over, and never held as a whole.

use std::io::{self, BufRead};

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line, which is in the buffer without its end. The last one may have none.
    Whole,
    /// A line that is longer than allowed, which is gone.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads the next line into the buffer.
pub(super) fn read(
    input: &mut impl BufRead,
    buffer: &mut Vec<u8>,
    longest: usize,
) -> io::Result<Line> {
    buffer.clear();
    let mut is_too_long = false;
    let mut has_begun = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() && !has_begun {
            return Ok(Line::End);
        }
        has_begun = true;
        let end = memchr::memchr(b'\n', available);
        let taken = end.unwrap_or(available.len());
        is_too_long |= buffer.len() + taken > longest;
        if is_too_long {
            // What is left of it is only passed over, and the memory given back.
            *buffer = Vec::new();
        } else {
            buffer.extend_from_slice(&available[..taken]);
        }
        let is_over = end.is_some() || available.is_empty();
        input.consume(end.map_or(taken, |at| at + 1));
        if is_over {
            return Ok(if is_too_long { Line::TooLong } else { Line::Whole });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_are_cut_the_same_however_the_input_arrives() {
        let text = b"one\n\n12345\n123456\nlast";
        for capacity in 1..=text.len() {
            let mut input = BufReader::with_capacity(capacity, &text[..]);
            let mut buffer = Vec::new();
            let mut found = Vec::new();
            loop {
                match read(&mut input, &mut buffer, 5).unwrap() {
                    Line::End => break,
                    Line::TooLong => found.push("too long".to_owned()),
                    Line::Whole => found.push(String::from_utf8(buffer.clone()).unwrap()),
                }
            }
            assert_eq!(found, ["one", "", "12345", "too long", "last"], "{capacity}");
        }
    }
}
