//! Finds the tags that matter to a reader of answers, however they are spelled: in any case, with attributes, with
//! blanks in them, not closed, or with another sign in the place of `<`.

use memchr::{memchr2, memchr3_iter};

use crate::template::is_invisible;

/// What a tag belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Review,
    TaskStatus,
    Blocked,
    Thought,
    /// An element whose content is shown as an example or a quotation, or is not shown; by its place in [`ELEMENTS`].
    Element(usize),
    /// A comment, a declaration, a processing instruction or a CDATA section.
    Comment,
}

impl Name {
    /// Returns whether it is the name of a marker that says something.
    pub(super) const fn speaks(self) -> bool {
        matches!(self, Self::Review | Self::TaskStatus | Self::Blocked)
    }
}

/// The elements in which a verdict is not the answer's own: they quote, show an example, hold thoughts, or are not shown.
pub(super) const ELEMENTS: [&str; 45] = [
    "analysis",
    "antthinking",
    "blockquote",
    "cite",
    "code",
    "del",
    "dialog",
    "draft",
    "example",
    "examples",
    "format",
    "head",
    "iframe",
    "kbd",
    "listing",
    "math",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "output_format",
    "plaintext",
    "pre",
    "q",
    "quote",
    "reasoning",
    "s",
    "samp",
    "sample",
    "scratchpad",
    "script",
    "select",
    "strike",
    "style",
    "svg",
    "template",
    "textarea",
    "think",
    "thinking",
    "thoughts",
    "title",
    "tt",
    "video",
    "xmp",
    "example_output",
];

/// Where a tag stands in its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    /// It opens and closes at once.
    Empty,
}

/// How a tag is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As the prompts teach it, but for attributes.
    Exact,
    /// In another way that still is a tag.
    Loose,
    /// Without an end, or with other signs than `<` and `>`.
    Broken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) at: usize,
    /// Behind its last byte; of a broken one behind its name.
    pub(super) end: usize,
    pub(super) name: Name,
    pub(super) kind: Kind,
    pub(super) form: Form,
}

/// Finds all tags, in order. A look at one ends at the next `<`, so that the whole takes linear time.
pub(super) fn find(text: &str) -> Vec<Tag> {
    // U+FF1C and U+FE64 both begin with EF.
    memchr3_iter(b'<', b'&', 0xef, text.as_bytes()).filter_map(|at| tag_at(text, at)).collect()
}

fn tag_at(text: &str, at: usize) -> Option<Tag> {
    let bytes = text.as_bytes();
    if bytes[at] != b'<' {
        let sign = ["&lt;", "&lt", "&#60;", "&#x3c;", "\u{ff1c}", "\u{fe64}"]
            .into_iter()
            .find(|sign| starts_with(bytes, at, sign))?;
        return named(text, at, at + sign.len(), true);
    }
    match bytes.get(at + 1)? {
        b'!' | b'?' => {
            Some(Tag { at, end: at, name: Name::Comment, kind: Kind::Open, form: Form::Exact })
        }
        _ => named(text, at, at + 1, false),
    }
}

