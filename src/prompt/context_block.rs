//! A block of layer 4, and what of it a flat prompt may say.

use std::borrow::Cow;

use crate::catalog::CATALOG;
use crate::models::prompt::ContextItem;
use crate::template::{Slot, Tags};

/// A block of layer 4.
pub(super) struct Block {
    pub(super) item: ContextItem,
    /// Whether it is text of ours, which is never guarded.
    is_own: bool,
    /// Whether nothing in it makes a tag of the catalog: known once, so that building only copies.
    is_plain: bool,
}

impl Block {
    pub(super) fn new(item: ContextItem, is_own: bool) -> Self {
        let is_plain = is_own || Slot::foreign(&item.content).measured(CATALOG.tags).is_plain();
        Self { item, is_own, is_plain }
    }

    /// Returns the text as it stands in a flat prompt. It makes none of `tags`, which are the catalog's and more, or else none of
    /// the catalog's.
    pub(super) fn text(&self, tags: Option<&Tags<'_>>) -> Cow<'_, str> {
        match tags {
            Some(tags) if !self.is_own => tags.guard(&self.item.content),
            None if !self.is_plain => CATALOG.tags.guard(&self.item.content),
            Some(_) | None => Cow::Borrowed(&self.item.content),
        }
    }
}
