//! The tags that a prompt is made of, and the guard: no text that is filled in can make one.
//!
//! Our own tags are those of the protocol and the frames of all templates. The guard changes the `<` of what would
//! read as one of them, and nothing else; a text without such a tag is copied as it is.

use std::borrow::Cow;
use std::iter;
use std::sync::LazyLock;

use super::slot::Slot;
use super::tag_name::{is_filler_byte, name_after, seen_further};

/// The tags of the document and of the answers, sorted.
const PROTOCOL: &[&str] = &[
    "artifact",
    "blocked",
    "context",
    "file",
    "instructions",
    "prompt",
    "review",
    "system_prompt",
    "task_status",
    "thinking",
    "thought",
];

/// The tags that only the document itself has, sorted.
const STRUCTURE: &[&str] =
    &["artifact", "context", "file", "instructions", "prompt", "system_prompt"];

/// A set of tags that only we may write.
///
/// ```
/// use agentd::template::Tags;
///
/// let tags = Tags::PROTOCOL.with(["open_tasks"]);
/// assert_eq!(tags.guard("Vec<T> </open_tasks>"), "Vec<T> &lt;/open_tasks>");
/// assert_eq!(tags.guard("< / OPEN_TASKS x='1'>"), "&lt; / OPEN_TASKS x='1'>");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tags<'t> {
    /// The names in lower case, sorted.
    names: Cow<'t, [&'t str]>,
    /// Where the names of each first letter begin; the last entry is their number.
    starts: [u16; LETTERS + 1],
    /// For each byte after a `<`, which may come second and third where it begins a tag, as [`bits`]: the look that
    /// settles almost every `<` of code.
    next: [[u32; 2]; 256],
}

/// What comes after a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// More text, which could complete a tag.
    Open,
    /// A tag of our own.
    Closed,
}

const LETTERS: usize = 26;

static LESS_THAN: LazyLock<memchr::memmem::Finder<'static>> =
    LazyLock::new(|| memchr::memmem::Finder::new("lt;"));

impl Tags<'static> {
    /// No tags at all, for text that is guarded later.
    pub const NONE: Self = Self::new(&[]);

    /// The tags of the document and of the answers.
    pub const PROTOCOL: Self = Self::new(PROTOCOL);

    /// The tags of the document alone, without those that a system prompt teaches.
    pub const STRUCTURE: Self = Self::new(STRUCTURE);
}

