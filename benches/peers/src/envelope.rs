//! The envelope group: the same prompt in the same tags, with the text guarded by agentd or escaped by others.

use std::hint::black_box;

use agentd::models::prompt::{ContextItem, UnifiedPrompt};
use quick_xml::Writer;
use quick_xml::escape::{escape, partial_escape};
use quick_xml::events::{BytesText, Event};

use crate::group::Group;
use crate::inputs;

/// Compares ways to put files into an XML document. What is right is what reads back as the same prompt.
pub fn compare() {
    let prompt = inputs::prompt();
    let output = prompt.to_xml();
    let size: usize = prompt.context.iter().map(|item| item.content.len()).sum();
    let title =
        format!("{} files of {size} bytes in all as one XML document", prompt.context.len());
    let reads_back = |xml: &str| UnifiedPrompt::from_xml(xml).is_ok_and(|read| read == prompt);

    let mut group = Group::new(title, &output, reads_back);
    group.fresh("agentd", || black_box(&prompt).to_xml());
    group.reused("agentd (reused buffer)", Vec::as_slice, |buffer: &mut Vec<u8>| {
        buffer.clear();
        black_box(&prompt).write_xml(buffer).expect("a vector takes everything");
    });
    group.fresh("quick-xml escape", || {
        document(black_box(&prompt), |text, out| out.push_str(&escape(text)))
    });
    group.fresh("quick-xml partial_escape", || {
        document(black_box(&prompt), |text, out| out.push_str(&partial_escape(text)))
    });
    group.fresh("quick-xml Writer", || written(black_box(&prompt)));
    group.fresh("html-escape encode_text", || {
        document(black_box(&prompt), |text, out| {
            html_escape::encode_text_to_string(text, out);
        })
    });
    group.run();
}

/// Writes the document by hand, with `put` to escape what stands between the tags.
fn document(prompt: &UnifiedPrompt, put: impl Fn(&str, &mut String)) -> String {
    let mut out = String::with_capacity(room(prompt));
    out.push_str("<prompt>\n<context>\n");
    for ContextItem { name, content, .. } in &prompt.context {
        out.push_str("<file path='");
        put(name, &mut out);
        out.push_str("'>");
        put(content, &mut out);
        out.push_str("</file>\n");
    }
    out.push_str("</context>\n<instructions>");
    put(&prompt.instructions, &mut out);
    out.push_str("</instructions>\n</prompt>\n");
    out
}

/// Writes the document with quick-xml's writer alone.
fn written(prompt: &UnifiedPrompt) -> String {
    let line_break = || BytesText::from_escaped("\n");
    let mut writer = Writer::new(Vec::with_capacity(room(prompt)));
    let result = writer.create_element("prompt").write_inner_content(|writer| {
        writer.create_element("context").write_inner_content(|writer| {
            for ContextItem { name, content, .. } in &prompt.context {
                let file = writer.create_element("file").with_attribute(("path", name.as_str()));
                file.write_text_content(BytesText::new(content))?
                    .write_event(Event::Text(line_break()))?;
            }
            Ok(())
        })?;
        let instructions = writer.create_element("instructions");
        instructions.write_text_content(BytesText::new(&prompt.instructions))?;
        Ok(())
    });
    result.expect("a vector takes everything");
    String::from_utf8(writer.into_inner()).expect("a document is text")
}

/// Gives a capacity that an escaped document does not outgrow, so that nobody pays for growing.
fn room(prompt: &UnifiedPrompt) -> usize {
    prompt.context.iter().map(|item| item.content.len()).sum::<usize>() * 5 / 4
}
