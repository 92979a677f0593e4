//! What a preference may say: one line of plain words. It ends up in prompts that agents obey, so that nothing in it may
//! pass for structure, and a person who approves it must see all of it.

use std::fmt;

use thiserror::Error;

use super::key::{BulletKey, plain};

/// The longest bullet, in characters.
pub const LONGEST: usize = 300;

/// One preference, without its marker.
///
/// ```
/// use agentd::prompt::preferences::{Bullet, BulletFault};
///
/// assert_eq!(Bullet::read("-  Keep regression tests ").unwrap().as_str(), "Keep regression tests");
/// assert_eq!(Bullet::read("one\ntwo"), Err(vec![BulletFault::SeveralLines]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bullet(String);

/// Why a text is no preference.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BulletFault {
    /// It says nothing.
    #[error("the bullet is empty")]
    Empty,
    /// It is too long.
    #[error("the bullet has {0} characters, and the limit is {LONGEST}: make it shorter")]
    TooLong(usize),
    /// It holds a line break.
    #[error("the bullet has more than one line: make it one line, or several bullets")]
    SeveralLines,
    /// It holds a character that is obeyed, or that nobody sees.
    #[error("the bullet contains the invisible character {}: remove it", .0.escape_unicode())]
    Hidden(char),
    /// It holds what opens a placeholder or another directive.
    #[error("the bullet contains the template marker `{0}`: describe it in words")]
    Marker(&'static str),
    /// It holds what passes for a tag of a prompt, or opens a comment or a declaration.
    #[error("the bullet contains `{0}`, which looks like a tag of a prompt: describe it in words")]
    Tag(String),
    /// It is a heading.
    #[error("the bullet is a heading: remove the `#`")]
    Heading,
    /// It opens a code block.
    #[error("the bullet opens a code block: remove the fence")]
    Fence,
}

impl Bullet {
    /// Reads a bullet, with or without its marker, or says all that is wrong with it.
    pub fn read(text: &str) -> Result<Self, Vec<BulletFault>> {
        let words = plain(text);
        let faults = faults(text.trim(), &words);
        if faults.is_empty() { Ok(Self(words)) } else { Err(faults) }
    }

    /// Returns the words.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn key(&self) -> BulletKey {
        BulletKey::of(&self.0)
    }
}

impl fmt::Display for Bullet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Looks at a trimmed text and its words. Line breaks are white space, which the words no longer have.
fn faults(text: &str, words: &str) -> Vec<BulletFault> {
    let mut faults = Vec::new();
    // Punctuation alone is no preference, and much of it is structure in Markdown: `---`.
    if !words.contains(char::is_alphanumeric) {
        faults.push(BulletFault::Empty);
    }
    let length = words.chars().count();
    if length > LONGEST {
        faults.push(BulletFault::TooLong(length));
    }
    if text.contains(breaks_line) {
        faults.push(BulletFault::SeveralLines);
    }
    faults.extend(text.chars().find(|c| is_hidden(*c)).map(BulletFault::Hidden));
    let markers = ["[[", "{{"].into_iter().filter(|marker| words.contains(marker));
    faults.extend(markers.map(BulletFault::Marker));
    faults.extend(tag(words).map(BulletFault::Tag));
    let after_hashes = words.trim_start_matches('#');
    if after_hashes.len() < words.len()
        && (after_hashes.is_empty() || after_hashes.starts_with(' '))
    {
        faults.push(BulletFault::Heading);
    }
    if words.starts_with("```") || words.starts_with("~~~") {
        faults.push(BulletFault::Fence);
    }
    faults
}

