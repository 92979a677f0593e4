//! Values that are known to be secrets, and where they stand in a text: all of them are looked for at once, so that it takes
//! no longer to hide a thousand than to hide one.

use std::collections::{BTreeSet, HashSet};
use std::ops::{Bound, Range};

use memchr::memmem;

use super::text::CUT;

/// Values shorter than this are not looked for: they would be found in ordinary words.
pub(super) const SHORTEST_VALUE: usize = 6;

/// The values of secrets.
#[derive(Clone, Default)]
pub(super) struct Values {
    sorted: BTreeSet<Box<[u8]>>,
    /// How they begin: most places of a text are passed over after one look.
    beginnings: HashSet<[u8; SHORTEST_VALUE]>,
    longest: usize,
}

impl Values {
    pub(super) fn add(&mut self, value: &str) {
        if let Some(beginning) = value.as_bytes().first_chunk() {
            self.beginnings.insert(*beginning);
            self.longest = self.longest.max(value.len());
            self.sorted.insert(value.as_bytes().into());
        }
    }

    /// Finds where values stand in a text, and what a cut has left of one.
    pub(super) fn find(&self, text: &[u8]) -> Vec<Range<usize>> {
        if self.sorted.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<_> = (0..text.len())
            .filter_map(|start| Some(start..start + self.at_the_start_of(&text[start..])?))
            .collect();
        found.extend(memmem::find_iter(text, CUT).filter_map(|cut| self.cut_off(&text[..cut])));
        found
    }

    /// Returns the length of the longest value with which a text begins.
    fn at_the_start_of(&self, mut text: &[u8]) -> Option<usize> {
        while self.is_a_beginning(text) {
            let upto = (Bound::Unbounded, Bound::Included(text));
            let nearest = self.sorted.range::<[u8], _>(upto).next_back()?;
            let shared = text.iter().zip(nearest).take_while(|(one, other)| one == other).count();
            if shared == nearest.len() {
                return Some(shared);
            }
            // A value that is shorter can only be what both have in common.
            text = &text[..shared];
        }
        None
    }

    /// Finds the longest beginning of a value with which a text ends.
    fn cut_off(&self, text: &[u8]) -> Option<Range<usize>> {
        let begins_value = |start: &usize| {
            let from = (Bound::Included(&text[*start..]), Bound::Unbounded);
            self.is_a_beginning(&text[*start..])
                && self
                    .sorted
                    .range::<[u8], _>(from)
                    .next()
                    .is_some_and(|value| value.starts_with(&text[*start..]))
        };
        let start = (text.len().saturating_sub(self.longest)..text.len()).find(begins_value)?;
        Some(start..text.len())
    }

    fn is_a_beginning(&self, text: &[u8]) -> bool {
        text.first_chunk().is_some_and(|beginning| self.beginnings.contains(beginning))
    }
}
