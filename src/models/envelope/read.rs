//! Reads a document back. Stricter than XML asks: exactly the elements that the writer writes, in order.

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

use super::{CONTEXT, EnvelopeError, INSTRUCTIONS, PROMPT, SYSTEM_PROMPT, tag};
use crate::models::prompt::{ContextItem, ContextKind, UnifiedPrompt};

/// Reads a prompt from its document.
pub(in super::super) fn read(xml: &str) -> Result<UnifiedPrompt, EnvelopeError> {
    let mut document = Document { reader: Reader::from_str(xml) };
    let mut prompt = UnifiedPrompt::default();
    document.expect_start(PROMPT)?;
    let mut element = document.next()?;
    if is_start(&element, SYSTEM_PROMPT) {
        prompt.system_prompt = Some(document.content()?);
        element = document.next()?;
    }
    if !is_start(&element, CONTEXT) {
        return Err(document.unexpected(&element));
    }
    loop {
        match document.next()? {
            Event::Start(start) => prompt.context.push(document.item(&start)?),
            Event::End(_) => break,
            other => return Err(document.unexpected(&other)),
        }
    }
    document.expect_start(INSTRUCTIONS)?;
    prompt.instructions = document.content()?;
    match (document.next()?, document.next()?) {
        (Event::End(_), Event::Eof) => Ok(prompt),
        (Event::End(_), other) | (other, _) => Err(document.unexpected(&other)),
    }
}

struct Document<'x> {
    reader: Reader<&'x [u8]>,
}

impl<'x> Document<'x> {
    fn event(&mut self) -> Result<Event<'x>, EnvelopeError> {
        self.reader.read_event().map_err(|error| EnvelopeError::Malformed {
            offset: self.reader.error_position(),
            reason: error.to_string(),
        })
    }

    /// Returns the next event that is not the white space between elements.
    fn next(&mut self) -> Result<Event<'x>, EnvelopeError> {
        loop {
            match self.event()? {
                Event::Text(text) if text.trim().is_empty() => {}
                event => return Ok(event),
            }
        }
    }

    fn expect_start(&mut self, tag: &str) -> Result<(), EnvelopeError> {
        let event = self.next()?;
        if is_start(&event, tag) { Ok(()) } else { Err(self.unexpected(&event)) }
    }

    fn item(&mut self, start: &BytesStart<'_>) -> Result<ContextItem, EnvelopeError> {
        let kinds = [ContextKind::File, ContextKind::Artifact, ContextKind::Thought];
        let known = kinds.into_iter().find(|kind| tag(*kind).0 == start.name().as_ref());
        let mut attributes = start.attributes();
        let (Some(kind), Some(Ok(attribute)), None) = (known, attributes.next(), attributes.next())
        else {
            return Err(self.unexpected(&Event::Start(start.borrow())));
        };
        if attribute.key.as_ref() != tag(kind).1 {
            return Err(self.unexpected(&Event::Start(start.borrow())));
        }
        let name = quick_xml::escape::unescape(&attribute.value)
            .map_err(|error| self.malformed(&error))?;
        Ok(ContextItem { kind, name: name.into_owned(), content: self.content()? })
    }

    /// Reads text, CDATA sections and references up to the end of the element.
    fn content(&mut self) -> Result<String, EnvelopeError> {
        let mut content = String::new();
        loop {
            match self.event()? {
                Event::Text(text) => content.push_str(&text),
                Event::CData(section) => content.push_str(&section),
                Event::GeneralRef(reference) => self.reference(&reference, &mut content)?,
                Event::End(_) => return Ok(content),
                other => return Err(self.unexpected(&other)),
            }
        }
    }

    fn reference(
        &self,
        reference: &BytesRef<'_>,
        content: &mut String,
    ) -> Result<(), EnvelopeError> {
        if let Some(c) = reference.resolve_char_ref().map_err(|error| self.malformed(&error))? {
            content.push(c);
            return Ok(());
        }
        match resolve_predefined_entity(reference) {
            Some(text) => content.push_str(text),
            None => return Err(self.unexpected(&Event::GeneralRef(reference.borrow()))),
        }
        Ok(())
    }

    fn malformed(&self, error: &dyn std::error::Error) -> EnvelopeError {
        EnvelopeError::Malformed {
            offset: self.reader.buffer_position(),
            reason: error.to_string(),
        }
    }

    fn unexpected(&self, event: &Event<'_>) -> EnvelopeError {
        let what = match event {
            Event::Start(start) | Event::Empty(start) => {
                format!("element `{}`", start.name().as_ref())
            }
            Event::End(end) => format!("end of element `{}`", end.name().as_ref()),
            Event::Text(_) | Event::CData(_) => "text".to_owned(),
            Event::GeneralRef(_) => "reference".to_owned(),
            Event::Eof => "end of the document".to_owned(),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {
                "declaration".to_owned()
            }
        };
        EnvelopeError::Unexpected { offset: self.reader.buffer_position(), what }
    }
}

fn is_start(event: &Event<'_>, tag: &str) -> bool {
    matches!(event, Event::Start(start) if start.name().as_ref() == tag && start.attributes_raw().trim().is_empty())
}