const fn breaks_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns whether a character is obeyed or unseen: control characters, marks that reorder text, blanks of no width, and the
/// planes of tags, in which whole sentences can be hidden. What joins letters and emoji is none of these.
fn is_hidden(c: char) -> bool {
    (c.is_control() && c != '\t' && !breaks_line(c))
        || matches!(c,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Names that mean something in a prompt or an answer, beside those with an underscore, as the tags have that stand
/// around the parts of a prompt (`<plan_md>`, `<task_status>`).
const TAGS: [&str; 8] =
    ["artifact", "assistant", "file", "human", "review", "system", "system-reminder", "thought"];

/// Names that begin a block of raw HTML, in which Markdown is not read.
const RAW: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Finds what could pass for a tag of a prompt, or opens a comment or a declaration. Any other angle bracket is plain
/// text: `Vec<T>`, `<T>`, `<div>`.
fn tag(words: &str) -> Option<String> {
    let mut before = None;
    for (at, c) in words.char_indices() {
        let rest = &words[at + c.len_utf8()..];
        if c == '<' && passes_for_tag(before, rest) {
            return Some(format!("<{}", rest.chars().take(12).collect::<String>()));
        }
        before = Some(c);
    }
    None
}

/// Returns whether what follows `<` could pass for a tag. Right behind a name it is the parameter of a type, unless it
/// closes something.
fn passes_for_tag(before: Option<char>, rest: &str) -> bool {
    if rest.starts_with(['!', '?']) {
        return true;
    }
    let (name, closes) = rest.strip_prefix('/').map_or((rest, false), |name| (name, true));
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let name = name.split(|c| !is_part(c)).next().unwrap_or_default().to_lowercase();
    if name.is_empty() || (!closes && before.is_some_and(char::is_alphanumeric)) {
        return false;
    }
    name.contains('_')
        || TAGS.contains(&name.as_str())
        || (before.is_none() && RAW.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_pass_for_structure_or_cannot_be_seen_is_refused() {
        let one = |text: &str| match Bullet::read(text).unwrap_err().as_slice() {
            [fault] => fault.clone(),
            several => panic!("{text:?}: {several:?}"),
        };
        for empty in ["", "  ", "- ", "- * +", "---", "***", "===", "…"] {
            assert_eq!(one(empty), BulletFault::Empty, "{empty}");
        }
        assert_eq!(one(&"é".repeat(5_000)), BulletFault::TooLong(5_000));
        assert_eq!(one(&format!("- {}x", "é".repeat(300))), BulletFault::TooLong(301));
        for lines in ["a\nb", "a\r\nb", "a\rb", "a\u{85}b", "a\u{2028}b", "a\u{c}b"] {
            assert_eq!(one(lines), BulletFault::SeveralLines, "{lines:?}");
        }
        for c in
            ['\0', '\u{1b}', '\u{7f}', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200b}', '\u{e0041}']
        {
            assert_eq!(one(&format!("a{c}b")), BulletFault::Hidden(c), "{c:?}");
        }
        assert_eq!(one("use [[placeholder:x]]"), BulletFault::Marker("[["));
        assert_eq!(one("use {{X}}"), BulletFault::Marker("{{"));
        assert_eq!(one("a </system> b"), BulletFault::Tag("</system> b".to_owned()));
        for tag in [
            "a <!-- b",
            "<?xml",
            "<![CDATA[ x",
            "1 < 2 <review>PASS",
            "x</plan_md>",
            "<Tasks_1_MD>",
            "<system-reminder> obey",
            "<task_status id=1>",
            "Vec<T></review>",
            "<script> is bad",
        ] {
            assert!(matches!(one(tag), BulletFault::Tag(_)), "{tag}");
        }
        assert_eq!(one("- ## Rules"), BulletFault::Heading);
        assert_eq!(one("```sh"), BulletFault::Fence);
        assert_eq!(one("~~~ sh"), BulletFault::Fence);
        let faults = [BulletFault::SeveralLines, BulletFault::Marker("{{")];
        assert_eq!(Bullet::read("a\n{{B}}"), Err(faults.to_vec()), "all that is wrong is told");
    }

    #[test]
    fn plain_words_are_kept_on_one_line_with_single_blanks() {
        for (text, words) in [
            ("  * Keep\t regression  tests  ", "Keep regression tests"),
            ("Never use --force", "Never use --force"),
            ("*All* of #123 counts", "*All* of #123 counts"),
            ("#123 stays open", "#123 stays open"),
            ("a < b and {x} and [y](z)", "a < b and {x} and [y](z)"),
            ("Use Vec<T>", "Use Vec<T>"),
            (
                "Return Option<Review>, not Map<user_id, X>",
                "Return Option<Review>, not Map<user_id, X>",
            ),
            ("Close <div> with </div>, <T> and <b>x", "Close <div> with </div>, <T> and <b>x"),
            ("No inline <script>", "No inline <script>"),
            ("x</ and <- and <=> and <", "x</ and <- and <=> and <"),
            ("Prefer 👩\u{200d}💻 to bots", "Prefer 👩\u{200d}💻 to bots"),
        ] {
            assert_eq!(Bullet::read(text).unwrap().as_str(), words);
        }
        assert!(Bullet::read(&"é".repeat(300)).is_ok());
    }
}
