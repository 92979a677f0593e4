//! The fields that a map may have, as data.

/// A field, and what may stand under it where that is data too.
#[derive(Clone, Copy, Debug)]
pub struct Field<K: 'static = (), M: 'static = ()> {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: K,
    /// Whether it must be there.
    pub need: Need,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// What else is known of it.
    pub more: M,
}

/// Whether a field must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It must.
    Required,
    /// It may be left out.
    Optional,
}

/// Describes a field that must be there.
pub(crate) const fn required(name: &'static str, about: &'static str) -> Field {
    Field { name, kind: (), need: Need::Required, about, more: () }
}

/// Describes a field that may be left out.
pub(crate) const fn optional(name: &'static str, about: &'static str) -> Field {
    Field { name, kind: (), need: Need::Optional, about, more: () }
}
