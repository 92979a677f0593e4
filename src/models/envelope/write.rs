//! Writes the document: quick-xml writes the structure, text goes to the sink without a copy in between.

use std::io;

use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};
use quick_xml::writer::Writer;

use super::guard::{Markers, attribute, guarded, sanitized};
use super::{CONTEXT, INSTRUCTIONS, PROMPT, SYSTEM_PROMPT, Written, tag};
use crate::models::prompt::{ContextItem, UnifiedPrompt};

/// Room for the tags round one piece of text.
const ROOM_FOR_TAGS: usize = 64;

/// Writes the document to a string, which is allocated once unless the text is full of forged tags.
pub(in super::super) fn to_string(prompt: &UnifiedPrompt) -> (String, Written) {
    let mut sink = StringSink(String::with_capacity(expected_size(prompt)));
    // A string takes everything, so there is no error to pass on.
    let replaced = document(prompt, &mut sink).unwrap_or_default();
    let written = Written { bytes: sink.0.len(), replaced };
    (sink.0, written)
}

/// Writes the document to a stream.
pub(in super::super) fn to_stream(
    prompt: &UnifiedPrompt,
    out: impl io::Write,
) -> io::Result<Written> {
    let mut sink = StreamSink { out, bytes: 0 };
    let replaced = document(prompt, &mut sink)?;
    Ok(Written { bytes: sink.bytes, replaced })
}

fn expected_size(prompt: &UnifiedPrompt) -> usize {
    let system = prompt.system_prompt.as_ref().map_or(0, String::len);
    let item = |item: &ContextItem| item.name.len() + item.content.len() + ROOM_FOR_TAGS;
    let text = system + prompt.instructions.len() + prompt.context.iter().map(item).sum::<usize>();
    text + text / 64 + 4 * ROOM_FOR_TAGS
}

/// Takes the document's bytes; text need not be looked at again to know that it is UTF-8.
trait Sink: io::Write {
    fn text(&mut self, text: &str) -> io::Result<()>;
}

struct StringSink(String);

impl Sink for StringSink {
    fn text(&mut self, text: &str) -> io::Result<()> {
        self.0.push_str(text);
        Ok(())
    }
}

impl io::Write for StringSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.push_str(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct StreamSink<W> {
    out: W,
    bytes: usize,
}

impl<W: io::Write> Sink for StreamSink<W> {
    fn text(&mut self, text: &str) -> io::Result<()> {
        io::Write::write_all(self, text.as_bytes())
    }
}

impl<W: io::Write> io::Write for StreamSink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes += count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes the whole document and returns how many characters were replaced.
fn document<S: Sink>(prompt: &UnifiedPrompt, sink: &mut S) -> io::Result<usize> {
    let mut document = Document { writer: Writer::new(sink), replaced: 0 };
    document.open(PROMPT)?;
    document.line_break()?;
    if let Some(system_prompt) = &prompt.system_prompt {
        document.open(SYSTEM_PROMPT)?;
        document.text(system_prompt, Markers::Plain)?;
        document.close(SYSTEM_PROMPT)?;
    }
    document.open(CONTEXT)?;
    document.line_break()?;
    for item in &prompt.context {
        document.item(item)?;
    }
    document.close(CONTEXT)?;
    document.open(INSTRUCTIONS)?;
    document.text(&prompt.instructions, Markers::Guarded)?;
    document.close(INSTRUCTIONS)?;
    document.close(PROMPT)?;
    Ok(document.replaced)
}

struct Document<'d, S> {
    writer: Writer<&'d mut S>,
    replaced: usize,
}

impl<S: Sink> Document<'_, S> {
    fn open(&mut self, tag: &'static str) -> io::Result<()> {
        self.writer.write_event(Event::Start(BytesStart::new(tag)))
    }

    fn close(&mut self, tag: &'static str) -> io::Result<()> {
        self.writer.write_event(Event::End(BytesEnd::new(tag)))?;
        self.line_break()
    }

    fn line_break(&mut self) -> io::Result<()> {
        self.writer.write_event(Event::Text(BytesText::from_escaped("\n")))
    }

    fn item(&mut self, item: &ContextItem) -> io::Result<()> {
        let (tag, name) = tag(item.kind);
        // By hand, since quick-xml quotes with `"` and allocates for each attribute.
        let sink = self.writer.get_mut();
        for piece in ["<", tag, " ", name, "='"] {
            sink.text(piece)?;
        }
        let (clean, replaced) = sanitized(&item.name);
        self.replaced += replaced;
        attribute(&clean, |piece| sink.text(piece))?;
        sink.text("'>")?;
        self.text(&item.content, Markers::Guarded)?;
        self.close(tag)
    }

    fn text(&mut self, text: &str, markers: Markers) -> io::Result<()> {
        let (clean, replaced) = sanitized(text);
        self.replaced += replaced;
        let sink = self.writer.get_mut();
        guarded(&clean, markers, |piece| sink.text(piece))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// Takes a few bytes at a time, and counts how often it is flushed.
    #[derive(Default)]
    struct Slow {
        bytes: Vec<u8>,
        flushed: usize,
    }

    impl io::Write for &mut Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(3);
            self.bytes.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.flushed += 1;
            Ok(())
        }
    }

    fn prompt() -> UnifiedPrompt {
        UnifiedPrompt::new("Do\0 it.")
            .with_system_prompt("You\u{1} are\u{2}.")
            .with_file("src/\u{3}lib.rs", "fn main() {}\u{4}\u{5}")
    }

    #[test]
    fn a_stream_gets_what_a_string_gets_and_all_is_counted() {
        let (xml, written) = to_string(&prompt());
        assert_eq!(written, Written { bytes: xml.len(), replaced: 6 });
        let mut slow = Slow::default();
        assert_eq!(to_stream(&prompt(), &mut slow).expect("a stream"), written);
        assert_eq!(String::from_utf8(slow.bytes).expect("text"), xml);
    }

    #[test]
    fn whoever_flushes_the_document_flushes_its_stream() {
        let mut slow = Slow::default();
        StreamSink { out: &mut slow, bytes: 0 }.flush().expect("a stream");
        assert_eq!(slow.flushed, 1);
    }

    #[test]
    fn there_is_room_for_the_whole_document_and_for_little_more() {
        let long = "words ".repeat(400);
        let forged = format!("{long}</file>").repeat(50);
        let mut prompt = UnifiedPrompt::new(long.as_str()).with_system_prompt(long.as_str());
        for number in 0..50 {
            prompt =
                prompt.with_file(format!("src/{number}.rs"), "short").with_file(&*long, &*long);
        }
        for prompt in [UnifiedPrompt::new(""), UnifiedPrompt::new(forged), self::prompt(), prompt] {
            let (xml, _) = to_string(&prompt);
            let room = expected_size(&prompt);
            assert_eq!(xml.capacity(), room, "it grew");
            let tags = ROOM_FOR_TAGS * (prompt.context.len() + 4);
            assert!(room <= xml.len() + xml.len() / 64 + tags, "{room} for {}", xml.len());
        }
    }
}
