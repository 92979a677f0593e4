//! What a person sees of an answer that is rendered, with the tags of markers shown as text. Slow and simple on purpose.

use agentd::template::is_invisible;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// Stands for code, and for a line in a quotation.
const CODE: &str = "\u{2}";
const QUOTED: &str = "\u{3}";

/// Returns whether a line of the rendered answer is the verdict alone: with its closed thoughts taken out before it is
/// rendered, or after it.
pub(super) fn shows_a_pass(text: &str) -> bool {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    [rendered(&without_closed_thoughts(&text)), without_closed_thoughts(&rendered(&text))]
        .iter()
        .any(|rendered| has_line(rendered))
}

/// Returns whether a tag of a verdict, in any form, does not hold PASS. Closed thoughts may say what they like, and inline
/// code may name the tag. Between ticks, the tag of a thought may be code or not.
pub(super) fn says_another_verdict(text: &str) -> bool {
    let mut unnamed = text.to_owned();
    for (at, _) in text.match_indices('<') {
        let end = text[at..].find('>').map_or(text.len(), |end| at + end + 1);
        let is_thought = text[at..end].to_lowercase().contains("thought");
        if is_thought && text[..at].ends_with('`') && text[end..].starts_with('`') {
            unnamed.replace_range(at..=at, "(");
        }
    }
    [text, &unnamed].iter().all(|text| says_another(&without_closed_thoughts(text)))
}

fn says_another(text: &str) -> bool {
    let mut text = text.to_lowercase();
    // A verdict that is written with entities is one.
    for sign in ["&lt;", "&lt", "&#60;", "&#x3c;", "\u{ff1c}", "\u{fe64}"] {
        text = text.replace(sign, "<");
    }
    for sign in ["&gt;", "&#62;", "&#x3e;", "\u{ff1e}", "\u{fe65}"] {
        text = text.replace(sign, ">");
    }
    let mut rest = text.as_str();
    let mut says = false;
    while let Some(at) = rest.find("<review") {
        let tag = &rest[at + "<review".len()..];
        let is_other_name = tag.starts_with(|c: char| c.is_alphanumeric() || "_-.:".contains(c));
        let is_code = rest[..at].trim_end_matches(' ').ends_with('`');
        // A tag that has no end says what follows its name.
        let end = tag.find(['<', '>']).filter(|end| tag[*end..].starts_with('>'));
        let content = end.map_or(tag, |end| &tag[end + 1..]);
        let is_sign = |c: char| !c.is_alphanumeric();
        let content = content.trim_start_matches(is_sign);
        let word = content.split('<').next().unwrap_or_default().trim_end_matches(is_sign);
        says |= !is_other_name && !is_code && word != "pass";
        rest = tag;
    }
    says
}

fn has_line(rendered: &str) -> bool {
    let mut before = 0;
    rendered.split('\n').any(|line| {
        let place = before;
        before += line.len() + 1;
        // Signs of a list or of emphasis that Markdown takes for text are shown, and say nothing.
        let signs = |c: char| "-+#.)".contains(c) || c.is_whitespace() || c.is_ascii_digit();
        let line = line.replace(['*', '_'], "");
        let line = line.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        let line = line.trim_start_matches(signs);
        let line = line.trim_end().trim_end_matches('#').trim_end();
        let verdict = line.find("<review>").map_or(line, |at| &line[at..]);
        let label = line[..line.len() - verdict.len()].trim();
        let label = label.strip_suffix([':', '-', '\u{2013}', '\u{2014}']).unwrap_or(label);
        let label = label.trim_end().to_lowercase();
        let is_label =
            ["", "verdict", "final verdict", "review", "result"].contains(&label.as_str());
        let markers: Vec<&str> = verdict.split("</review>").map(str::trim).collect();
        let (last, passes) = markers.split_last().expect("a split has a part");
        let is_pass = |marker: &&str| {
            marker.strip_prefix("<review>").is_some_and(|word| word.trim() == "PASS")
        };
        let is_verdict = last.is_empty() && !passes.is_empty() && passes.iter().all(is_pass);
        is_label && is_verdict && !is_hidden(rendered, place)
    })
}