/// Reads the tag whose sign for `<` ends before `after`.
fn named(text: &str, at: usize, after: usize, is_disguised: bool) -> Option<Tag> {
    let filler = &text[after..text.len() - skip_filler(&text[after..]).len()];
    let start = after + filler.len();
    let bytes = text.as_bytes();
    let closes = filler.contains('/');
    let (name, length) = name_at(&text[start..])?;
    // What hides text must be named to the letter: `</thoughts>` and `</thoughtß>` close no thought.
    let ends = text[start + length..].chars().next();
    let is_whole = ends.is_none_or(|c| !c.is_alphanumeric());
    let name = Some(name).filter(|name| match name {
        Name::Review | Name::TaskStatus | Name::Blocked => true,
        Name::Thought => is_whole && !is_disguised,
        Name::Comment => !is_disguised,
        // What stands in quotes belongs to another tag.
        Name::Element(_) => {
            let is_quoted = closes && text[..at].ends_with(['"', '\'', '=']);
            let is_closed = !closes || is_whole;
            is_closed && !is_disguised && !is_quoted
        }
    })?;
    let kind = if closes { Kind::Close } else { Kind::Open };
    let after_name = start + length;
    if is_disguised {
        let blank = text[after_name..].len() - text[after_name..].trim_start_matches(' ').len();
        let sign = ["&gt;", ">", "&#62;", "&#x3e;", "\u{ff1e}", "\u{fe65}"]
            .into_iter()
            .find(|sign| starts_with(bytes, after_name + blank, sign));
        let end = sign.map_or(after_name, |sign| after_name + blank + sign.len());
        return Some(Tag { at, end, name, kind, form: Form::Broken });
    }
    // One that is escaped, or has signs in its name that nobody sees, hides nothing and is left open.
    let is_odd = || length != "thought".len() || is_escaped(text, at);
    if name == Name::Thought && is_odd() {
        return Some(Tag { at, end: after_name, name, kind, form: Form::Broken });
    }
    let stop = memchr2(b'>', b'<', &bytes[after_name..]).map(|offset| after_name + offset);
    let Some(stop) = stop.filter(|stop| bytes[*stop] == b'>') else {
        return Some(Tag { at, end: after_name, name, kind, form: Form::Broken });
    };
    let is_empty = kind == Kind::Open && bytes[stop - 1] == b'/';
    let kind = if is_empty { Kind::Empty } else { kind };
    let plain = if closes { filler == "/" } else { filler.is_empty() };
    let is_taught =
        matches!(&text[start..after_name], "review" | "task_status" | "blocked" | "thought");
    let is_exact = plain && is_taught && !is_empty && stop == after_name;
    let form = if is_exact { Form::Exact } else { Form::Loose };
    Some(Tag { at, end: stop + 1, name, kind, form })
}

/// Returns whether a backslash stands before a place. Whether it escapes, Markdown knows.
pub(super) fn is_escaped(text: &str, at: usize) -> bool {
    text[..at].ends_with('\\')
}

/// Reads a name, as it is or without the backslashes and the signs that nobody sees in it, and says how long it is.
fn name_at(text: &str) -> Option<(Name, usize)> {
    let plain = text.bytes().take_while(|byte| is_name_byte(*byte)).count();
    if let Some(name) = name_of(&text[..plain]) {
        return Some((name, plain));
    }
    let is_sign = |c: char| c == '\\' || is_invisible(c);
    if !text[plain..].starts_with(is_sign) {
        return None;
    }
    let is_part = |c: char| c.is_ascii() && is_name_byte(c as u8) || is_sign(c);
    let length = text[plain..].find(|c| !is_part(c)).map_or(text.len(), |end| plain + end);
    let word: String = text[..length].chars().filter(|c| !is_sign(*c)).collect();
    Some((name_of(&word)?, length))
}

fn name_of(word: &str) -> Option<Name> {
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    if is("review") {
        Some(Name::Review)
    } else if ["task_status", "task-status", "taskstatus"].into_iter().any(is) {
        Some(Name::TaskStatus)
    } else if is("blocked") {
        Some(Name::Blocked)
    } else if is("thought") {
        Some(Name::Thought)
    } else {
        ELEMENTS.iter().position(|name| is(name)).map(Name::Element)
    }
}

/// Returns what stands in a tag behind its name, which is nothing in a broken one.
pub(super) fn attributes<'t>(text: &'t str, tag: &Tag) -> &'t str {
    let inner = text[tag.at..tag.end].strip_prefix('<').and_then(|inner| inner.strip_suffix('>'));
    let Some(inner) = inner.map(skip_filler) else { return "" };
    let name = name_at(inner).map_or(0, |(_, length)| length);
    inner[name..].trim().trim_end_matches('/').trim_end()
}