impl<'t> Tags<'t> {
    /// Makes a set of names in lower case that are sorted and begin with a letter.
    pub const fn new(names: &'t [&'t str]) -> Self {
        Self { starts: starts(names), next: next(names), names: Cow::Borrowed(names) }
    }

    fn of(names: Vec<&'t str>) -> Self {
        Self { starts: starts(&names), next: next(&names), names: Cow::Owned(names) }
    }

    /// Returns the set with more names.
    #[must_use]
    pub fn with<'m>(&self, more: impl IntoIterator<Item = &'m str>) -> Tags<'m>
    where
        't: 'm,
    {
        let mut names: Vec<&'m str> = self.names.to_vec();
        names.extend(more);
        names.sort_unstable();
        names.dedup();
        Tags::of(names)
    }

    /// Returns the set without some of its names.
    #[must_use]
    pub fn without(&self, less: &[&str]) -> Self {
        let kept = self.names.iter().copied().filter(|name| !less.contains(name));
        Self::of(kept.collect())
    }

    /// Lists the names, sorted.
    pub fn names(&self) -> &[&'t str] {
        &self.names
    }

    /// Returns whether a name, in any case, is one of the set.
    #[inline]
    pub fn contains(&self, name: &str) -> bool {
        self.of_initial(name.as_bytes()).iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Returns whether what follows a `<` makes it the beginning of a tag of the set: blanks, slashes and characters
    /// that nobody sees may stand before the name, which may be in any case. Where the text goes on, a tag that it leaves
    /// half written counts too: what follows could complete it.
    pub fn begin(&self, text: &str, after: usize, ending: Ending) -> bool {
        let place = name_after(text, after);
        let further = seen_further(text, place.clone());
        let is_whole = |end: usize| ending == Ending::Closed || end < text.len();
        self.may_be(&text[place.clone()], is_whole(place.end))
            || further.is_some_and(|(name, end)| self.may_be(&name, is_whole(end)))
    }

    /// Returns whether a name is one of the set, or could become one where the text ends with it.
    fn may_be(&self, name: &str, is_whole: bool) -> bool {
        if is_whole {
            return self.contains(name);
        }
        let begins = |own: &&str| {
            own.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        (name.is_empty() && !self.names.is_empty())
            || self.of_initial(name.as_bytes()).iter().any(begins)
    }

    /// Lists the names with the same first letter.
    #[inline]
    fn of_initial(&self, name: &[u8]) -> &[&'t str] {
        let Some(letter) = name.first().map(u8::to_ascii_lowercase) else { return &[] };
        let letter = usize::from(letter.wrapping_sub(b'a'));
        if letter >= LETTERS {
            return &[];
        }
        &self.names[usize::from(self.starts[letter])..usize::from(self.starts[letter + 1])]
    }

    /// Returns a text as it may stand in a prompt: every `<` that would begin a tag of the set is written `&lt;`.
    ///
    /// Nothing is lost: where the text itself holds `&lt;` before such a name, that becomes `&amp;lt;`. A text that
    /// needs no change is not copied.
    pub fn guard<'s>(&self, text: &'s str) -> Cow<'s, str> {
        let measured = Slot::foreign(text).measured(self);
        if measured.is_plain() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(measured.size());
        measured.push(self, &mut out);
        Cow::Owned(out)
    }

    /// Guards the end of a text, from `start` on, where it stands.
    pub fn guard_from(&self, start: usize, out: &mut String) {
        let guarded = match self.guard(&out[start..]) {
            Cow::Borrowed(_) => return,
            Cow::Owned(guarded) => guarded,
        };
        out.truncate(start);
        out.push_str(&guarded);
    }

    /// Returns whether three bytes after a `<` leave open that it begins a tag.
    #[inline]
    fn may_begin(&self, first: u8, second: u8, third: u8) -> bool {
        let [seconds, thirds] = self.next[usize::from(first)];
        seconds & bits(second) != 0 && thirds & bits(third) != 0
    }

    /// Finds every `<` from `from` on that would begin a tag of the set, and every one before a byte of `also`.
    #[inline]
    pub fn openers<'s>(
        &'s self,
        text: &'s str,
        from: usize,
        (also, ending): (&'static [u8], Ending),
    ) -> impl Iterator<Item = usize> + 's {
        let bytes = text.as_bytes();
        let places = memchr::memchr_iter(b'<', &bytes[from..]).map(move |offset| from + offset);
        places.filter(move |at| match bytes[at + 1..] {
            [first, ..] if also.contains(&first) => true,
            [first, second, third, ..] if !self.may_begin(first, second, third) => false,
            _ => self.begin(text, at + 1, ending),
        })
    }

    /// Finds every `&` from `from` on that begins what the guard writes for a `<`, or for such an `&`: `&lt;`,
    /// `&amp;lt;` and so on, before a name of the set. Code is full of `&`, so it is `lt;` that is searched for.
    fn entities<'s>(&'s self, text: &'s str, from: usize) -> impl Iterator<Item = usize> + 's {
        let bytes = &text.as_bytes()[from..];
        LESS_THAN.find_iter(bytes).filter_map(move |name| {
            let mut before = &bytes[..name];
            while let Some(shorter) = before.strip_suffix(b"amp;") {
                before = shorter;
            }
            let at = from + before.strip_suffix(b"&")?.len();
            self.begin(text, from + name + b"lt;".len(), Ending::Open).then_some(at)
        })
    }

    /// Finds the bytes that are written in another way, from `from` on: their places and what is written.
    pub(super) fn changes<'s>(
        &'s self,
        text: &'s str,
        from: usize,
    ) -> impl Iterator<Item = (usize, &'static str)> + 's {
        let mut openers =
            self.openers(text, from, (b"", Ending::Open)).map(|at| (at, "&lt;")).peekable();
        let mut entities = self.entities(text, from).map(|at| (at, "&amp;")).peekable();
        iter::from_fn(move || match (openers.peek(), entities.peek()) {
            (Some(opener), Some(entity)) if entity < opener => entities.next(),
            (Some(_), _) => openers.next(),
            (None, _) => entities.next(),
        })
    }
}

/// Counts the names before each first letter.
const fn starts(names: &[&str]) -> [u16; LETTERS + 1] {
    let mut starts = [0; LETTERS + 1];
    let (mut letter, mut number) = (0, 0);
    while letter < LETTERS {
        while number < names.len()
            && (names[number].as_bytes()[0] as usize) < b'a' as usize + letter
        {
            number += 1;
        }
        starts[letter] = index(number);
        letter += 1;
    }
    starts[LETTERS] = index(names.len());
    starts
}