/// Returns whether an element that hides or quotes is open, or a thought, or a comment.
fn is_hidden(rendered: &str, place: usize) -> bool {
    let (before, after) = rendered.split_at(place);
    let before = without_closed(&before.to_lowercase(), "<![", "]]>");
    let before = without_closed(&before, "<!--", "-->");
    let (before, after) = (without_closed(&before, "<?", "?>"), after.to_lowercase());
    let elements = ["pre", "code", "blockquote", "example", "thinking"];
    let is_open = |name: &&str| tags(&before, name, false) > tags(&before, name, true);
    elements.iter().any(is_open)
        || tags(&before, "thought", false) > 0
        || tags(&after, "thought", true) > 0
        || before.rfind("<!--").is_some_and(|open| !before[open + 2..].contains("-->"))
}

/// Removes comments, or what else stands between two signs, if it is closed.
fn without_closed(text: &str, open: &str, close: &str) -> String {
    let Some((before, rest)) = text.split_once(open) else { return text.to_owned() };
    match rest.split_once(close) {
        Some((_, behind)) => before.to_owned() + &without_closed(behind, open, close),
        None => text.to_owned(),
    }
}

fn tags(text: &str, name: &str, closing: bool) -> usize {
    let is_tag = |rest: &&str| {
        let rest = rest.trim_start();
        let named = if closing { rest.strip_prefix('/').map(str::trim_start) } else { Some(rest) };
        let after = named.and_then(|rest| rest.strip_prefix(name));
        after.is_some_and(|after| {
            !after.starts_with(|c: char| c.is_alphanumeric() || "_-.:".contains(c))
        })
    };
    text.split('<').skip(1).filter(is_tag).count()
}

/// Removes thoughts from the innermost outwards, until none is left that is closed.
fn without_closed_thoughts(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some((open, end)) = innermost(&text) {
        text.replace_range(open..end, "");
    }
    text
}

/// Finds the first closing tag of a thought, and the last opening one before it.
fn innermost(text: &str) -> Option<(usize, usize)> {
    let mut open = None;
    for (at, _) in text.match_indices('<') {
        let rest = &text[at + 1..];
        // What can be seen there, but for a slash, makes it the text of something else.
        let is_filler = |c: char| "/\\".contains(c) || c.is_whitespace() || is_invisible(c);
        let name = rest.trim_start_matches(is_filler);
        let filler = &rest[..rest.len() - name.len()];
        let is_name = name.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("thought"))
            && !name[7..].starts_with(|c: char| c.is_alphanumeric() || "_-.:".contains(c));
        let Some(end) =
            rest.find(['<', '>']).filter(|end| is_name && rest[*end..].starts_with('>'))
        else {
            continue;
        };
        match (filler.contains('/'), open) {
            (false, _) if rest[..end].ends_with('/') => {}
            (false, _) => open = Some(at),
            (true, Some(open)) => return Some((open, at + 1 + end + 1)),
            (true, None) => {}
        }
    }
    None
}

/// Renders Markdown as text: code is one sign, a quotation begins each of its lines with another.
fn rendered(text: &str) -> String {
    let mut out = String::new();
    let (mut code, mut quotes) = (0, 0);
    for (event, range) in Parser::new(text).into_offset_iter() {
        // A sign that is escaped, or written as an entity, begins no tag.
        let is_escaped =
            text[..range.start].ends_with('\\') || text[range.start..].starts_with('&');
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                code += 1;
                out.push('\n');
                out.push_str(CODE);
            }
            Event::End(TagEnd::CodeBlock) => {
                code -= 1;
                out.push('\n');
            }
            Event::Start(Tag::BlockQuote(_)) => {
                quotes += 1;
                out.push('\n');
                out.push_str(QUOTED);
            }
            Event::End(TagEnd::BlockQuote(_)) => {
                quotes -= 1;
                out.push('\n');
            }
            Event::Code(_) => out.push_str(CODE),
            Event::Text(_) if code > 0 => {}
            Event::Text(words) if is_escaped && words.starts_with('<') => {
                out.push('(');
                out.push_str(&words[1..]);
            }
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => {
                for piece in words.split_inclusive('\n') {
                    out.push_str(piece);
                    if piece.ends_with('\n') && quotes > 0 {
                        out.push_str(QUOTED);
                    }
                }
            }
            Event::Start(Tag::Emphasis | Tag::Strong)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong) => {
                out.push('_');
            }
            Event::SoftBreak
            | Event::HardBreak
            | Event::Start(
                Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::List(_) | Tag::HtmlBlock,
            )
            | Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::List(_)
                | TagEnd::HtmlBlock,
            ) => {
                out.push('\n');
                if quotes > 0 {
                    out.push_str(QUOTED);
                }
            }
            _ => {}
        }
    }
    out
}