/// Reads the attribute `id` of an opening tag whose attributes are all of the form `name="value"`.
pub(super) fn id(tag: &str) -> Option<&str> {
    let mut rest = tag.strip_suffix('>')?.trim_start_matches(|c: char| !c.is_whitespace());
    let mut id = None;
    loop {
        let trimmed = rest.trim_start();
        if trimmed.is_empty() {
            break;
        }
        // A blank stands before every attribute.
        if trimmed.len() == rest.len() {
            return None;
        }
        let (name, value) = trimmed.split_once('=')?;
        let name = name.trim_end();
        if name.is_empty() || !name.bytes().all(is_name_byte) {
            return None;
        }
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, after) = value[1..].split_once(quote)?;
        if name == "id" && id.replace(value).is_some() {
            return None;
        }
        rest = after;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    id.filter(|id| !id.is_empty() && id.len() <= 32 && id.chars().all(is_part))
}

/// Skips what a lenient eye passes over between `<` and a tag's name.
fn skip_filler(text: &str) -> &str {
    text.trim_start_matches(|c: char| c == '/' || c == '\\' || c.is_whitespace() || is_invisible(c))
}

fn starts_with(bytes: &[u8], at: usize, sign: &str) -> bool {
    bytes.get(at..at + sign.len()).is_some_and(|part| part.eq_ignore_ascii_case(sign.as_bytes()))
}

const fn is_name_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Vec<(Name, Kind, Form)> {
        find(text).iter().map(|tag| (tag.name, tag.kind, tag.form)).collect()
    }

    #[test]
    fn a_tag_is_found_however_it_is_spelled() {
        use Form::{Broken, Exact, Loose};
        use Kind::{Close, Empty, Open};
        for (text, kind, form) in [
            ("<review>", Open, Exact),
            ("</review>", Close, Exact),
            ("<Review>", Open, Loose),
            ("< review >", Open, Loose),
            ("</ review >", Close, Loose),
            ("</review >", Close, Loose),
            ("<\u{200b}review>", Open, Loose),
            ("<review round=\"2\">", Open, Loose),
            ("<review\nx>", Open, Loose),
            ("<review/>", Empty, Loose),
            ("<review", Open, Broken),
            ("<review <b>", Open, Broken),
            ("&lt;review&gt;", Open, Broken),
            ("&#60;/review>", Close, Broken),
            ("\u{ff1c}review\u{ff1e}", Open, Broken),
            ("<re\u{200b}view>", Open, Loose),
            ("<re\\view>", Open, Loose),
        ] {
            assert_eq!(spelled(text), [(Name::Review, kind, form)], "{text}");
        }
        for text in
            ["<reviews>", "<review-notes>", "<re view>", "a < b", "<", "<1review>", "&lt;b&gt;"]
        {
            assert_eq!(spelled(text), [], "{text}");
        }
        for tag in ["&lt;review&gt;", "&lt;review  &gt;", "&lt;review >"] {
            assert_eq!(find(&format!("{tag}x"))[0].end, tag.len());
        }
    }

    #[test]
    fn an_id_is_a_whole_attribute() {
        for (tag, expected) in [
            ("<task_status id=\"1.1\">", Some("1.1")),
            ("<task_status id='a-b_c'>", Some("a-b_c")),
            ("<task_status  note=\"id='2'\"  id = \"1\" >", Some("1")),
            ("<task_status data-id=\"1.1\">", None),
            ("<task_status uuid=\"1.1\">", None),
            ("<task_status data-id=\"9\" id=\"1\">", Some("1")),
            ("<task_status id=\"1\" id=\"2\">", None),
            ("<task_status id=1>", None),
            ("<task_status =\"2\" id=\"1\">", None),
            ("<task_status a$=\"2\" id=\"1\">", None),
            ("<task_status id=\"1\"id2=\"2\">", None),
            ("<task_status id=\"\">", None),
            ("<task_status id=\"a b\">", None),
            ("<task_status>", None),
        ] {
            assert_eq!(id(tag), expected, "{tag}");
        }
    }
}
