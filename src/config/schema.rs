//! What a configuration may say: keys, what may stand under them and defaults, as data. The check, the documentation and
//! the schema for editors all come from here.

use crate::schema::{self, Need};
use crate::text::field;

/// A key and what may stand under it.
pub(super) type Key = schema::Field<Setting>;

/// What may stand under a key.
pub(super) type Kind = schema::Kind<Setting>;

/// What is known of a key beside what may stand under it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// What holds when it is not given, as TOML; none if that depends on other keys.
    pub(super) default: Option<&'static str>,
    /// A value for an example file, as TOML, where there is no default to show.
    pub(super) example: Option<&'static str>,
    /// What it takes to let a project's file set it.
    pub(super) consent: Consent,
}

/// What it takes to let a project's file set a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// The user's trust: the key can make something run, let something out, or hide what is spent.
    Asked,
    /// The user's trust where it is more than what holds without the project, since that much more may be spent.
    AskedToRaise,
    /// The user's trust where it is this word: it lets something pass that would not.
    AskedFor(&'static str),
    /// Nothing.
    Given,
}

/// Describes a key. Unless something else is said of it, a project's file may set it only with the user's trust.
pub(super) const fn key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    let more = Setting { default: None, example: None, consent: Consent::Asked };
    Key { name, kind, need: Need::Optional, about, more }
}

impl field::Field<Kind, Setting> {
    pub(super) const fn default(mut self, toml: &'static str) -> Self {
        self.more.default = Some(toml);
        self
    }

    pub(super) const fn example(mut self, toml: &'static str) -> Self {
        self.more.example = Some(toml);
        self
    }

    /// Declares that the key is a number that can be spent, of which less does no harm.
    pub(super) const fn free_to_lower(mut self) -> Self {
        self.more.consent = Consent::AskedToRaise;
        self
    }

    /// Declares that one word needs the user's trust, and no other.
    pub(super) const fn harmless_but_for(mut self, word: &'static str) -> Self {
        self.more.consent = Consent::AskedFor(word);
        self
    }

    /// Declares that the key, and whatever is below it, can neither run, let out nor spend anything.
    pub(super) const fn harmless(mut self) -> Self {
        self.more.consent = Consent::Given;
        self
    }
}
