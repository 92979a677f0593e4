//! Values that are ready to be copied into a prompt: how much of each has to be guarded is found out once.

use super::tags::Tags;

/// A value that is ready to be copied: where the guard has to begin is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<'v> {
    text: &'v str,
    /// The first byte that the guard has to look at; the length where there is none.
    first: usize,
}

impl<'v> Slot<'v> {
    /// Takes text that we wrote ourselves, which is copied as it is.
    pub const fn own(text: &'v str) -> Self {
        Self { text, first: text.len() }
    }

    /// Takes text of anybody else.
    pub fn foreign(text: &'v str) -> Self {
        let first = memchr::memchr2(b'<', b'&', text.as_bytes()).unwrap_or(text.len());
        Self { text, first }
    }

    /// Returns the value as it was given.
    pub const fn text(&self) -> &'v str {
        self.text
    }

    /// Finds out how the value is written.
    #[inline]
    pub fn measured(&self, tags: &Tags<'_>) -> Measured<'v> {
        let Self { text, first } = *self;
        if first == text.len() {
            return Measured { text, first, size: first };
        }
        measured(text, first, tags)
    }
}

/// Looks at a text from `from` on, where the first `<` or `&` is.
#[inline(never)]
fn measured<'v>(text: &'v str, from: usize, tags: &Tags<'_>) -> Measured<'v> {
    let mut measured = Measured { text, first: text.len(), size: text.len() };
    for (at, written) in tags.changes(text, from) {
        measured.first = measured.first.min(at);
        measured.size += written.len() - 1;
    }
    measured
}

/// A value of which is known what the guard has to change, so that only a text that would make a tag is searched
/// again when it is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured<'v> {
    text: &'v str,
    /// The first byte that is written in another way; the length where there is none.
    first: usize,
    size: usize,
}

impl Measured<'_> {
    /// Returns whether the value is copied as it is.
    pub const fn is_plain(&self) -> bool {
        self.first == self.text.len()
    }

    /// Returns the bytes that [`Self::push`] adds.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Adds the value to the end of `out`, guarded against the tags that it was measured with.
    #[inline]
    pub fn push(&self, tags: &Tags<'_>, out: &mut String) {
        if self.is_plain() {
            out.push_str(self.text);
        } else {
            self.push_guarded(tags, out);
        }
    }

    #[inline(never)]
    fn push_guarded(&self, tags: &Tags<'_>, out: &mut String) {
        let mut copied = 0;
        for (at, written) in tags.changes(self.text, self.first) {
            out.push_str(&self.text[copied..at]);
            out.push_str(written);
            copied = at + 1;
        }
        out.push_str(&self.text[copied..]);
    }
}