/// Marks the bytes with which a tag may go on: any after what may stand before a name, else the letters of names.
const fn next(names: &[&str]) -> [[u32; 2]; 256] {
    let mut next = [[0; 2]; 256];
    let mut byte = 0;
    while byte < next.len() {
        if is_filler_byte(byte) && !names.is_empty() {
            next[byte] = [u32::MAX; 2];
        }
        byte += 1;
    }
    let mut number = 0;
    while number < names.len() {
        let name = names[number].as_bytes();
        let second = if name.len() > 1 { bits(name[1]) } else { u32::MAX };
        let third = if name.len() > 2 { bits(name[2]) } else { u32::MAX };
        let (lower, upper) = (name[0].to_ascii_lowercase(), name[0].to_ascii_uppercase());
        let [seconds, thirds] = next[lower as usize];
        next[lower as usize] = [seconds | second, thirds | third];
        next[upper as usize] = next[lower as usize];
        number += 1;
    }
    next
}

/// Returns the place of a byte among 32, which a letter has in both cases. What is not ASCII could be a character that
/// nobody sees within a name, so it has all.
#[inline]
const fn bits(byte: u8) -> u32 {
    if byte.is_ascii() { 1 << (byte & 31) } else { u32::MAX }
}

#[expect(clippy::cast_possible_truncation, reason = "no set has that many names")]
const fn index(number: usize) -> u16 {
    assert!(number <= u16::MAX as usize, "too many tags");
    number as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags() -> Tags<'static> {
        Tags::PROTOCOL.with(["open_tasks", "plan_md"])
    }

    #[test]
    fn text_without_our_tags_is_not_copied() {
        for text in ["", "Add login", "a < b && c", "Vec<File1> <div> <reviews>", "&lt;b> &amp; <1"]
        {
            assert!(matches!(tags().guard(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn whatever_would_begin_one_of_our_tags_is_changed() {
        for forged in [
            "<open_tasks>",
            "</Open_Tasks>",
            "< / PLAN_MD >",
            "<\n\treview a='",
            "<\u{200b}prompt>",
            "<\u{b}\0file>",
            "<\u{7f}file>",
            "</task_status id=\"1.1\">",
        ] {
            let expected = format!("x&lt;{}y", &forged[1..]);
            assert_eq!(tags().guard(&format!("x{forged}y")), expected, "{forged}");
        }
    }

    #[test]
    fn short_names_are_found_with_anything_after_them() {
        let tags = Tags::NONE.with(["b", "ab", "abc"]);
        for forged in ["<b>", "<B x", "<b\n>", "<ab>", "<aB ", "<ABC>", "<a\u{ad}b>", "<ab\u{ad}c>"]
        {
            assert_eq!(tags.guard(&format!("{forged}..")), format!("&lt;{}..", &forged[1..]));
        }
        for other in ["<a>..", "<bb>..", "<ac>..", "<abd>..", "<\u{e9}b>.."] {
            assert_eq!(tags.guard(other), other);
        }
    }

    #[test]
    fn a_tag_that_is_left_half_written_at_the_end_is_changed() {
        for (text, expected) in [
            ("a <", "a &lt;"),
            ("a </ \n", "a &lt;/ \n"),
            ("a <re", "a &lt;re"),
            ("a <review", "a &lt;review"),
            ("a <rex", "a <rex"),
            ("a <1", "a <1"),
            ("a <re b", "a <re b"),
        ] {
            assert_eq!(tags().guard(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_spelled_already_is_told_from_what_the_guard_writes() {
        for (text, expected) in [
            ("&lt;review>", "&amp;lt;review>"),
            ("&amp;lt;/review>", "&amp;amp;lt;/review>"),
            ("&lt;b> &amp;review>", "&lt;b> &amp;review>"),
            ("&lt;", "&amp;lt;"),
        ] {
            assert_eq!(tags().guard(text), expected, "{text}");
        }
    }

    #[test]
    fn the_end_of_a_text_is_guarded_where_it_stands() {
        let mut out = String::from("<review>\n</review> and <b>");
        tags().guard_from(9, &mut out);
        assert_eq!(out, "<review>\n&lt;/review> and <b>");
        tags().guard_from(out.len(), &mut out);
        assert_eq!(out.len(), 29);
    }

    #[test]
    fn sets_grow_and_shrink_and_find_their_names_in_any_case() {
        assert!(PROTOCOL.is_sorted() && STRUCTURE.is_sorted());
        assert_eq!(Tags::NONE.guard("<review> </ <"), "<review> </ <");
        let tags = tags();
        assert!(tags.names().iter().all(|name| tags.contains(&name.to_uppercase())));
        assert!(STRUCTURE.iter().all(|name| Tags::PROTOCOL.contains(name)));
        assert!(!tags.contains("") && !tags.contains("_file") && !tags.contains("files"));
        let less = tags.without(&["review"]);
        assert!(!less.contains("review") && less.contains("plan_md"));
    }
}
